//! Journeys as scripts give them: a list of names and choices becomes legs of the core.

use mlua::{Lua, Table, Value as Lv};

use super::bridge::{Shared, add};
use crate::script::api;
use crate::sim::{Act, Errand, Leg};
use crate::steer::nearest::did_you_mean;

/// Entries of one journey at most.
const MOST_LEGS: usize = 1000;

/// Installs `set_journey` and `skip_stop`.
pub(super) fn functions(lua: &Lua, host: &Table, context: &Shared) -> mlua::Result<()> {
    add(lua, host, "set_journey", context, |lua, context, (slot, journey, quiet): (u32, Table, Option<bool>)| {
        let Some(world) = context.world.clone() else { return Ok(()) };
        // A scene without stops has no journeys; a script that knows some runs there all the same.
        if world.stops.is_empty() {
            return Ok(());
        }
        let legs = legs(lua, &world.stops, &journey)?;
        if quiet != Some(true) {
            context.acts.push(Act::Travel(world.agents.id(slot), Errand::Set(legs)));
        }
        Ok(())
    })?;
    add(lua, host, "skip_stop", context, |_, context, slot: u32| {
        if let Some(id) = context.world.as_ref().map(|world| world.agents.id(slot)) {
            context.acts.push(Act::Travel(id, Errand::Skip));
        }
        Ok(())
    })
}

fn legs(lua: &Lua, stops: &[String], journey: &Table) -> mlua::Result<Vec<Leg>> {
    let count = journey.raw_len();
    if count > MOST_LEGS {
        let text = format!("a journey has at most {MOST_LEGS} entries, got {count}");
        return Err(api::error_at_caller(lua, &text));
    }
    (1..=count).map(|place| leg(lua, stops, &journey.raw_get(place)?)).collect()
}

fn leg(lua: &Lua, stops: &[String], entry: &Lv) -> mlua::Result<Leg> {
    const SHAPES: &str = "an entry of a journey is the name of a stop, {shuffle = {…}, take = 3}, {nearest = {…}}, \
                          {least_crowded = {…}} or {shares = {name = weight}}";
    let table = match entry {
        Lv::String(name) => return Ok(Leg::Stop(index(lua, stops, &name.to_str()?)?)),
        Lv::Table(table) => table,
        _ => return Err(api::error_at_caller(lua, SHAPES)),
    };
    let list = |key: &str| -> mlua::Result<Option<Vec<u16>>> {
        let Some(names) = table.raw_get::<Option<Table>>(key)? else { return Ok(None) };
        let names = names.sequence_values::<String>().take(MOST_LEGS);
        let indices = names.map(|name| index(lua, stops, &name?)).collect::<mlua::Result<Vec<u16>>>()?;
        if indices.is_empty() {
            return Err(api::error_at_caller(lua, &format!("`{key}` of a journey names no stop")));
        }
        Ok(Some(indices))
    };
    if let Some(of) = list("shuffle")? {
        let take = table.raw_get::<Option<f64>>("take")?.unwrap_or(of.len() as f64);
        if take.fract() != 0.0 || !(1.0..=of.len() as f64).contains(&take) {
            let text = format!("`take` of a journey is a whole number from 1 to {}, got {take}", of.len());
            return Err(api::error_at_caller(lua, &text));
        }
        return Ok(Leg::Shuffle(take as u32, of.into()));
    }
    if let Some(of) = list("nearest")? {
        return Ok(Leg::Nearest(of.into()));
    }
    if let Some(of) = list("least_crowded")? {
        return Ok(Leg::LeastCrowded(of.into()));
    }
    let Some(shares) = table.raw_get::<Option<Table>>("shares")? else {
        return Err(api::error_at_caller(lua, SHAPES));
    };
    // Tables have no order; that of the scene's stops stands for it.
    let mut weights: Vec<(u16, f64)> = Vec::new();
    for pair in shares.pairs::<String, f64>().take(MOST_LEGS) {
        let (name, weight) = pair?;
        if !(0.0..=1e9).contains(&weight) {
            return Err(api::error_at_caller(
                lua,
                &format!("the share of `{name}` is a number from 0 on, got {weight}"),
            ));
        }
        weights.push((index(lua, stops, &name)?, weight));
    }
    weights.sort_unstable_by_key(|(stop, _)| *stop);
    if weights.iter().all(|(_, weight)| *weight == 0.0) {
        return Err(api::error_at_caller(lua, "`shares` of a journey gives no stop a weight"));
    }
    Ok(Leg::Shares(weights.into()))
}

fn index(lua: &Lua, stops: &[String], name: &str) -> mlua::Result<u16> {
    let found = stops.iter().position(|known| known == name);
    found.and_then(|index| u16::try_from(index).ok()).ok_or_else(|| {
        let near = did_you_mean(name, stops.iter().map(String::as_str));
        api::error_at_caller(lua, &format!("the scene has no stop `{name}`{near}"))
    })
}
