//! A new machine of scripts beside the running one: saves are noticed, builds awaited and rehearsed, and the machine is swapped.

use super::scripts::{Scripts, Stage, gone};
use crate::script::host::Candidate;
use crate::script::project::{Scan, scan};
use crate::script::runtime::dry::Rehearsal;
use crate::script::runtime::engine::ask;
use crate::script::watch::Watch;

impl Scripts {
    /// Looks for saves and finished builds: a new machine that is ready to take over between two ticks.
    pub fn poll(&mut self, rehearsal: impl FnOnce() -> Rehearsal) -> Option<Candidate> {
        if let Some(saved) = self.watch.as_ref().and_then(Watch::poll) {
            self.data = saved.scan.data.keys().cloned().collect();
            self.changed_data.extend(saved.data.iter().cloned());
            if saved.scripts {
                self.rehearse_with(rehearsal());
                self.begin(saved.scan);
            }
        }
        let host = self.host.as_mut()?;
        match host.poll_reload() {
            Ok(candidate) => candidate,
            Err(error) => {
                self.leavings.problems.push(gone(&error));
                None
            }
        }
    }

    /// Data files that changed since the last call.
    pub fn changed_data(&mut self) -> Vec<String> {
        std::mem::take(&mut self.changed_data)
    }

    /// Reads changed data files anew.
    pub fn refresh_data(&mut self) {
        self.make_library();
    }

    fn begin(&mut self, scan: Scan) {
        if let Some(host) = &mut self.host
            && let Err(error) = host.begin_reload(scan)
        {
            self.leavings.problems.push(gone(&error));
        }
    }

    /// Sets what the next new machine is tried on, with the directors and metrics of the scene.
    pub fn rehearse_with(&mut self, mut rehearsal: Rehearsal) {
        let kept = self.export_stage().map(|stage| stage.0).unwrap_or_default();
        rehearsal.directors = (self.directors.clone(), kept);
        rehearsal.metrics.clone_from(&self.metrics);
        self.rehearsals.set(Some(rehearsal));
    }

    /// Looks at the disk now and waits for the new machine.
    pub fn build_now(&mut self) -> Option<Candidate> {
        let found = scan(&self.project);
        self.data = found.data.keys().cloned().collect();
        self.begin(found);
        self.finish()
    }

    /// Builds with an older version of a file and waits for the new machine.
    pub fn build_with(&mut self, file: &str, version: u32) -> Option<Candidate> {
        if let Some(host) = &mut self.host
            && let Err(error) = host.put_back(file, version)
        {
            self.leavings.problems.push(gone(&error));
            return None;
        }
        self.finish()
    }

    fn finish(&mut self) -> Option<Candidate> {
        match self.host.as_mut()?.finish_reload() {
            Ok(candidate) => Some(candidate),
            Err(error) => {
                self.leavings.problems.push(gone(&error));
                None
            }
        }
    }

    /// The version before the one in effect.
    pub fn version_before(&self, file: &str) -> Option<u32> {
        let host = self.host.as_ref()?;
        let now = host.version_in_effect(file);
        host.versions(file).into_iter().map(|version| version.number).filter(|number| *number < now).max()
    }

    /// The new machine takes over. The owner carries the agents' state over before and after.
    pub fn take_over(&mut self, candidate: Candidate) -> (Vec<String>, Vec<String>) {
        self.held_back.clone_from(&candidate.outcome.held_back);
        let Some(host) = &mut self.host else { return (Vec::new(), Vec::new()) };
        let report = host.take_over(candidate);
        let mut lines = Vec::new();
        for change in &report.changes {
            lines.push(change.to_string());
        }
        lines.extend(report.added.iter().map(|name| format!("new: {name}")));
        lines.extend(report.removed.iter().map(|name| format!("gone: {name}")));
        self.make_library();
        (report.versions, lines)
    }

    /// What directors and metrics keep, for the machine that takes over.
    pub fn export_stage(&mut self) -> Option<Stage> {
        self.tell(|live| ask(live, |_, runtime| Ok((runtime.export_directors(), runtime.export_metrics()))))
    }

    /// Puts that into the new machine.
    pub fn import_stage(&mut self, stage: Stage) {
        let directors = self.directors.clone();
        self.tell(move |live| {
            ask(live, |live, runtime| {
                runtime.seat_directors(live, &directors, &stage.0)?;
                runtime.import_metrics(live, &stage.1)
            })
        });
        if self.drawing {
            self.collect_drawings(true);
        }
    }
}
