//! The body: clamps, delays, lags and integrates what its agent asks for.
//!
//! Plant of a velocity-driven body: dead time L, then a first-order lag τ, then position, P(s) = e^(−Ls) / (s(τs + 1)). The
//! state update is exact for a held command: v' = u + (v − u)·e^(−h/τ), x' = x + τ(1 − e^(−h/τ))(v − u) + h·u.

use super::{Avoid, Control, Intent, angle, wrap_angle};
use glam::DVec3;

/// What drives a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// A commanded acceleration, m/s².
    Acceleration,
    /// A commanded velocity, m/s.
    Velocity,
}

/// How a body's heading comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadingMode {
    /// Free if the behavior turns its agents, along the velocity otherwise.
    #[default]
    Auto,
    /// Only a commanded turn rate changes it.
    Free,
    /// It follows the velocity, as fast as the turn rate allows.
    AlongVelocity,
}

/// How velocity becomes position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// v += a h, x += v h: bounded energy of oscillators.
    #[default]
    SemiImplicitEuler,
    /// x += v h, v += a h: kept for comparison and for rules that are defined with it.
    ExplicitEuler,
}

/// The body that a group gives its agents.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// Radius, metres.
    pub radius: f64,
    /// Speed limit, m/s.
    pub max_speed: f64,
    /// Acceleration limit, m/s².
    pub max_acceleration: f64,
    /// Turn rate limit, rad/s.
    pub turn_rate: f64,
    /// Time constant of the lag, seconds.
    pub lag: f64,
    /// Dead time, seconds.
    pub dead_time: f64,
    /// What comes out of the steps that it means to take: 1.05 goes 5 % farther than commanded.
    pub stride: f64,
    /// Relaxation time τr, seconds: a velocity u asked of an acceleration-driven body becomes (u − v)/τr and the reverse.
    pub relaxation: f64,
    /// A waypoint counts as reached below this distance, metres; 0: as the scene's navigation says.
    pub path_desired_distance: f64,
    /// The target counts as reached below this distance, metres; 0: as the scene's navigation says.
    pub target_desired_distance: f64,
    /// Farther than this from its path it gets a new one, metres; 0: as the scene's navigation says.
    pub path_max_distance: f64,
    /// What drives it; none: what the behavior asks for.
    pub drive: Option<Drive>,
    /// How its heading comes about.
    pub heading: HeadingMode,
    /// The filter from wanted to safe velocity.
    pub avoid: Option<Avoid>,
    /// Steps of the body per tick, at least 1.
    pub substeps: u32,
    /// Per-agent ranges of body values, drawn uniformly at birth: (field, low, high).
    pub spread: Vec<(BodyField, f64, f64)>,
}

impl Default for BodySpec {
    fn default() -> Self {
        Self {
            radius: 0.2,
            max_speed: 2.0,
            max_acceleration: 10.0,
            turn_rate: std::f64::consts::TAU,
            lag: 0.0,
            dead_time: 0.0,
            stride: 1.0,
            relaxation: 0.5,
            path_desired_distance: 0.0,
            target_desired_distance: 0.0,
            path_max_distance: 0.0,
            drive: None,
            heading: HeadingMode::Auto,
            avoid: None,
            substeps: 1,
            spread: Vec::new(),
        }
    }
}

/// The numbers of a body that a group, a slider or a spread may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyField {
    /// Metres.
    Radius,
    /// m/s.
    MaxSpeed,
    /// m/s².
    MaxAcceleration,
    /// rad/s.
    TurnRate,
    /// Seconds.
    Lag,
    /// Seconds.
    DeadTime,
    /// Factor.
    Stride,
    /// Seconds.
    Relaxation,
    /// Metres.
    PathDesiredDistance,
    /// Metres.
    TargetDesiredDistance,
    /// Metres.
    PathMaxDistance,
}

impl BodyField {
    /// All fields with their names in scene files.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::Radius, "radius"),
        (Self::MaxSpeed, "max_speed"),
        (Self::MaxAcceleration, "max_acceleration"),
        (Self::TurnRate, "turn_rate"),
        (Self::Lag, "lag"),
        (Self::DeadTime, "dead_time"),
        (Self::Stride, "stride"),
        (Self::Relaxation, "relaxation"),
        (Self::PathDesiredDistance, "path_desired_distance"),
        (Self::TargetDesiredDistance, "target_desired_distance"),
        (Self::PathMaxDistance, "path_max_distance"),
    ];

    /// Whether it matters only where somebody navigates.
    #[must_use]
    pub fn is_of_paths(self) -> bool {
        matches!(self, Self::PathDesiredDistance | Self::TargetDesiredDistance | Self::PathMaxDistance)
    }

    /// The field of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(field, _)| *field)
    }
}

