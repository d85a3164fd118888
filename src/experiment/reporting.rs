//! The report of a run, filled from the experiment as it stands.

use super::core::Experiment;
use super::report::{ContractRun, GroupRun, MetricRun, ReloadRun, Report, hash_text};
use crate::measure::Metric;

impl Experiment {
    /// The report of the run so far. Hashes taken on the way are the caller's.
    pub fn report(&mut self) -> Report {
        let hash = hash_text(self.hash());
        let reload = |reload: &super::scripts::Reload| ReloadRun {
            tick: reload.tick,
            files: reload.files.clone(),
            note: reload.lines.join("; "),
        };
        Report {
            scene: self.shown.clone(),
            seed: Some(self.world.settings.seed),
            ticks: self.world.tick,
            seconds: self.world.time(),
            hash: Some(hash),
            hashes: Vec::new(),
            groups: (0..self.groups.len()).map(|group| self.group_run(group)).collect(),
            reloads: self.reloads.iter().map(reload).collect(),
            problems: self.problems.list().to_vec(),
            timing: self.clock.seconds().map(|(name, seconds)| (name.to_owned(), seconds)).collect(),
            reproducible: self.clock_stopped.then_some(false),
        }
    }

    fn group_run(&self, index: usize) -> GroupRun {
        let group = &self.world.groups[index];
        let measure = &self.measuring.groups[index];
        let mut metrics = Vec::new();
        for metric in Metric::ALL {
            let stats = &measure.stats[*metric as usize];
            if stats.count() > 0 {
                metrics.push((metric.id().to_owned(), MetricRun::new(metric.info().unit, stats)));
            }
        }
        for (id, extra) in &self.measuring.extra {
            metrics.push((id.clone(), MetricRun::new(&extra.unit, &extra.stats)));
        }
        let judged = measure.judge.as_ref();
        let forming = self.groups[index].forming.as_ref();
        GroupRun {
            name: group.name.clone(),
            agents: group.members.len(),
            metrics,
            contract: judged.map(|judge| ContractRun::new(&judge.report(), self.world.dt())),
            assignment: forming.map(|forming| format!("{:?}", forming.assignment.method_used)),
        }
    }
}
