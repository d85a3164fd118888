//! Directors of scripts: they see the world before the sense stage and order what shall happen.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::{Function, Table, Value as Lv};

use super::bridge;
use super::context::Turn;
use super::engine::{ALL_ROWS, CALLBACK_BUDGET, Runtime};
use super::faults::plain_problem;
use super::formation::{Given, param_table};
use super::memory::Datum;
use super::metric::{check_memory, declared, export_table, import_table, use_own_rows};
use super::request::{Direction, Press};
use super::spawn::Reservation;
use crate::script::define::{Definition, DirectorDef};
use crate::script::load::LoadedFile;
use crate::script::reload::Live;
use crate::sim::World;
use crate::steer::param::Value;

/// A director of the scene.
struct Seat {
    name: String,
    memory: Table,
    kinds: Table,
    params: Table,
    given: Vec<(String, Value)>,
    started: bool,
    /// Callbacks that faulted.
    off: Vec<String>,
}

/// The directors of the scene, in its order.
#[derive(Default)]
pub struct Directors {
    seats: Vec<Seat>,
}

/// What a director keeps: its name, whether it has started, its memory.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectorState {
    /// Which.
    pub name: String,
    /// Whether `start` was called.
    pub started: bool,
    /// Its memory.
    pub memory: BTreeMap<String, Datum>,
}

fn find<'a>(live: &'a Live, name: &str) -> Option<(&'a LoadedFile, &'a DirectorDef)> {
    live.files.values().find_map(|loaded| match &loaded.definition {
        Definition::Director(def) if def.name == name => Some((loaded, &**def)),
        _ => None,
    })
}

impl Runtime {
    /// Takes the scene's directors, each with its parameters, and what they kept before a reload.
    ///
    /// # Errors
    /// When the machine is out of order. A default function that fails leaves its director out.
    pub fn seat_directors(
        &mut self,
        live: &Live,
        wanted: &[(String, Vec<(String, Value)>)],
        kept: &[DirectorState],
    ) -> mlua::Result<()> {
        self.directors.seats.clear();
        for (name, given) in wanted {
            let Some((loaded, def)) = find(live, name) else { continue };
            let params = param_table(live.vm.lua(), &self.kit.kit, &def.params, given)?;
            let running = live.vm.guard(CALLBACK_BUDGET);
            let made = declared(live, &self.kit.kit, loaded, &def.memory, "world.memory", &params);
            drop(running);
            let (memory, kinds) = made?;
            let old = kept.iter().find(|state| state.name == *name);
            if let Some(old) = old {
                import_table(live, &memory, &kinds, &old.memory)?;
            }
            self.directors.seats.push(Seat {
                name: name.clone(),
                memory,
                kinds,
                params,
                given: given.clone(),
                started: old.is_some_and(|old| old.started),
                off: Vec::new(),
            });
        }
        Ok(())
    }

    /// Gives a director other parameters, from its next call on.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn set_director(&mut self, live: &Live, name: &str, given: &Given) -> mlua::Result<()> {
        let Some((_, def)) = find(live, name) else { return Ok(()) };
        for seat in self.directors.seats.iter_mut().filter(|seat| seat.name == name && seat.given.as_slice() != given) {
            seat.params = param_table(live.vm.lua(), &self.kit.kit, &def.params, given)?;
            seat.given = given.to_vec();
        }
        Ok(())
    }

    /// What directors keep.
    pub fn export_directors(&self) -> Vec<DirectorState> {
        let seats = self.directors.seats.iter();
        seats
            .map(|seat| DirectorState {
                name: seat.name.clone(),
                started: seat.started,
                memory: export_table(&seat.memory),
            })
            .collect()
    }

    /// Lets all directors act: those that are new start, then each hears its events, then ticks.
    ///
    /// # Errors
    /// When the machine is out of order; scripts' own errors are faults in the answer.
    pub fn direct(&mut self, live: &Live, world: &Arc<World>, presses: &[Press]) -> mlua::Result<Direction> {
        let mut direction = Direction::default();
        if self.directors.seats.is_empty() {
            return Ok(direction);
        }
        self.begin_tick(live, world)?;
        self.kit.context.borrow_mut().reservation = Reservation::of(&world.agents);
        let stage: Table = self.kit.kit.raw_get("world")?;
        for index in 0..self.directors.seats.len() {
            let name = self.directors.seats[index].name.clone();
            let Some((loaded, def)) = find(live, &name) else { continue };
            {
                let mut context = self.kit.context.borrow_mut();
                context.begin_turn(Turn::Director(index as u64));
                context.row_bits = ALL_ROWS;
                context.records = None;
                context.clear_moment();
            }
            if !self.directors.seats[index].started {
                self.directors.seats[index].started = true;
                if def.start {
                    let function: Function = loaded.table.raw_get("start")?;
                    self.cue(live, world, index, loaded, "start", &function, &stage, Lv::Nil, &mut direction)?;
                }
            }
            for press in presses.iter().filter(|press| press.director.is_empty() || press.director == name) {
                if !def.on.contains(&press.name) {
                    continue;
                }
                let on: Table = loaded.table.raw_get("on")?;
                let function: Function = on.raw_get(press.name.as_str())?;
                let event = bridge::event(live.vm.lua(), &self.kit, &press.name, press.value.as_ref(), None)?;
                self.cue(
                    live,
                    world,
                    index,
                    loaded,
                    &format!("on.{}", press.name),
                    &function,
                    &stage,
                    event,
                    &mut direction,
                )?;
            }
            if def.tick {
                let function: Function = loaded.table.raw_get("tick")?;
                self.cue(live, world, index, loaded, "tick", &function, &stage, Lv::Nil, &mut direction)?;
            }
        }
        direction.commands = std::mem::take(&mut self.kit.context.borrow_mut().commands);
        self.collect(world, &mut direction.leavings);
        Ok(direction)
    }

    #[expect(clippy::too_many_arguments, reason = "all of them are one call's own")]
    fn cue(
        &mut self,
        live: &Live,
        world: &World,
        index: usize,
        loaded: &LoadedFile,
        callback: &str,
        function: &Function,
        stage: &Table,
        event: Lv,
        direction: &mut Direction,
    ) -> mlua::Result<()> {
        let seat = &mut self.directors.seats[index];
        if seat.off.iter().any(|off| off == callback) {
            return Ok(());
        }
        self.kit.shared.raw_set("world_memory", &seat.memory)?;
        use_own_rows(live, &self.kit.shared)?;
        let ordered = self.kit.context.borrow().commands.len();
        let running = live.vm.guard(CALLBACK_BUDGET * 4);
        let result = function.call::<()>((stage, &seat.params, event));
        drop(running);
        let result = result.and_then(|()| check_memory(&self.kit.kit, &seat.memory, &seat.kinds, function));
        if let Err(error) = result {
            live.vm.recover(&error);
            // What it ordered before the fault is not done: half a plan is none.
            self.kit.context.borrow_mut().commands.truncate(ordered);
            seat.off.push(callback.to_owned());
            direction.leavings.faults += 1;
            let title = format!("{callback} of `{}`", seat.name);
            plain_problem(live, &loaded.file, &title, world.tick, &error).add_to(&mut direction.leavings.problems);
        }
        Ok(())
    }
}
