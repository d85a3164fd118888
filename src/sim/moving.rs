//! One body in the act stage: told what its agent wants, it moves, stays out of obstacles and inside of the world.
//!
//! Whatever runs for most bodies is inlined into one function without a call, so that what moves stays in registers; what few
//! bodies need is handed over and back by value. Headings that follow velocities are turned a block at a time.

use super::act::{Bodies, Frozen, Plan};
use super::bearing::{BLOCK, Column, angles_of};
use super::body::{self, BodyLimits, Command, Drive, Motion, Plant, command_of, delayed};
use super::space::wrap_coordinate;
use super::{Area, Control, Edge, GroupId, Integrator, Intent, Intents, Limits, Space};
use glam::DVec3;
use std::sync::PoisonError;

/// Bodies of a block whose heading is to follow their velocity.
struct Followers {
    /// One bit for each.
    set: u64,
    /// Velocities, m/s; for all others anything that has an angle.
    x: Column,
    y: Column,
    /// How far each may turn, radians.
    most: Column,
}

/// Bodies that stand one after the other, in columns of the same length.
struct Block<'a> {
    /// The slot of the first.
    first: usize,
    alive: &'a [bool],
    group: &'a [GroupId],
    member: &'a [u32],
    radius: &'a [f64],
    max_speed: &'a [f64],
    max_acceleration: &'a [f64],
    turn_rate: &'a [f64],
    stride: &'a [f64],
    lag: &'a [f64],
    dead_time: &'a [f64],
    position: &'a mut [DVec3],
    velocity: &'a mut [DVec3],
    heading: &'a mut [f64],
    thrust: &'a mut [DVec3],
    state: &'a mut [u16],
    state_since: &'a mut [u64],
    quarantined: &'a mut [bool],
    rings: &'a mut [Command],
}

impl<'a> Block<'a> {
    /// The `count` bodies from a place of `bodies` on.
    #[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
    #[inline(always)]
    fn of(frozen: &Frozen<'a>, bodies: &'a mut Bodies<'_>, at: usize, count: usize) -> Self {
        let (first, end, ring) = (bodies.first + at, at + count, bodies.ring);
        let last = first + count;
        Self {
            first,
            alive: &frozen.alive[first..last],
            group: &frozen.group[first..last],
            member: &frozen.member[first..last],
            radius: &frozen.radius[first..last],
            max_speed: &frozen.max_speed[first..last],
            max_acceleration: &frozen.max_acceleration[first..last],
            turn_rate: &frozen.turn_rate[first..last],
            stride: &frozen.step[first..last],
            lag: &frozen.lag[first..last],
            dead_time: &frozen.dead_time[first..last],
            position: &mut bodies.position[at..end],
            velocity: &mut bodies.velocity[at..end],
            heading: &mut bodies.heading[at..end],
            thrust: &mut bodies.thrust[at..end],
            state: &mut bodies.state[at..end],
            state_since: &mut bodies.state_since[at..end],
            quarantined: &mut bodies.quarantined[at..end],
            rings: &mut bodies.rings[at * ring..end * ring],
        }
    }
}

/// What holds for all bodies in a tick.
#[derive(Clone, Copy)]
struct Rules {
    planar: bool,
    space: Space,
    integrator: Integrator,
    /// Whether there are obstacles.
    blocked: bool,
    /// Whether commands are kept for bodies with a dead time.
    rings: bool,
    /// Whether there are neither, and nobody avoids anybody.
    free: bool,
}

