//! What the yard can be looked at from: along an axis, or in perspective.

use eframe::egui::Key;
use glam::DVec3;

/// A view along an axis, without perspective.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// From above: x to the right, y up.
    #[default]
    Top,
    /// From the front, along y: x to the right, z up.
    Front,
    /// From the right, against x: y to the right, z up.
    Right,
}

impl Side {
    /// Unit vectors that point to the right, up, and into the screen.
    pub fn axes(self) -> (DVec3, DVec3, DVec3) {
        match self {
            Self::Top => (DVec3::X, DVec3::Y, DVec3::NEG_Z),
            Self::Front => (DVec3::X, DVec3::Z, DVec3::Y),
            Self::Right => (DVec3::Y, DVec3::Z, DVec3::NEG_X),
        }
    }

    /// Letters of the axes to the right and up.
    pub fn letters(self) -> (char, char) {
        match self {
            Self::Top => ('x', 'y'),
            Self::Front => ('x', 'z'),
            Self::Right => ('y', 'z'),
        }
    }
}

/// A view that is a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Along an axis.
    Flat(Side),
    /// From an orbit, with perspective.
    Perspective,
}

impl Look {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Flat(Side::Top), Self::Flat(Side::Front), Self::Flat(Side::Right), Self::Perspective];

    /// As in menus.
    pub fn text(self) -> &'static str {
        match self {
            Self::Flat(Side::Top) => "View from above",
            Self::Flat(Side::Front) => "View from the front",
            Self::Flat(Side::Right) => "View from the side",
            Self::Perspective => "View in perspective",
        }
    }

    /// Sign on its button.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Flat(Side::Top) => "Top",
            Self::Flat(Side::Front) => "Front",
            Self::Flat(Side::Right) => "Side",
            Self::Perspective => "3-D",
        }
    }

    /// One sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Flat(Side::Top) => "Look down on the ground: x to the right, y up",
            Self::Flat(Side::Front) => "Look along y, without perspective: x to the right, z up",
            Self::Flat(Side::Right) => "Look against x, without perspective: y to the right, z up",
            Self::Perspective => "Look from an orbit: right drag turns, middle drag pans",
        }
    }

    /// Its key, in the order of the buttons; the digits before are words of the drill.
    pub fn key(self) -> Key {
        match self {
            Self::Flat(Side::Top) => Key::Num6,
            Self::Flat(Side::Front) => Key::Num7,
            Self::Flat(Side::Right) => Key::Num8,
            Self::Perspective => Key::Num9,
        }
    }
}
