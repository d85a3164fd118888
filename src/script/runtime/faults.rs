//! Faults of callbacks: off for that agent until the next reload, shown once, counted.

use std::sync::Arc;

use mlua::{Function, Value as Lv};

use super::bridge::{Kit, switch_off};
use super::engine::CALLBACK_BUDGET;
use super::instance::Instance;
use super::request::{Leavings, Stop};
use crate::scene::problem::Problem;
use crate::script::fault;
use crate::script::reload::Live;
use crate::script::require::Loading;
use crate::script::sources::Sources;
use crate::sim::World;

/// The texts that a machine was loaded from.
pub(super) fn sources(live: &Live) -> Arc<Sources> {
    live.vm.lua().app_data_ref::<Loading>().map(|loading| Arc::clone(&loading.sources)).unwrap_or_default()
}

impl Instance {
    /// The callback that ran last faulted: it goes off for its agent, and the problem is reported.
    pub(super) fn fault(
        &mut self,
        live: &Live,
        kit: &Kit,
        world: &World,
        index: usize,
        error: &mlua::Error,
        leavings: &mut Leavings,
    ) -> mlua::Result<()> {
        let (slot, callback, misfit) = {
            let mut context = kit.context.borrow_mut();
            (context.slot(), context.callback(), std::mem::take(&mut context.misfit))
        };
        let explained = if misfit { self.explain(live, kit, slot, callback) } else { None };
        switch_off(live.vm.lua(), &self.records, slot, callback)?;
        self.report(live, world, index, slot, callback, explained.as_ref().unwrap_or(error), leavings);
        Ok(())
    }

    /// Reports the faults of rare callbacks, which are off already.
    pub(super) fn soft_faults(&mut self, live: &Live, kit: &Kit, world: &World, index: usize, leavings: &mut Leavings) {
        let soft = std::mem::take(&mut kit.context.borrow_mut().soft);
        for fault in soft {
            live.vm.recover(&fault.error);
            self.report(live, world, index, fault.slot, fault.callback, &fault.error, leavings);
        }
    }

    /// Calls a callback again with guarded records, to learn the line that gave memory another type. Whatever it does is undone.
    fn explain(&self, live: &Live, kit: &Kit, slot: u32, callback: usize) -> Option<mlua::Error> {
        let try_again = || -> mlua::Result<Option<mlua::Error>> {
            let record = self.records.raw_get::<Lv>(slot + 1)?;
            let function = self.functions.get(callback.wrapping_sub(1));
            let unit = self.plan.callbacks.get(callback.wrapping_sub(1)).map(|callback| callback.unit);
            let (Some(function), Some(unit), Lv::Table(record)) = (function, unit, record) else { return Ok(None) };
            let place = self.plan.unit_memory[unit].map(super::fields::memory_key);
            let copy: Function = kit.kit.raw_get("copy_fields")?;
            let kept =
                place.as_ref().map(|place| copy.call::<Lv>(record.raw_get::<Lv>(place.as_str())?)).transpose()?;
            let luck = kit.context.borrow().keep_luck();
            kit.shared.raw_set("guarded", true)?;
            kit.shared.raw_set("quiet", true)?;
            let own: Function = self.machine.raw_get("own")?;
            own.call::<()>((&record, unit + 1))?;
            let guard: Function = kit.kit.raw_get("guard")?;
            let params: mlua::Table = self.machine.raw_get("P")?;
            let running = live.vm.guard(CALLBACK_BUDGET);
            let result = function.call::<()>((guard.call::<Lv>(&record)?, params.raw_get::<Lv>(unit + 1)?));
            drop(running);
            kit.shared.raw_set("guarded", false)?;
            kit.shared.raw_set("quiet", false)?;
            kit.context.borrow_mut().restore_luck(luck);
            if let (Some(place), Some(kept)) = (place, kept) {
                let restore: Function = kit.kit.raw_get("restore_fields")?;
                restore.call::<()>((record.raw_get::<Lv>(place.as_str())?, kept))?;
            }
            Ok(result.err())
        };
        // Without an explanation the error at hand is shown.
        try_again().ok().flatten()
    }

    #[expect(clippy::too_many_arguments, reason = "a fault has that many circumstances")]
    fn report(
        &mut self,
        live: &Live,
        world: &World,
        index: usize,
        slot: u32,
        callback: usize,
        error: &mlua::Error,
        leavings: &mut Leavings,
    ) {
        leavings.faults += 1;
        let agent = world.agents.id(slot);
        let code = fault::parts(error).code;
        if matches!(code, "time" | "memory") {
            leavings.stops.push(Stop { agent, callback, code });
        }
        if let Some(known) = self.reported.get(&callback) {
            known.clone().add_to(&mut leavings.problems);
            return;
        }
        let at = callback.wrapping_sub(1);
        let title = self.plan.callbacks.get(at).map_or("a callback", |callback| callback.title.as_str());
        let file = self.files.get(at).map_or("", String::as_str);
        let mut problem = fault::problem(error, file, &sources(live));
        if code == "time" {
            let line = problem.line.map_or_else(String::new, |line| format!(" at line {line}"));
            let budget = CALLBACK_BUDGET.as_millis();
            problem.message =
                format!("{title} of agent {} ran over its {budget} ms{line}; the other agents go on", agent.number());
        }
        if problem.line.is_none()
            && let Some(place) = self.places.get(at)
        {
            let line = place.rsplit(':').nth(1).and_then(|line| line.trim().parse().ok());
            problem.line = line;
        }
        let problem = problem
            .group(world.groups.get(index).map_or(self.name.as_str(), |group| group.name.as_str()))
            .agent(agent.number())
            .tick(world.tick)
            .callback(title.replace('`', ""));
        self.reported.insert(callback, problem.clone());
        problem.add_to(&mut leavings.problems);
    }
}

/// The problem of a call that is no agent's: a formation, a metric, a director.
pub(super) fn plain_problem(live: &Live, file: &str, callback: &str, tick: u64, error: &mlua::Error) -> Problem {
    let mut problem = fault::problem(error, file, &sources(live)).callback(callback.replace('`', "")).tick(tick);
    if fault::parts(error).code == "time" {
        let line = problem.line.map_or_else(String::new, |line| format!(" at line {line}"));
        problem.message = format!("{callback} ran over its {} ms{line}", CALLBACK_BUDGET.as_millis());
    }
    problem
}