/// Moves all of `bodies`.
pub(super) fn move_all(frozen: &Frozen<'_>, mut bodies: Bodies<'_>) {
    let mut followers = Followers { set: 0, x: [1.0; BLOCK], y: [1.0; BLOCK], most: [0.0; BLOCK] };
    let mut angles = [0.0; BLOCK];
    let settings = frozen.settings;
    let rules = Rules {
        planar: settings.planar,
        space: settings.space,
        integrator: settings.integrator,
        blocked: !frozen.obstacles.blocks_nothing(),
        rings: frozen.ring > 0,
        free: frozen.ring == 0 && frozen.obstacles.blocks_nothing() && frozen.verdicts.is_empty(),
    };
    let slots = bodies.position.len();
    for first in (0..slots).step_by(BLOCK) {
        let count = BLOCK.min(slots - first);
        followers.set = 0;
        let mut block = Block::of(frozen, &mut bodies, first, count);
        for at in 0..count {
            let Some(plan) = frozen.plans.get(block.group[at].index()).filter(|_| block.alive[at]) else {
                continue;
            };
            match plan.way {
                ALONG if rules.free => move_one::<ALONG>(frozen, rules, plan, &mut block, at, &mut followers),
                PUSHED if rules.free => move_one::<PUSHED>(frozen, rules, plan, &mut block, at, &mut followers),
                _ => move_one::<ANY>(frozen, rules, plan, &mut block, at, &mut followers),
            }
        }
        if followers.set == 0 {
            continue;
        }
        angles_of(frozen.lanes, &followers.x, &followers.y, BLOCK, &mut angles);
        let mut left = followers.set;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            left &= left - 1;
            let heading = &mut block.heading[place];
            *heading = body::turned(*heading, angles[place], followers.most[place]);
        }
    }
}

/// How bodies of a group move, where it is known beforehand: all members want alike, without limits of a state or a turn, and
/// their bodies take one step a tick, driven by velocity,
pub(super) const ALONG: u8 = 1;
/// or by acceleration.
pub(super) const PUSHED: u8 = 2;
/// Nothing is known beforehand.
pub(super) const ANY: u8 = 0;

/// The way of a group's bodies.
pub(super) fn way_of(plan: &Plan, intents: &Intents) -> u8 {
    let common = &intents.common;
    let alike = intents.rows.is_empty() && common.turn.is_none() && common.limits == Limits::default();
    match (common.control, plan.drive) {
        _ if !alike || plan.turns || plan.substeps != 1 => ANY,
        (Control::Velocity, None | Some(Drive::Velocity)) => ALONG,
        (Control::Acceleration, None | Some(Drive::Acceleration)) => PUSHED,
        _ => ANY,
    }
}

/// Moves the body at a place of a block.
#[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
#[inline(always)]
fn move_one<const WAY: u8>(
    frozen: &Frozen<'_>,
    rules: Rules,
    plan: &Plan,
    block: &mut Block<'_>,
    at: usize,
    followers: &mut Followers,
) {
    let (group, member) = (block.group[at].index(), block.member[at] as usize);
    let Some(intents) = frozen.intents.get(group) else {
        return;
    };
    let known = WAY != ANY;
    let plain = Intent {
        control: if WAY == ALONG { Control::Velocity } else { Control::Acceleration },
        state: intents.common.state,
        entered: intents.common.entered,
        ..Intent::default()
    };
    let (push, intent) = if known {
        let Some(push) = intents.pushes.get(member) else {
            return;
        };
        (*push, &plain)
    } else if let Some(wanted) = intents.want(member) {
        wanted
    } else {
        return;
    };
    let drive = match (plan.drive, intent.control) {
        (Some(drive), _) if !known => drive,
        (_, Control::Acceleration) => Drive::Acceleration,
        (_, Control::Velocity) => Drive::Velocity,
    };
    // A safe velocity takes the place of what is wanted; the body goes on as it is driven.
    let safe = if known { None } else { frozen.verdicts.get(block.first + at).and_then(|verdict| verdict.safe) };
    let filtered;
    let (push, intent) = match safe {
        Some(safe) => {
            filtered = Intent { control: Control::Velocity, ..*intent };
            (safe, &filtered)
        }
        None => (push, intent),
    };
    let rings = !known && rules.rings;
    let limits = BodyLimits {
        max_speed: block.max_speed[at],
        max_acceleration: block.max_acceleration[at],
        turn_rate: block.turn_rate[at],
        stride: block.stride[at],
    };
    let mut motion = Motion {
        position: block.position[at],
        velocity: block.velocity[at],
        heading: block.heading[at],
        thrust: block.thrust[at],
    };
    let mut command = command_of(push, intent, motion.velocity, drive, plan.relaxation, limits);
    if !known && plan.turns && command.turn.is_none() {
        command.turn = Some(0.0);
    }
    block.state[at] = intent.state;
    if intent.entered {
        block.state_since[at] = frozen.tick;
    }
    if rings {
        remember(frozen, block, at, command);
    }
    let from = motion.position;
    let mut follows = false;
    if block.quarantined[at] {
        motion.velocity = DVec3::ZERO;
        motion.thrust = DVec3::ZERO;
    } else {
        let plant = Plant { drive, lag: block.lag[at], integrator: rules.integrator, follows_velocity: !plan.turns };
        let late = rules.rings && block.dead_time[at] > 0.0;
        if !late && plan.substeps == 1 && command.turn.is_none() {
            body::push(&mut motion, &command, plant, plan.step);
            follows = body::has_bearing(motion.velocity);
            let (x, y) = if follows { (motion.velocity.x, motion.velocity.y) } else { (1.0, 1.0) };
            (followers.x[at], followers.y[at]) = (x, y);
            followers.most[at] = command.turn_rate.abs() * plan.step;
        } else {
            motion = advance(frozen, block, at, plan, plant, command, motion);
        }
        if rules.planar {
            motion.position.z = from.z;
            motion.velocity.z = 0.0;
        }
        if !known && rules.blocked {
            motion = stay_outside(frozen, block.radius[at], from, motion);
        }
    }
    let kept = settle(frozen, rules, block, at, command.push, motion);
    followers.set |= u64::from(follows && kept) << at;
}

