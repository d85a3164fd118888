//! A world with native minds and nothing round it, for cases of the core: no scene, no scripts, no records.

use std::sync::Arc;

use glam::DVec3;

use crate::sim::tick::TickScratch;
use crate::sim::{
    BodySpec, Control, Group, GroupId, SimCommand, TickReport, Workers, World, WorldSettings, angle, tick,
};
use crate::steer::NativeMind;
use crate::steer::blend::Term;

/// World, minds, and what a tick needs.
pub(super) struct Bench {
    pub(super) world: Arc<World>,
    #[expect(clippy::vec_box, reason = "the tick takes boxed minds")]
    minds: Vec<Box<NativeMind>>,
    workers: Workers,
    scratch: TickScratch,
    report: TickReport,
}

impl Bench {
    pub(super) fn new(settings: WorldSettings) -> Self {
        Self {
            world: Arc::new(World::new(settings)),
            minds: Vec::new(),
            workers: Workers::new(1),
            scratch: TickScratch::default(),
            report: TickReport::default(),
        }
    }

    /// Adds a group under a blend of native forces.
    pub(super) fn group(&mut self, body: BodySpec, control: Control, terms: &[Term]) -> Result<GroupId, String> {
        let mind = NativeMind::of_terms(control, terms)
            .map_err(|errors| errors.iter().map(std::string::ToString::to_string).collect::<Vec<_>>().join("; "))?;
        self.minds.push(Box::new(mind));
        Ok(Arc::make_mut(&mut self.world).add_group(Group::new(GroupId(0), "them", body)))
    }

    /// Adds an agent that looks where it goes.
    pub(super) fn spawn(&mut self, group: GroupId, position: DVec3, velocity: DVec3) -> Result<(), String> {
        let heading = angle::angle_of(velocity);
        let command = SimCommand::Spawn { group, position, heading, velocity };
        Arc::make_mut(&mut self.world).apply(command).map(drop).map_err(|error| error.to_string())
    }

    /// Makes ticks.
    pub(super) fn run(&mut self, ticks: u64) {
        for _ in 0..ticks {
            tick(&mut self.world, &mut self.minds, &self.workers, &mut self.scratch, &mut self.report, &mut ());
        }
    }

    /// Where everybody is, m.
    pub(super) fn positions(&self) -> &[DVec3] {
        &self.world.agents.position
    }

    /// How much all headings agree, |Σ e^{iθ}|/n.
    pub(super) fn order(&self) -> f64 {
        let agents = &self.world.agents;
        let sum: DVec3 = (0..agents.slots()).map(|slot| agents.forward(slot)).sum();
        sum.length() / (agents.slots() as f64).max(1.0)
    }
}