impl BodySpec {
    /// The value of a field.
    #[must_use]
    pub fn get(&self, field: BodyField) -> f64 {
        match field {
            BodyField::Radius => self.radius,
            BodyField::MaxSpeed => self.max_speed,
            BodyField::MaxAcceleration => self.max_acceleration,
            BodyField::TurnRate => self.turn_rate,
            BodyField::Lag => self.lag,
            BodyField::DeadTime => self.dead_time,
            BodyField::Stride => self.stride,
            BodyField::Relaxation => self.relaxation,
            BodyField::PathDesiredDistance => self.path_desired_distance,
            BodyField::TargetDesiredDistance => self.target_desired_distance,
            BodyField::PathMaxDistance => self.path_max_distance,
        }
    }

    /// Sets a field.
    pub fn set(&mut self, field: BodyField, value: f64) {
        *match field {
            BodyField::Radius => &mut self.radius,
            BodyField::MaxSpeed => &mut self.max_speed,
            BodyField::MaxAcceleration => &mut self.max_acceleration,
            BodyField::TurnRate => &mut self.turn_rate,
            BodyField::Lag => &mut self.lag,
            BodyField::DeadTime => &mut self.dead_time,
            BodyField::Stride => &mut self.stride,
            BodyField::Relaxation => &mut self.relaxation,
            BodyField::PathDesiredDistance => &mut self.path_desired_distance,
            BodyField::TargetDesiredDistance => &mut self.target_desired_distance,
            BodyField::PathMaxDistance => &mut self.path_max_distance,
        } = value;
    }
}

/// What a body was told in one tick, after clamping.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// Velocity or acceleration after the body's drive.
    pub push: DVec3,
    /// Turn rate, rad/s; none leaves the heading to the velocity.
    pub turn: Option<f64>,
    /// The speed limit that held, m/s.
    pub max_speed: f64,
    /// The acceleration limit that held, m/s².
    pub max_acceleration: f64,
    /// The turn rate limit that held, rad/s.
    pub turn_rate: f64,
}

/// Limits of one agent's body as they stand.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimits {
    /// m/s.
    pub max_speed: f64,
    /// m/s².
    pub max_acceleration: f64,
    /// rad/s.
    pub turn_rate: f64,
    /// Factor from the commanded to the taken step.
    pub stride: f64,
}

/// Turns a push and the rest of an intent into the command of a body: converted to its drive and clamped by length.
#[must_use]
#[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
#[inline(always)]
pub fn command_of(
    push: DVec3,
    intent: &Intent,
    velocity: DVec3,
    drive: Drive,
    relaxation: f64,
    body: BodyLimits,
) -> Command {
    let max_speed = intent.limits.max_speed.unwrap_or(body.max_speed);
    let max_acceleration = intent.limits.max_acceleration.unwrap_or(body.max_acceleration);
    let turn_rate = intent.limits.turn_rate.unwrap_or(body.turn_rate);
    let relaxation = relaxation.max(1e-6);
    let push = match (intent.control, drive) {
        (Control::Velocity, Drive::Velocity) => limit(push * body.stride, max_speed),
        (Control::Acceleration, Drive::Velocity) => {
            limit((velocity + relaxation * limit(push, max_acceleration)) * body.stride, max_speed)
        }
        (Control::Velocity, Drive::Acceleration) => {
            limit((limit(push * body.stride, max_speed) - velocity) / relaxation, max_acceleration)
        }
        (Control::Acceleration, Drive::Acceleration) => limit(push * body.stride, max_acceleration),
    };
    let turn = intent.turn.map(|turn| turn.clamp(-turn_rate.abs(), turn_rate.abs()));
    Command { push, turn, max_speed, max_acceleration, turn_rate }
}

/// The vector, shortened to `max` where it is longer. A negative limit counts as 0.
#[must_use]
#[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
#[inline(always)]
pub fn limit(v: DVec3, max: f64) -> DVec3 {
    let length_squared = v.length_squared();
    let max = max.max(0.0);
    if length_squared <= max * max || !length_squared.is_finite() {
        return v;
    }
    v * (max / length_squared.sqrt())
}

/// The moving part of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Metres.
    pub position: DVec3,
    /// m/s.
    pub velocity: DVec3,
    /// Radians.
    pub heading: f64,
    /// Lagged acceleration of acceleration-driven bodies, m/s².
    pub thrust: DVec3,
}

/// Constants of one agent's body in one tick.
#[derive(Clone, Copy, Debug)]
pub struct Plant {
    /// What drives it.
    pub drive: Drive,
    /// Time constant, seconds.
    pub lag: f64,
    /// How velocity becomes position.
    pub integrator: Integrator,
    /// Whether the heading follows the velocity when no turn is commanded.
    pub follows_velocity: bool,
}