/// Writes down what an agent is told.
#[inline(never)]
fn remember(frozen: &Frozen<'_>, block: &mut Block<'_>, at: usize, command: Command) {
    let ring = &mut block.rings[at * frozen.ring..(at + 1) * frozen.ring];
    if frozen.anew && frozen.born[block.first + at] < frozen.tick {
        ring.fill(command);
    }
    ring[(frozen.tick % frozen.ring as u64) as usize] = command;
}

/// Moves a body for one tick that has a dead time, takes several steps in a tick, or is told how to turn.
#[inline(never)]
fn advance(
    frozen: &Frozen<'_>,
    block: &Block<'_>,
    at: usize,
    plan: &Plan,
    plant: Plant,
    command: Command,
    mut motion: Motion,
) -> Motion {
    let dead_time = block.dead_time[at];
    if dead_time <= 0.0 || frozen.ring == 0 {
        for _ in 0..plan.substeps {
            body::advance(&mut motion, &command, plant, plan.step);
        }
        return motion;
    }
    let ring = &block.rings[at * frozen.ring..(at + 1) * frozen.ring];
    for (ago, part) in delayed(dead_time * frozen.settings.tick_hz) {
        let told = frozen.tick.checked_sub(ago as u64);
        let mut held = told.map(|then| ring[(then % frozen.ring as u64) as usize]).unwrap_or_default();
        held.max_speed = command.max_speed;
        held.max_acceleration = command.max_acceleration;
        held.turn_rate = command.turn_rate;
        if plan.turns && held.turn.is_none() {
            held.turn = Some(0.0);
        }
        for _ in 0..plan.substeps {
            body::advance(&mut motion, &held, plant, part * plan.step);
        }
    }
    motion
}

/// Keeps a body out of obstacles: it stops at the first contact of its way and slides on along the surface.
#[inline(never)]
fn stay_outside(frozen: &Frozen<'_>, radius: f64, from: DVec3, mut motion: Motion) -> Motion {
    if !motion.position.is_finite() {
        return motion;
    }
    let slide = frozen.obstacles.slide(from, motion.position, radius, motion.velocity);
    motion.position = slide.at;
    motion.velocity = slide.velocity;
    if let Some(contact) = slide.contact {
        motion.thrust -= contact.normal * motion.thrust.dot(contact.normal).min(0.0);
    }
    motion
}

/// Whether all numbers of a body are finite.
#[inline]
fn is_sound(motion: &Motion) -> bool {
    // A sum that is finite holds nothing else; one that is not may hold large numbers only.
    let sum = motion.position + motion.velocity + motion.thrust;
    (sum.x + sum.y + sum.z + motion.heading).is_finite()
        || (motion.position.is_finite()
            && motion.velocity.is_finite()
            && motion.thrust.is_finite()
            && motion.heading.is_finite())
}

