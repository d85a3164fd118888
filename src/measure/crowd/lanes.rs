//! How far two streams have sorted themselves into lanes.

use glam::DVec2;

/// Lane order, in a buffer that is used again.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    /// Band and direction of each person.
    people: Vec<(i64, bool)>,
}

impl Lanes {
    /// The order parameter Φ = ⟨((Nₛ − N_d)/(Nₛ + N_d))²⟩: mean over people of that of their band, where Nₛ of it walk the same
    /// way and N_d the other (Nowak and Schadschneider 2012, PRE 85:066128, after Rex and Löwen 2007). 1 is lanes, and for many
    /// people per band 0 is no order; n people per band at random have 1/n. None for nobody.
    ///
    /// People are given as position (m) and velocity (m/s). Bands are `band` m wide, lie along `axis` (a unit vector) and are
    /// counted from `origin`; who does not walk along the axis counts as walking against it.
    pub fn order(
        &mut self,
        people: impl Iterator<Item = (DVec2, DVec2)>,
        axis: DVec2,
        origin: DVec2,
        band: f64,
    ) -> Option<f64> {
        let across = axis.perp();
        self.people.clear();
        self.people.extend(people.map(|(position, velocity)| {
            let lateral = libm::floor((position - origin).dot(across) / band);
            (lateral as i64, velocity.dot(axis) > 0.0)
        }));
        self.people.sort_unstable();
        let mut sum = 0.0;
        for lane in self.people.chunk_by(|a, b| a.0 == b.0) {
            let n = lane.len() as f64;
            let along = lane.iter().filter(|(_, along)| *along).count() as f64;
            let order = (2.0 * along - n) / n;
            sum += n * order * order;
        }
        (!self.people.is_empty()).then(|| sum / self.people.len() as f64)
    }
}

/// The axis that people walk along, one way or the other: the long axis of Σ v·vᵀ, as a unit vector with x ≥ 0. None if nobody
/// moves, or if no axis is longer.
pub fn main_axis(velocities: impl Iterator<Item = DVec2>) -> Option<DVec2> {
    let (cos, sin) = velocities.fold((0.0, 0.0), |(cos, sin), v| (cos + v.x * v.x - v.y * v.y, sin + 2.0 * v.x * v.y));
    if cos == 0.0 && sin == 0.0 {
        return None;
    }
    let angle = 0.5 * libm::atan2(sin, cos);
    Some(DVec2::new(libm::cos(angle), libm::sin(angle)))
}
