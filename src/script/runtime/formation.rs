//! Formations of scripts: many parameters of a curve, or all slots, in one crossing.

use std::collections::BTreeMap;

use glam::DVec3;
use mlua::{Function, Lua, Table, Value as Lv};

use super::bridge::{place_of, read_into};
use super::context::Turn;
use super::engine::{CALLBACK_BUDGET, Runtime};
use super::faults::plain_problem;
use super::values::{number, to_lua};
use crate::scene::problem::Problem;
use crate::script::define::{Definition, FormationDef};
use crate::script::load::LoadedFile;
use crate::script::reload::Live;
use crate::sim::World;
use crate::steer::param::Value;

/// Parameters given to a formation, by name; the others keep the script's defaults.
pub type Given = [(String, Value)];

/// A place that `slots` listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listed {
    /// Where, in the formation's frame, metres.
    pub position: DVec3,
    /// Heading, radians, if the script gives one.
    pub heading: Option<f64>,
}

/// Parameter tables by formation, made anew when a value changes.
#[derive(Default)]
pub struct Formations {
    params: BTreeMap<String, (Vec<(String, Value)>, Table)>,
}

/// Points asked for in one call of Luau; more are asked for in several, so that each stays within its budget.
const MOST_POINTS: usize = 4096;

/// The formation of a name, with its file.
fn find<'a>(live: &'a Live, name: &str) -> Option<(&'a LoadedFile, &'a FormationDef)> {
    live.files.values().find_map(|loaded| match &loaded.definition {
        Definition::Formation(def) if def.name == name => Some((loaded, &**def)),
        _ => None,
    })
}

/// The table `p` for a definition: defaults of the script, over them what is given. Read-only.
pub(super) fn param_table(
    lua: &Lua,
    kit: &Table,
    specs: &[crate::steer::param::ParamSpec],
    given: &Given,
) -> mlua::Result<Table> {
    let make: Function = kit.raw_get("params")?;
    let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    let table: Table = make.call(names)?;
    for spec in specs {
        let value = given.iter().find(|(name, _)| *name == spec.name).map_or(&spec.default, |(_, value)| value);
        table.raw_set(spec.name.as_str(), to_lua(lua, value)?)?;
    }
    table.set_readonly(true);
    Ok(table)
}

impl Runtime {
    fn formation_params(&mut self, lua: &Lua, def: &FormationDef, given: &Given) -> mlua::Result<Table> {
        if let Some((known, table)) = self.formations.params.get(&def.name)
            && known.as_slice() == given
        {
            return Ok(table.clone());
        }
        let table = param_table(lua, &self.kit.kit, &def.params, given)?;
        self.formations.params.insert(def.name.clone(), (given.to_vec(), table.clone()));
        Ok(table)
    }

    /// Calls `work` for a formation's function under guard; errors come back as a problem.
    fn in_formation<R>(
        &mut self,
        live: &Live,
        world: Option<&World>,
        name: &str,
        callback: &str,
        given: &Given,
        work: impl FnOnce(&mut Self, &Function, &Table) -> mlua::Result<R>,
    ) -> Result<R, Box<Problem>> {
        let Some((loaded, def)) = find(live, name) else {
            return Err(Box::new(Problem::error(
                "unknown-formation",
                format!("no formation of a script is called `{name}`"),
            )));
        };
        let call = || -> mlua::Result<R> {
            let function: Function = loaded.table.raw_get(callback)?;
            let params = self.formation_params(live.vm.lua(), def, given)?;
            {
                let mut context = self.kit.context.borrow_mut();
                context.begin_turn(Turn::Observer(xxhash_rust::xxh3::xxh3_64(name.as_bytes())));
                context.clear_moment();
                context.about = Some(function.clone());
            }
            let running = live.vm.guard(CALLBACK_BUDGET * 10);
            let result = work(self, &function, &params);
            drop(running);
            result
        };
        let result = call();
        self.kit.context.borrow_mut().about = None;
        result.map_err(|error| {
            live.vm.recover(&error);
            let tick = world.map_or(0, |world| world.tick);
            Box::new(plain_problem(live, &loaded.file, &format!("{callback} of `{name}`"), tick, &error))
        })
    }

