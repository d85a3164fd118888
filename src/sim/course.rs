//! Where an agent goes next on its way to its goal: what a navigator tells it.

use glam::DVec3;
use std::sync::Arc;

/// How an agent is doing on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathState {
    /// Nobody navigates it: it goes straight to its goal.
    #[default]
    Off,
    /// It has no goal.
    Idle,
    /// It goes along its path.
    Moving,
    /// It has reached its target.
    Reached,
    /// No way leads to its target.
    NoPath,
    /// It stands where nobody can walk, and goes to the nearest point where one can.
    AgentOffMesh,
    /// Its target lies where nobody can walk; it stands at the nearest point where one can.
    TargetOffMesh,
    /// It comes no nearer.
    Blocked,
    /// A link carries it.
    OnLink,
}

impl PathState {
    /// All of them with the words that scripts read.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Off, "off"),
        (Self::Idle, "idle"),
        (Self::Moving, "moving"),
        (Self::Reached, "reached"),
        (Self::NoPath, "no_path"),
        (Self::AgentOffMesh, "agent_off_mesh"),
        (Self::TargetOffMesh, "target_off_mesh"),
        (Self::Blocked, "blocked"),
        (Self::OnLink, "on_link"),
    ];

    /// The word that scripts read.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(state, _)| *state == self).map_or("off", |(_, word)| word)
    }

    /// Its place in [`Self::ALL`].
    #[must_use]
    pub fn number(self) -> usize {
        Self::ALL.iter().position(|(state, _)| *state == self).unwrap_or(0)
    }
}

/// Where an agent goes next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// How it is doing.
    pub state: PathState,
    /// The point to go to now, m; none to stand.
    pub target: Option<DVec3>,
    /// The point after that, m; none where `target` is the end.
    pub then: Option<DVec3>,
    /// How long the way to the end is, m.
    pub left: f64,
    /// Factor on the speed here.
    pub speed: f64,
    /// Points of the whole path, its beginning first, m; none without one.
    pub path: Option<Arc<[DVec3]>>,
    /// Which of them `target` is.
    pub next: u32,
}

impl Course {
    /// The points that are still ahead, m.
    #[must_use]
    pub fn ahead(&self) -> &[DVec3] {
        self.path.as_deref().and_then(|points| points.get(self.next as usize..)).unwrap_or(&[])
    }

    pub(super) fn hash_into(&self, hash: &mut super::StateHash) {
        hash.integer(self.state.number() as u64);
        hash.integer(u64::from(self.next));
        for point in [self.target, self.then].into_iter().flatten() {
            hash.vector(point);
        }
        hash.number(self.left);
        hash.number(self.speed);
        for point in self.path.iter().flat_map(|points| points.iter()) {
            hash.vector(*point);
        }
    }
}
