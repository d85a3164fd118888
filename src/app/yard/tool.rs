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
    /// Lead an agent by pointer and keys.
    Lead,
}

impl Tool {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Select, Self::Agent, Self::Disc, Self::Box, Self::Wall, Self::Lead];

    /// As shown.
    pub fn text(self) -> &'static str {
        match self {
            Self::Select => "Select",
            Self::Agent => "Add agent",
            Self::Disc => "Disc",
            Self::Box => "Box",
            Self::Wall => "Wall",
            Self::Lead => "Lead",
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
            Self::Lead => "» Lead",
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
            Self::Lead => "The leader goes to the pointer, or where the arrow keys say, until Esc",
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
            Self::Lead => Key::L,
        }
    }
}
