//! What a metric sees of a group: plain slices, in the world's frame.

use glam::DVec3;

/// In [`SlotsView::slot_of`]: this agent has no place.
pub const NO_SLOT: u32 = u32::MAX;

/// The places of a group, in the world.
#[derive(Debug, Clone, Copy)]
pub struct SlotsView<'a> {
    /// Meters, by place.
    pub positions: &'a [DVec3],
    /// Radians, by place.
    pub headings: &'a [f64],
    /// The place of each agent, in the order of agents; [`NO_SLOT`] if it has none.
    pub slot_of: &'a [u32],
    /// Whether the last place is a neighbor of the first.
    pub closed: bool,
}

/// A group at one tick: equally long slices, in one order of agents.
#[derive(Debug, Clone, Copy, Default)]
pub struct GroupView<'a> {
    /// Meters.
    pub positions: &'a [DVec3],
    /// Meters per second.
    pub velocities: &'a [DVec3],
    /// Radians.
    pub headings: &'a [f64],
    /// Meters.
    pub radii: &'a [f64],
    /// Its places, if it has a formation.
    pub slots: Option<SlotsView<'a>>,
    /// Size of a world whose edges wrap, in meters; an axis of 0 or less does not wrap.
    pub extent: Option<DVec3>,
}

impl GroupView<'_> {
    /// The shortest way from `from` to `to`, through the edges of a wrapped world.
    pub fn offset(&self, from: DVec3, to: DVec3) -> DVec3 {
        let d = to - from;
        let Some(extent) = self.extent else {
            return d;
        };
        let wrap = |d: f64, size: f64| if size > 0.0 { d - size * libm::round(d / size) } else { d };
        DVec3::new(wrap(d.x, extent.x), wrap(d.y, extent.y), wrap(d.z, extent.z))
    }
}

/// Reusable buffers that gather a group from the world's columns into one view.
#[derive(Debug, Clone, Default)]
pub struct GroupSample {
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    headings: Vec<f64>,
    radii: Vec<f64>,
    slot_of: Vec<u32>,
    slot_positions: Vec<DVec3>,
    slot_headings: Vec<f64>,
    closed: Option<bool>,
    extent: Option<DVec3>,
}

impl GroupSample {
    /// Forgets the last tick, keeps the memory.
    pub fn clear(&mut self, extent: Option<DVec3>) {
        self.positions.clear();
        self.velocities.clear();
        self.headings.clear();
        self.radii.clear();
        self.slot_of.clear();
        self.slot_positions.clear();
        self.slot_headings.clear();
        self.closed = None;
        self.extent = extent;
    }

    /// Adds an agent: meters, m/s, radians, meters, and its place.
    pub fn push(&mut self, position: DVec3, velocity: DVec3, heading: f64, radius: f64, slot: Option<usize>) {
        self.positions.push(position);
        self.velocities.push(velocity);
        self.headings.push(heading);
        self.radii.push(radius);
        self.slot_of.push(slot.map_or(NO_SLOT, |slot| slot as u32));
    }

    /// Sets the places, in the world: meters and radians, head first.
    pub fn set_slots(&mut self, places: impl IntoIterator<Item = (DVec3, f64)>, closed: bool) {
        self.slot_positions.clear();
        self.slot_headings.clear();
        for (position, heading) in places {
            self.slot_positions.push(position);
            self.slot_headings.push(heading);
        }
        self.closed = Some(closed);
    }

    /// What was gathered.
    pub fn view(&self) -> GroupView<'_> {
        GroupView {
            positions: &self.positions,
            velocities: &self.velocities,
            headings: &self.headings,
            radii: &self.radii,
            slots: self.closed.map(|closed| SlotsView {
                positions: &self.slot_positions,
                headings: &self.slot_headings,
                slot_of: &self.slot_of,
                closed,
            }),
            extent: self.extent,
        }
    }
}
