//! Where agents go that are added while a scene runs.

use glam::DVec3;

use crate::sim::{Stream, World, rng::Use};

/// Tries per agent before it finds no room.
const TRIES: usize = 200;

/// Up to `count` places for agents of a group in a disc round `at`.
///
/// No overlap with agents, obstacles or each other. They
/// depend on seed, tick and group only. With radius 0 and one agent the place is `at` itself.
pub fn places(world: &World, group: usize, count: usize, at: DVec3, radius: f64) -> Vec<DVec3> {
    let body = world.groups[group].body.radius;
    let mut luck = Stream::with_salt(world.settings.seed, group as u64, world.tick, Use::Spawn, 1);
    let mut places: Vec<DVec3> = Vec::new();
    let largest = (0..world.agents.slots())
        .filter(|slot| world.agents.alive[*slot])
        .map(|slot| world.agents.radius[slot])
        .fold(0.0, f64::max);
    for _ in 0..count {
        let found = (0..TRIES).find_map(|attempt| {
            let candidate = if attempt == 0 && count == 1 { at } else { in_disc(&mut luck, at, radius) };
            is_free(world, &places, candidate, body, largest).then_some(candidate)
        });
        match found {
            Some(place) => places.push(place),
            None => break,
        }
    }
    places
}

fn in_disc(luck: &mut Stream, at: DVec3, radius: f64) -> DVec3 {
    let angle = luck.uniform(0.0, std::f64::consts::TAU);
    let reach = radius.max(0.0) * libm::sqrt(luck.unit());
    at + DVec3::new(reach * libm::cos(angle), reach * libm::sin(angle), 0.0)
}

fn is_free(world: &World, places: &[DVec3], candidate: DVec3, body: f64, largest: f64) -> bool {
    if places.iter().any(|place| world.offset(*place, candidate).length() < 2.0 * body) {
        return false;
    }
    if world.obstacles.clearance(candidate) < body {
        return false;
    }
    let mut free = true;
    world.grid.visit(candidate, body + largest, None, |slot, _, squared| {
        let slot = slot as usize;
        let touch = body + world.agents.radius[slot];
        free &= !(world.agents.alive[slot] && squared < touch * touch);
    });
    free
}
