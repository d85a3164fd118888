//! Who passes a line, and when; how many stand where.

use glam::DVec3;

use super::Context;
use crate::experiment::Experiment;

/// Somebody passed the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    /// When, between two ticks, s.
    pub(super) at: f64,
    /// Who.
    pub(super) slot: usize,
    /// Where, m.
    pub(super) place: DVec3,
}

/// Lets it run, at most to `until` seconds or until nobody is left, and calls `look` after each tick with where everybody was before.
pub(super) fn watch(
    context: &Context,
    experiment: &mut Experiment,
    until: f64,
    look: &mut dyn FnMut(&Experiment, &[DVec3]) -> bool,
) -> Result<(), String> {
    let mut before = experiment.world().agents.position.clone();
    while experiment.world().time() < until && experiment.world().agents.count() > 0 {
        if experiment.ticks().is_multiple_of(64) {
            context.go_on()?;
        }
        experiment.tick();
        if !look(experiment, &before) {
            break;
        }
        before.clone_from(&experiment.world().agents.position);
    }
    match experiment.problems().iter().find(|problem| problem.is_error()) {
        Some(problem) => Err(problem.to_text()),
        None => Ok(()),
    }
}

/// The passes over a line, by how far beyond it somebody is (m, negative before it), in the order of time; each agent's first one.
pub(super) fn passes(
    context: &Context,
    experiment: &mut Experiment,
    until: f64,
    beyond: &dyn Fn(DVec3) -> f64,
) -> Result<Vec<Pass>, String> {
    let mut passed = vec![false; experiment.world().agents.slots()];
    let mut found = Vec::new();
    let all = experiment.world().agents.count();
    watch(context, experiment, until, &mut |experiment, before| {
        found.extend(
            new_passes(experiment, before, beyond).filter(|pass| !std::mem::replace(&mut passed[pass.slot], true)),
        );
        found.len() < all
    })?;
    Ok(found)
}

/// Those of the last tick.
pub(super) fn new_passes<'a>(
    experiment: &'a Experiment,
    before: &'a [DVec3],
    beyond: &'a dyn Fn(DVec3) -> f64,
) -> impl Iterator<Item = Pass> + 'a {
    let (world, dt) = (experiment.world(), experiment.world().dt());
    before.iter().enumerate().filter_map(move |(slot, before)| {
        let now = world.agents.position[slot];
        let (was, is) = (beyond(*before), beyond(now));
        let share = was / (was - is);
        (was < 0.0 && is >= 0.0).then(|| Pass {
            at: world.time() - dt * (1.0 - share),
            slot,
            place: before.lerp(now, share),
        })
    })
}

/// Persons per second from the `first` to the `last` pass (counted from 0).
pub(super) fn flow(passes: &[Pass], first: usize, last: usize) -> f64 {
    match (passes.get(first), passes.get(last)) {
        (Some(from), Some(to)) if to.at > from.at => (last - first) as f64 / (to.at - from.at),
        _ => 0.0,
    }
}

/// When the last one passed, s; infinite if not so many did.
pub(super) fn end(passes: &[Pass], all: usize) -> f64 {
    if passes.len() < all { f64::INFINITY } else { passes.last().map_or(f64::INFINITY, |pass| pass.at) }
}

/// How many stand in a rectangle, per m².
pub(super) fn density(experiment: &Experiment, (min_x, min_y): (f64, f64), (max_x, max_y): (f64, f64)) -> f64 {
    let agents = &experiment.world().agents;
    let inside = |slot: &usize| {
        let at = agents.position[*slot];
        agents.alive[*slot] && at.x >= min_x && at.x <= max_x && at.y >= min_y && at.y <= max_y
    };
    (0..agents.slots()).filter(inside).count() as f64 / ((max_x - min_x) * (max_y - min_y))
}
