//! The layers of the yard: what is always drawn, and what the debug layer shows, each with its own switch.

use eframe::egui::{Key, Modifiers};

/// A part of the debug layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugLayer {
    /// Where agents will be.
    Velocities,
    /// Forces of the picked agent.
    Forces,
    /// Lines to those whom forces see.
    Links,
    /// How far forces look, and in which cone.
    Perception,
    /// How far agents keep off each other.
    Separation,
    /// Cells of the neighbor grid.
    Cells,
    /// Numbers of the agents.
    Numbers,
    /// What scripts draw.
    Drawings,
}

impl DebugLayer {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Perception,
        Self::Separation,
        Self::Links,
        Self::Forces,
        Self::Velocities,
        Self::Cells,
        Self::Numbers,
        Self::Drawings,
    ];

    /// As shown.
    pub fn text(self) -> &'static str {
        match self {
            Self::Velocities => "Velocity arrows",
            Self::Forces => "Force arrows",
            Self::Links => "Neighbor links",
            Self::Perception => "Perception",
            Self::Separation => "Separation radius",
            Self::Cells => "Grid cells",
            Self::Numbers => "Numbers of agents",
            Self::Drawings => "Drawings of scripts",
        }
    }

    /// One sentence, with unit.
    pub fn about(self) -> &'static str {
        match self {
            Self::Velocities => "Where each agent will be in 0.5 s at its velocity in m/s",
            Self::Forces => "Each force of the picked agent as an arrow with name and size, in m/s² or m/s",
            Self::Links => {
                "Lines from the picked agents, else from all when they are few, to those whom their forces see"
            }
            Self::Perception => {
                "Radius in m and view cone in ° of the forces of the picked agents, else of all when they are few"
            }
            Self::Separation => {
                "Radius in m within which the picked agents, else all when they are few, keep off others"
            }
            Self::Cells => "The cells of the neighbor grid with the agents in each, and their sides in m",
            Self::Numbers => "The number of each agent, as scripts and reports write it",
            Self::Drawings => "What scripts draw with yard.draw, in m",
        }
    }

    /// Its key.
    pub fn key(self) -> (Modifiers, Key) {
        let key = match self {
            Self::Velocities => Key::V,
            Self::Forces => Key::A,
            Self::Links => Key::L,
            Self::Perception => Key::P,
            Self::Separation => Key::S,
            Self::Cells => Key::G,
            Self::Numbers => Key::N,
            Self::Drawings => Key::D,
        };
        (Modifiers::SHIFT, key)
    }
}

/// Layers that can be switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Places of the formation.
    pub slots: bool,
    /// Lines from agents to their places.
    pub errors: bool,
    /// Grid on the ground.
    pub grid: bool,
    /// Routes and goals.
    pub ways: bool,
    /// Measuring lines and areas.
    pub measuring: bool,
    /// Sources, stops and exits.
    pub flows: bool,
    /// Velocity arrows (debug layer).
    pub velocities: bool,
    /// Forces of the picked agent (debug layer).
    pub forces: bool,
    /// Links to those whom forces see (debug layer).
    pub links: bool,
    /// Perception circles and view cones (debug layer).
    pub perception: bool,
    /// Separation circles (debug layer).
    pub separation: bool,
    /// Cells of the neighbor grid (debug layer).
    pub cells: bool,
    /// Numbers of the agents (debug layer).
    pub ids: bool,
    /// What scripts draw (debug layer).
    pub drawings: bool,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            slots: true,
            errors: true,
            grid: true,
            ways: true,
            measuring: true,
            flows: true,
            velocities: true,
            forces: true,
            links: true,
            perception: true,
            separation: true,
            cells: true,
            ids: true,
            drawings: true,
        }
    }
}

impl Layers {
    /// The switch of a part of the debug layer.
    pub fn of(&mut self, layer: DebugLayer) -> &mut bool {
        match layer {
            DebugLayer::Velocities => &mut self.velocities,
            DebugLayer::Forces => &mut self.forces,
            DebugLayer::Links => &mut self.links,
            DebugLayer::Perception => &mut self.perception,
            DebugLayer::Separation => &mut self.separation,
            DebugLayer::Cells => &mut self.cells,
            DebugLayer::Numbers => &mut self.ids,
            DebugLayer::Drawings => &mut self.drawings,
        }
    }

    /// Switches a part of the debug layer; while the layer is hidden that can only mean to show the part.
    pub fn toggle(&mut self, layer: DebugLayer, shown: bool) {
        let part = self.of(layer);
        *part = !shown || !*part;
    }
}