    /// The points of a curve at the parameters `s`, in order. `time` is seconds since the formation was ordered.
    ///
    /// # Errors
    /// The script's fault, with its place.
    pub fn curve(
        &mut self,
        live: &Live,
        name: &str,
        given: &Given,
        time: f64,
        s: &[f64],
        out: &mut Vec<DVec3>,
    ) -> Result<(), Box<Problem>> {
        for part in s.chunks(MOST_POINTS) {
            let points = self.in_formation(live, None, name, "curve", given, |runtime, function, params| {
                let lua = live.vm.lua();
                let bytes: Vec<u8> = part.iter().flat_map(|s| s.to_le_bytes()).collect();
                let input = lua.create_buffer(&bytes)?;
                let output = lua.create_buffer_with_capacity(part.len() * 24)?;
                let run: Function = runtime.kit.kit.raw_get("curve")?;
                run.call::<()>((function, params, time, input, &output, part.len()))?;
                let mut bytes = vec![0; part.len() * 24];
                read_into(&output, &mut bytes);
                Ok(numbers(&bytes))
            })?;
            out.extend(points.chunks_exact(3).map(|point| DVec3::new(point[0], point[1], point[2])));
        }
        Ok(())
    }

    /// The bounds of a curve's parameter; none if the script does not bound it.
    ///
    /// # Errors
    /// The script's fault, with its place.
    pub fn range(&mut self, live: &Live, name: &str, given: &Given) -> Result<Option<(f64, f64)>, Box<Problem>> {
        if !find(live, name).is_some_and(|(_, def)| def.range) {
            return Ok(None);
        }
        self.in_formation(live, None, name, "range", given, |_, function, params| {
            let (from, to): (Lv, Lv) = function.call(params)?;
            match (number(&from), number(&to)) {
                (Some(from), Some(to)) => Ok(Some((from, to))),
                _ => Err(mlua::Error::RuntimeError(format!(
                    "{}range must return two numbers, from and to, got {} and {}",
                    place_of(function),
                    from.type_name(),
                    to.type_name()
                ))),
            }
        })
    }

    /// The places that `slots` lists for `n` agents; it may list fewer, and what is beyond `n` is left out.
    ///
    /// # Errors
    /// The script's fault, with its place.
    pub fn slots(
        &mut self,
        live: &Live,
        name: &str,
        given: &Given,
        time: f64,
        n: usize,
    ) -> Result<Vec<Listed>, Box<Problem>> {
        self.in_formation(live, None, name, "slots", given, |runtime, function, params| {
            let lua = live.vm.lua();
            let output = lua.create_buffer_with_capacity(n.max(1) * 32)?;
            let run: Function = runtime.kit.kit.raw_get("slots")?;
            let count: usize = run.call((function, n, params, time, &output))?;
            if count < n {
                return Err(mlua::Error::RuntimeError(format!(
                    "{}slots gave {count} places for {n} agents",
                    place_of(function)
                )));
            }
            let mut bytes = vec![0; n * 32];
            read_into(&output, &mut bytes);
            let places = numbers(&bytes);
            let places = places.chunks_exact(4).map(|place| Listed {
                position: DVec3::new(place[0], place[1], place[2]),
                heading: Some(place[3]).filter(|heading| !heading.is_nan()),
            });
            Ok(places.collect())
        })
    }

    /// What a formation is: `slots` or `curve`, closed, moving.
    #[expect(clippy::unused_self, reason = "asked of the runtime like its other questions")]
    pub fn formation<'a>(&self, live: &'a Live, name: &str) -> Option<&'a FormationDef> {
        find(live, name).map(|(_, def)| def)
    }
}

fn numbers(bytes: &[u8]) -> Vec<f64> {
    let words = bytes.chunks_exact(8).map(|word| {
        let mut number = [0; 8];
        number.copy_from_slice(word);
        f64::from_le_bytes(number)
    });
    words.collect()
}
