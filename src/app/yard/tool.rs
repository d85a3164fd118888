//! What a click in the yard does.

use eframe::egui::Key;

/// A tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Pick and drag.
    #[default]
    Select,
    /// Put agents in.
    Agent,
    /// Draw a disc.
    Disc,
    /// Draw a box.
    Box,
    /// Draw a wall.
    Wall,
}

impl Tool {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Select, Self::Agent, Self::Disc, Self::Box, Self::Wall];

    /// As shown.
    pub fn text(self) -> &'static str {
        match self {
            Self::Select => "Select",
            Self::Agent => "Add agent",
            Self::Disc => "Disc",
            Self::Box => "Box",
            Self::Wall => "Wall",
        }
    }

    /// Sign on its button.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Select => "Select",
            Self::Agent => "+ Agent",
            Self::Disc => "○ Disc",
            Self::Box => "□ Box",
            Self::Wall => "╱ Wall",
        }
    }

    /// One sentence.
    pub fn tooltip(self) -> &'static str {
        match self {
            Self::Select => "Click picks, Shift adds, drag moves what is under the pointer or picks by a box",
            Self::Agent => "Click puts an agent of the first group, or of the picked agent's group, there",
            Self::Disc => "Drag from the center outward; a click makes a pillar of 0.5 m",
            Self::Box => "Drag from corner to corner",
            Self::Wall => "Drag from end to end",
        }
    }

    /// Key that takes it.
    pub fn key(self) -> Key {
        match self {
            Self::Select => Key::V,
            Self::Agent => Key::A,
            Self::Disc => Key::D,
            Self::Box => Key::B,
            Self::Wall => Key::W,
        }
    }
}
