//! Formations that go with a leader: their frame has its position and its heading, the heading smoothed.
//!
//! A frame that turned with every turn of the leader's body would whip its outer places round. So the frame's heading follows the
//! leader's as a servo does: slower than the followers at the outermost place can go, with no more than their acceleration, and
//! braked in time. A leader that stands, or spins on the spot, leaves the frame where it is.

use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

use crate::formation::{Frame, Pose};
use crate::sim::{World, wrap_angle};

/// Where a formation stands: a pose in the world, or in the frame of the group's leader.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stand {
    /// Where.
    pub pose: Pose,
    /// In which frame that counts.
    pub frame: Frame,
}

impl From<Pose> for Stand {
    fn from(pose: Pose) -> Self {
        Self { pose, frame: Frame::World }
    }
}

/// A leader slower than this, m/s, does not turn the frame.
const LEADER_MOVES: f64 = 0.1;

/// Time constant of the frame's heading, s.
const SMOOTH_SECS: f64 = 0.5;

/// The share of the followers' speed that is left for the wheel where the leader is as fast as they are.
const SPARE_SHARE: f64 = 0.3;

/// The share of the followers' acceleration that the wheel may take.
const EFFORT_SHARE: f64 = 0.5;

/// How a frame goes with its leader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trail {
    /// The formation's frame in that of the leader, whose +y points ahead.
    pub offset: Pose,
    /// The smoothed heading of the leader, rad.
    heading: f64,
    /// How fast that turns, rad/s.
    wheel: f64,
}

/// What a frame has of its leader in a tick: the pose in the world, the velocity of its origin (m/s), and how fast it wheels (rad/s).
pub type Carried = (Pose, DVec3, f64);

impl Trail {
    /// The trail of a stand, behind the leader as it is; none for a stand in the world, or without a leader.
    pub fn start(stand: Stand, world: &World, group: usize) -> Option<Self> {
        let leader = leader_of(world, group).filter(|_| stand.frame != Frame::World)?;
        Some(Self { offset: stand.pose, heading: world.agents.heading[leader], wheel: 0.0 })
    }

    /// The same stand in a frame that has turned as another one has.
    pub fn as_turned(self, other: Self) -> Self {
        Self { offset: self.offset, ..other }
    }

    /// The pose in the world of a frame that turned so far.
    pub fn carried(&self, world: &World, group: usize) -> Option<Carried> {
        let leader = leader_of(world, group)?;
        let frame = Pose { at: world.agents.position[leader], turn: wrap_angle(self.heading - FRAC_PI_2) };
        let pose = frame.after(self.offset);
        let arm = pose.at - frame.at;
        let velocity = world.agents.velocity[leader] + DVec3::new(-arm.y, arm.x, 0.0) * self.wheel;
        Some((pose, velocity, self.wheel))
    }

    /// Turns on by a tick of `dt` seconds after the leader; `reach` is the distance of the outermost place from it, m.
    pub fn turn(&mut self, world: &World, group: usize, reach: f64, dt: f64) {
        let Some(leader) = leader_of(world, group) else { return };
        let agents = &world.agents;
        let velocity = agents.velocity[leader];
        let speed = velocity.truncate().length();
        let gap =
            if speed > LEADER_MOVES { wrap_angle(libm::atan2(velocity.y, velocity.x) - self.heading) } else { 0.0 };
        let members = world.groups[group].members.iter().map(|slot| *slot as usize);
        let least = |column: &[f64]| members.clone().map(|slot| column[slot]).fold(f64::INFINITY, f64::min);
        let (most, effort) = (least(&agents.max_speed), least(&agents.max_acceleration));
        let reach = reach.max(0.1);
        let fastest = (most - speed).max(SPARE_SHARE * most) / reach;
        let change = EFFORT_SHARE * effort / reach;
        // The servo's law: proportional near its end, before that as fast as it can still brake from.
        let wanted = (gap.abs() / SMOOTH_SECS).min((2.0 * change * gap.abs()).sqrt()).min(fastest);
        let wanted = if gap < 0.0 { -wanted } else { wanted };
        let step = change * dt;
        if step.is_finite() && wanted.is_finite() {
            self.wheel += (wanted - self.wheel).clamp(-step, step);
        }
        self.heading = wrap_angle(self.heading + self.wheel * dt);
    }

    /// Where the frame stands in that of the leader so that it is there in the world.
    pub fn put(&mut self, pose: Pose, world: &World, group: usize) {
        if let Some(leader) = leader_of(world, group) {
            let frame = Pose { at: world.agents.position[leader], turn: wrap_angle(self.heading - FRAC_PI_2) };
            self.offset = Pose { at: frame.local(pose.at), turn: wrap_angle(pose.turn - frame.turn) };
        }
    }
}

fn leader_of(world: &World, group: usize) -> Option<usize> {
    world.leader_of(world.groups[group].id).map(|slot| slot as usize)
}