/// Moves a body for `h` seconds under a held command.
#[inline]
pub fn advance(motion: &mut Motion, command: &Command, plant: Plant, h: f64) {
    if h <= 0.0 {
        return;
    }
    push(motion, command, plant, h);
    turn(motion, command, plant, h);
}

/// Moves a body for `h` > 0 seconds without turning it.
#[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
#[inline(always)]
pub(super) fn push(motion: &mut Motion, command: &Command, plant: Plant, h: f64) {
    match plant.drive {
        Drive::Velocity => follow_velocity(motion, command, plant, h),
        Drive::Acceleration => follow_acceleration(motion, command, plant, h),
    }
}

#[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
#[inline(always)]
fn follow_velocity(motion: &mut Motion, command: &Command, plant: Plant, h: f64) {
    let before = motion.velocity;
    let target = command.push;
    let (mut after, mut travel) = if plant.lag > 1e-9 {
        let decay = libm::exp(-h / plant.lag);
        (target + (before - target) * decay, (before - target) * (plant.lag * (1.0 - decay)) + target * h)
    } else {
        let travel = match plant.integrator {
            Integrator::SemiImplicitEuler => target * h,
            Integrator::ExplicitEuler => before * h,
        };
        (target, travel)
    };
    let change = after - before;
    let most = command.max_acceleration * h;
    if change.length_squared() > most * most {
        after = before + limit(change, most);
        travel = match plant.integrator {
            Integrator::SemiImplicitEuler => (before + after) * (0.5 * h),
            Integrator::ExplicitEuler => before * h,
        };
    }
    motion.velocity = after;
    motion.position += travel;
}

#[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
#[inline(always)]
fn follow_acceleration(motion: &mut Motion, command: &Command, plant: Plant, h: f64) {
    let before = motion.velocity;
    let target = command.push;
    let change = if plant.lag > 1e-9 {
        let decay = libm::exp(-h / plant.lag);
        let change = target * h + (motion.thrust - target) * (plant.lag * (1.0 - decay));
        motion.thrust = target + (motion.thrust - target) * decay;
        change
    } else {
        motion.thrust = target;
        target * h
    };
    let mut after = before + change;
    let speed = after.length();
    if speed > command.max_speed {
        // A limit that just fell below the speed is met by braking, not by a jump.
        let slowed = (before.length() - command.max_acceleration * h).max(command.max_speed);
        after = limit(after, slowed.max(0.0));
    }
    motion.velocity = after;
    motion.position += match plant.integrator {
        Integrator::SemiImplicitEuler => after * h,
        Integrator::ExplicitEuler => before * h,
    };
}

#[inline]
fn turn(motion: &mut Motion, command: &Command, plant: Plant, h: f64) {
    if let Some(rate) = command.turn {
        motion.heading = wrap_angle(motion.heading + rate * h);
        return;
    }
    if plant.follows_velocity && has_bearing(motion.velocity) {
        motion.heading = turned(motion.heading, angle::angle_of(motion.velocity), command.turn_rate.abs() * h);
    }
}

/// Whether a velocity, m/s, is fast enough in the plane for a heading to follow it.
#[inline]
pub(super) fn has_bearing(v: DVec3) -> bool {
    v.x * v.x + v.y * v.y >= 1e-12
}

/// The heading turned towards an angle by at most `most`, all in radians.
#[inline]
pub(super) fn turned(heading: f64, towards: f64, most: f64) -> f64 {
    wrap_angle(heading + wrap_angle(towards - heading).clamp(-most, most))
}

/// What every agent was told lately, so that dead time can be any fraction of a tick.
///
/// Nothing is written down before the first body with a dead time comes; the first command after that stands for all that
/// agents were told before.
#[derive(Clone, Debug, Default)]
pub struct DelayLine {
    stride: usize,
    commands: Vec<Command>,
    /// Whether it came into use since the last tick.
    pub(super) anew: bool,
}

impl DelayLine {
    /// Makes room for `slots` agents and a dead time of up to `ticks` ticks.
    pub(super) fn fit(&mut self, slots: usize, ticks: f64) {
        if self.stride == 0 {
            if ticks <= 0.0 {
                return;
            }
            self.anew = true;
        }
        let stride = (ticks.max(0.0).ceil() as usize).saturating_add(2).next_power_of_two();
        if stride > self.stride {
            // A longer memory starts from what each agent was told last: the old ring is unrolled by age.
            self.grow(stride);
        }
        if slots * self.stride > self.commands.len() {
            self.commands.resize(slots * self.stride, Command::default());
        }
    }

