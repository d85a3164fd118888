//! What happens when, as typed: `At(5.0, Form(group: "drill", formation: "line"))`.

use glam::DVec3;

use super::PoseFile;
use crate::scene::decode::{Decoder, Limit, Shape, Spanned, Table, choice, record};
use crate::scene::ron::{Kind, Node};
use crate::scene::value::SetValue;

record! {
    /// Orders a formation.
    FormFile "Form" positional true {
        /// the group
        group: Spanned<String> = Spanned::default(), required;
        /// the formation
        formation: Spanned<String> = Spanned::default(), required;
        /// values of its parameters
        params: Table<SetValue> = Table::default(), optional;
        /// where it stands; where the last one stood without it
        pose: Option<PoseFile> = None, optional;
    }
}

record! {
    /// Sets the formation of a group in motion: its frame walks on and its places with it. Speed 0 halts.
    MarchFile "March" positional true {
        /// the group
        group: Spanned<String> = Spanned::default(), required;
        /// the speed in m/s
        speed: f64 = 1.2, optional, Limit::Within(0.0, 100.0);
        /// the direction in degrees from where the head looks, counter-clockwise
        heading_deg: f64 = 0.0, optional, Limit::Within(-360.0, 360.0);
        /// how fast the frame wheels about its origin, in degrees per second
        turn_deg: f64 = 0.0, optional, Limit::Within(-360.0, 360.0);
        /// how fast the speed changes, in m/s²
        acceleration: f64 = 1.0, optional, Limit::Positive;
    }
}

record! {
    /// Leads the first agent of a group by hand, to a point or along with a velocity; it hears `lead` when that begins.
    LeadFile "Lead" positional true {
        /// the group
        group: Spanned<String> = Spanned::default(), required;
        /// the point in m
        to: Option<DVec3> = None, optional;
        /// the velocity in m/s, instead of a point; at most as fast as its body
        velocity: Option<DVec3> = None, optional;
    }
}

record! {
    /// Leads it no more; it hears `release`.
    ReleaseFile "Release" positional true {
        /// the group
        group: Spanned<String> = Spanned::default(), required;
    }
}

record! {
    /// Sends a message, as scripts do.
    SendFile "Send" positional true {
        /// a group by name, or an agent by number
        to: Spanned<Target> = Spanned::default(), required;
        /// the name of the event
        name: String = String::new(), required;
        /// its value
        value: Option<SetValue> = None, optional;
    }
}

record! {
    /// Sets a value.
    SetFile "Set" positional true {
        /// the whole address: `drill.k1`
        address: Spanned<String> = Spanned::default(), required;
        /// the value
        value: Spanned<SetValue> = Spanned::default(), required;
    }
}

record! {
    /// Adds agents to a group, overlap-free in a disc.
    SpawnMoreFile "Spawn" positional true {
        /// the group
        group: Spanned<String> = Spanned::default(), required;
        /// how many
        count: u32 = 1, optional, Limit::Within(0.0, super::MAX_COUNT);
        /// center of the disc in m
        at: DVec3 = DVec3::ZERO, optional;
        /// radius of the disc in m
        radius: f64 = 1.0, optional, Limit::Positive;
    }
}

record! {
    /// Removes agents of a group.
    RemoveFile "Remove" positional true {
        /// the group
        group: Spanned<String> = Spanned::default(), required;
        /// how many, the oldest first; all without it
        count: Option<u32> = None, optional;
    }
}

record! {
    /// Takes an obstacle out of the way, opens a source or a stop, or all of this name.
    OpenFile "Open" positional true {
        /// its name
        obstacle: Spanned<String> = Spanned::default(), required;
    }
}

record! {
    /// Puts an opened obstacle back, closes a source or a stop, or all of this name.
    CloseFile "Close" positional true {
        /// its name
        obstacle: Spanned<String> = Spanned::default(), required;
    }
}

choice! {
    /// What happens.
    ActionFile "action" {
        /// Orders a formation.
        Form(FormFile),
        /// Sets a formation in motion, or halts it.
        March(MarchFile),
        /// Leads an agent.
        Lead(LeadFile),
        /// Leads it no more.
        Release(ReleaseFile),
        /// Sends a message.
        Send(SendFile),
        /// Sets a value.
        Set(SetFile),
        /// Adds agents.
        Spawn(SpawnMoreFile),
        /// Removes agents.
        Remove(RemoveFile),
        /// Opens an obstacle.
        Open(OpenFile),
        /// Closes an obstacle.
        Close(CloseFile),
    }
}

/// Whom a message is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// All agents of a group.
    Group(String),
    /// One agent by the number that scripts see.
    Agent(f64),
}

impl Default for Target {
    fn default() -> Self {
        Self::Group(String::new())
    }
}

impl Shape for Target {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        match &node.kind {
            Kind::Text(name) => Some(Self::Group(name.clone())),
            Kind::Number(_) => f64::decode(node, decoder).map(Self::Agent),
            _ => {
                decoder.mismatch(node, "a group in quotes or the number of an agent");
                None
            }
        }
    }
    fn encode(&self) -> Node {
        match self {
            Self::Group(name) => Node::text(name.clone()),
            Self::Agent(number) => Node::number(*number),
        }
    }
}

/// One line of the schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct AtFile {
    /// When, in s of simulated time.
    pub time: Spanned<f64>,
    /// What.
    pub action: ActionFile,
}

impl Shape for AtFile {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        let parts = match &node.kind {
            Kind::Tuple { name: Some(name), items } if name == "At" => items.as_slice(),
            _ => &[],
        };
        let [time, action] = parts else {
            decoder.mismatch(node, "`At(seconds, action)`");
            return None;
        };
        let at = Spanned::<f64>::decode(time, decoder);
        let action = ActionFile::decode(action, decoder);
        let (time, action) = (at?, action?);
        if let Some(wrong) = Limit::Within(0.0, 1e7).refuse(time.value) {
            decoder.error(time.span, "out-of-range", format!("the time is {}; it {wrong}", time.value), None);
            return None;
        }
        Some(Self { time, action })
    }
    fn encode(&self) -> Node {
        let items = vec![self.time.encode(), self.action.encode()];
        Node::new(Kind::Tuple { name: Some("At".to_owned()), items })
    }
}
