//! What anybody may ask an experiment.

use std::path::Path;

use crate::scene::Scene;
use crate::scene::problem::Problem;
use crate::sim::World;

use super::core::Experiment;
use super::forming::Forming;

impl Experiment {
    /// The state hash as it stands, see CONTRACTS: agents in id order with what their minds keep, then obstacles.
    pub fn hash(&mut self) -> u64 {
        let slots = self.world.agents.slots();
        self.digests.clear();
        self.digests.resize(slots, 0);
        for (mind, group) in self.minds.iter_mut().zip(&self.world.groups) {
            self.digest_rows.clear();
            mind.digest(&self.world, group, &mut self.digest_rows);
            for (slot, digest) in group.members.iter().zip(&self.digest_rows) {
                self.digests[*slot as usize] = *digest;
            }
        }
        self.digest_paths();
        self.digest_journeys();
        self.with_flows(self.world.hash(&self.digests))
    }

    /// Ticks done.
    pub fn ticks(&self) -> u64 {
        self.world.tick
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.world.time()
    }

    /// The tick at which the run ends.
    pub fn last_tick(&self) -> u64 {
        self.options.ticks.unwrap_or_else(|| self.scene.last_tick())
    }

    /// Whether the run is over.
    pub fn finished(&self) -> bool {
        self.world.tick >= self.last_tick()
    }

    /// Whether a script faulted or an agent went into quarantine since the start.
    pub fn faulted(&self) -> bool {
        self.faulted
    }

    /// Whether a fault ends the run here.
    pub fn stopped_by_fault(&self) -> bool {
        self.faulted && !self.options.keep_going
    }

    /// The world, to read.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What happened so far, oldest first; the oldest of very many are gone.
    pub fn log_lines(&self) -> impl Iterator<Item = &super::frame::LogLine> {
        self.log.lines()
    }

    /// How many lines there ever were.
    pub fn log_serial(&self) -> u64 {
        self.log.serial()
    }

    /// The scene that runs.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// All problems so far.
    pub fn problems(&self) -> &[Problem] {
        self.problems.list()
    }

    /// The project folder.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// Everything that has a name.
    pub fn library(&self) -> &super::library::Library {
        self.scripts.library()
    }

    /// The formation that a group holds.
    pub fn forming(&self, group: usize) -> Option<&Forming> {
        self.groups.get(group)?.forming.as_ref()
    }
}