    fn grow(&mut self, stride: usize) {
        let old = std::mem::take(&mut self.commands);
        let slots = old.len().checked_div(self.stride).unwrap_or(0);
        self.commands = vec![Command::default(); slots * stride];
        for slot in 0..slots {
            for k in 0..stride {
                // Power-of-two strides: an entry of tick t sat at t mod old stride, so this keeps the newest of each class.
                self.commands[slot * stride + k] = old[slot * self.stride + k % self.stride.max(1)];
            }
        }
        self.stride = stride;
    }

    /// Forgets what an agent was told: it is born at rest.
    pub(super) fn clear(&mut self, slot: usize) {
        let stride = self.stride;
        if let Some(ring) = self.commands.get_mut(slot * stride..(slot + 1) * stride) {
            ring.fill(Command::default());
        }
    }

    /// The ring of each slot, for parallel work on columns; no rings (and a stride of 0) before a body has a dead time.
    pub(super) fn rings(&mut self) -> (usize, &mut [Command]) {
        (self.stride, &mut self.commands)
    }
}

/// The two commands that act during a tick when the dead time is `dead_ticks` ticks: (ticks ago, share of the tick) twice.
#[must_use]
pub fn delayed(dead_ticks: f64) -> [(usize, f64); 2] {
    let dead = dead_ticks.max(0.0);
    let whole = libm::floor(dead + 1e-9);
    let rest = (dead - whole).max(0.0);
    if rest < 1e-9 {
        return [(whole as usize, 0.0), (whole as usize, 1.0)];
    }
    [(whole as usize + 1, rest), (whole as usize, 1.0 - rest)]
}

#[cfg(test)]
mod tests {
    use super::{Command, Drive, Integrator, Motion, Plant, advance, delayed};
    use glam::DVec3;

    fn command(push: DVec3) -> Command {
        Command { push, turn: None, max_speed: 1e9, max_acceleration: 1e9, turn_rate: 1e9 }
    }

    #[test]
    fn lag_is_exact_for_a_held_command_whatever_the_step() {
        for integrator in [Integrator::SemiImplicitEuler, Integrator::ExplicitEuler] {
            let plant = Plant { drive: Drive::Velocity, lag: 0.2, integrator, follows_velocity: false };
            let still = Motion { position: DVec3::ZERO, velocity: DVec3::ZERO, heading: 0.0, thrust: DVec3::ZERO };
            let (mut coarse, mut fine) = (still, still);
            advance(&mut coarse, &command(DVec3::X), plant, 0.5);
            for _ in 0..500 {
                advance(&mut fine, &command(DVec3::X), plant, 0.001);
            }
            let decay = libm::exp(-2.5);
            assert!((coarse.velocity.x - (1.0 - decay)).abs() < 1e-12);
            assert!((coarse.position.x - (0.5 - 0.2 * (1.0 - decay))).abs() < 1e-12);
            assert!((coarse.position.x - fine.position.x).abs() < 1e-10);
        }
    }

    /// Reference case V29: harmonic oscillator, ω 1, h 0.1, 1000 steps.
    #[test]
    fn explicit_euler_gains_energy_and_semi_implicit_stays_bounded() {
        let run = |integrator| {
            let plant = Plant { drive: Drive::Acceleration, lag: 0.0, integrator, follows_velocity: false };
            let mut body = Motion { position: DVec3::X, velocity: DVec3::ZERO, heading: 0.0, thrust: DVec3::ZERO };
            let mut worst: f64 = 0.0;
            for _ in 0..1000 {
                let push = -body.position;
                advance(&mut body, &command(push), plant, 0.1);
                let energy = body.position.length_squared() + body.velocity.length_squared();
                worst = worst.max((energy - 1.0).abs());
            }
            (body.position.length_squared() + body.velocity.length_squared(), worst)
        };
        let (energy, _) = run(Integrator::ExplicitEuler);
        assert!((energy / 20_959.16 - 1.0).abs() < 1e-3, "{energy}");
        let (_, worst) = run(Integrator::SemiImplicitEuler);
        assert!(worst <= 1.0 / (1.0 - 0.05) - 1.0 + 1e-3, "{worst}");
    }

    #[test]
    fn dead_time_of_seven_and_a_fifth_ticks_is_split_inside_the_tick() {
        let [(first, share), (second, rest)] = delayed(0.12 * 60.0);
        assert_eq!((first, second), (8, 7));
        assert!((share - 0.2).abs() < 1e-9 && (rest - 0.8).abs() < 1e-9);
        assert_eq!(delayed(6.0)[1], (6, 1.0));
        assert_eq!(delayed(0.0)[1], (0, 1.0));
    }
}
