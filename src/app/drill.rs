//! The words of drill: what a key, the menu and the palette send to the groups that are meant.

use eframe::egui::{Key, Modifiers};

use crate::experiment::command::Command;
use crate::experiment::frame::{AgentKey, Frame};
use crate::experiment::serving::MARCH_SPEED;

/// An order that needs no further words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrillWord {
    /// Take the place and look ahead.
    Attention,
    /// Look to the right and close up.
    DressRight,
    /// Look ahead again.
    EyesFront,
    /// The formation walks on.
    ForwardMarch,
    /// The formation stops.
    Halt,
}

impl DrillWord {
    /// All of them, in the order of the keys.
    pub const ALL: [Self; 5] = [Self::Attention, Self::DressRight, Self::EyesFront, Self::ForwardMarch, Self::Halt];

    /// Text in menus.
    pub fn text(self) -> &'static str {
        match self {
            Self::Attention => "Attention",
            Self::DressRight => "Dress right",
            Self::EyesFront => "Eyes front",
            Self::ForwardMarch => "Forward march",
            Self::Halt => "Halt",
        }
    }

    /// One sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Attention => "Send `attention` to the groups of the picked agents, or to all that have a formation",
            Self::DressRight => {
                "Send `dress_right` to the groups of the picked agents, or to all that have a formation"
            }
            Self::EyesFront => "Send `eyes_front` to the groups of the picked agents, or to all that have a formation",
            Self::ForwardMarch => "Their formations walk on at 1.2 m/s, where the head looks",
            Self::Halt => "Their formations stop",
        }
    }

    /// Its keys.
    pub fn keys(self) -> [(Modifiers, Key); 1] {
        let key = match self {
            Self::Attention => Key::Num1,
            Self::DressRight => Key::Num2,
            Self::EyesFront => Key::Num3,
            Self::ForwardMarch => Key::Num4,
            Self::Halt => Key::Num5,
        };
        [(Modifiers::ALT, key)]
    }

    /// The order to one group.
    pub fn command(self, group: &str) -> Command {
        let group = group.to_owned();
        let send = |name: &str| Command::SendEvent { group: group.clone(), name: name.to_owned(), value: None };
        match self {
            Self::Attention => send("attention"),
            Self::DressRight => send("dress_right"),
            Self::EyesFront => send("eyes_front"),
            Self::ForwardMarch => Command::March { group, speed: MARCH_SPEED, heading: 0.0, turn: 0.0 },
            Self::Halt => Command::March { group, speed: 0.0, heading: 0.0, turn: 0.0 },
        }
    }

    /// The orders to the groups of the picked agents, or to all groups, as far as these have a formation.
    pub fn commands(self, frame: &Frame, picked: &[AgentKey]) -> Vec<Command> {
        let meant = |index: usize| {
            let of = |key: &AgentKey| frame.agents.row(*key).map(|row| usize::from(frame.agents.group[row]));
            picked.is_empty() || picked.iter().any(|key| of(key) == Some(index))
        };
        let groups = frame.groups.iter().enumerate();
        let meant = groups.filter(|(index, group)| group.formation.is_some() && meant(*index));
        meant.map(|(_, group)| self.command(&group.name)).collect()
    }
}