/// Writes one body back, with the edge of the world and the check for finite numbers; false if it is not one.
#[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
#[inline(always)]
fn settle(
    frozen: &Frozen<'_>,
    rules: Rules,
    block: &mut Block<'_>,
    at: usize,
    push: DVec3,
    mut motion: Motion,
) -> bool {
    let mut sound = is_sound(&motion);
    let mut outside = false;
    if let Some(area) = rules.space.area.filter(|_| sound) {
        // The edge first: who leaves a wide area on one side is far away only until it comes in on the other.
        let came = motion.position;
        outside = at_edge(rules.space.edge, area, block.radius[at], &mut motion);
        if motion.position != came && matches!(rules.space.edge, Edge::Clamp | Edge::Turn) {
            motion.position = not_through_walls(frozen, block.position[at], came, motion.position);
        }
    }
    sound &= motion.position.abs().max_element() <= super::command::FARTHEST;
    if !sound {
        block.velocity[at] = DVec3::ZERO;
        block.thrust[at] = DVec3::ZERO;
        if !block.quarantined[at] {
            block.quarantined[at] = true;
            take_out(frozen, block.first + at, push, motion);
        }
        return false;
    }
    if outside && rules.space.edge == Edge::Remove {
        let slot = (block.first + at) as u32;
        frozen.notes.lock().unwrap_or_else(PoisonError::into_inner).left.push(slot);
    }
    block.position[at] = motion.position;
    block.velocity[at] = motion.velocity;
    block.heading[at] = motion.heading;
    block.thrust[at] = motion.thrust;
    true
}

/// Where the edge of the world may put a body that went from `old` to `came`, m. Who grew is put farther inside than it
/// went: through no wall; then it stands over the edge.
#[inline(never)]
fn not_through_walls(frozen: &Frozen<'_>, old: DVec3, came: DVec3, inside: DVec3) -> DVec3 {
    let grew = inside.distance_squared(came) > old.distance_squared(came) + 1e-12;
    if grew && !frozen.obstacles.blocks_nothing() && !frozen.obstacles.sees(came, inside) { came } else { inside }
}

/// Notes why a body cannot go on.
#[cold]
fn take_out(frozen: &Frozen<'_>, slot: usize, push: DVec3, motion: Motion) {
    let message = if push.is_finite() {
        format!("the body left the numbers: position {}, velocity {}", short(motion.position), short(motion.velocity))
    } else {
        format!("the sum of its forces is {}", short(push))
    };
    frozen.notes.lock().unwrap_or_else(PoisonError::into_inner).quarantined.push((slot as u32, message));
}

/// A vector with few digits, however large it is.
fn short(v: DVec3) -> String {
    format!("({:.3e}, {:.3e}, {:.3e})", v.x, v.y, v.z)
}

/// Applies the edge to one body; true if it was outside.
#[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
#[inline(always)]
fn at_edge(edge: Edge, area: Area, radius: f64, motion: &mut Motion) -> bool {
    let Motion { position: p, velocity: v, thrust, .. } = motion;
    let (low, high) = (area.min, area.max);
    let x = at_end(edge, (low.x, high.x), radius, &mut p.x, &mut v.x, &mut thrust.x);
    let y = at_end(edge, (low.y, high.y), radius, &mut p.y, &mut v.y, &mut thrust.y);
    let z = at_end(edge, (low.z, high.z), radius, &mut p.z, &mut v.z, &mut thrust.z);
    x | y | z
}

/// The same along one axis.
#[expect(clippy::inline_always, reason = "what moves stays in registers; measured")]
#[inline(always)]
fn at_end(edge: Edge, (low, high): (f64, f64), radius: f64, x: &mut f64, v: &mut f64, thrust: &mut f64) -> bool {
    // Well inside, or not bounded along this axis.
    if (*x - radius > low && *x + radius < high) || low >= high {
        return false;
    }
    match edge {
        Edge::Open => false,
        Edge::Remove => *x < low || *x > high,
        Edge::Wrap => {
            *x = wrap_coordinate(*x, low, high - low);
            false
        }
        Edge::Clamp | Edge::Turn => {
            let margin = radius.min(0.5 * (high - low));
            let held = x.clamp(low + margin, high - margin);
            let outward = held != *x && *v * (*x - held) > 0.0;
            if outward {
                *v = if edge == Edge::Turn { -*v } else { 0.0 };
                *thrust = 0.0;
            }
            *x = held;
            outward
        }
    }
}
