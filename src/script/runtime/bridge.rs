//! Installs the prelude and the host functions under it. Once per machine, before the sandbox closes.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Buffer, Function, Lua, Table, Value as Lv, Vector};

use super::context::{Context, MOST_NOTES, Mark, Note, SoftFault};
use super::fields::{AgentField, Shape};
use super::request::{DirectorCommand, DirectorOrder, Whom};
use super::values::{dvec3, from_lua, named, to_lua, vector};
use crate::script::api;
use crate::sim::command::check_point;
use crate::sim::mind::Recipient;
use crate::sim::obstacle::Hit;
use crate::sim::{Act, AgentId, GroupId, Neighbor, NeighborFilter, World, rng};
use crate::steer::law;
use crate::steer::nearest::did_you_mean;
use crate::steer::param::Value;

/// What Rust holds of the prelude.
#[derive(Clone)]
#[expect(clippy::struct_field_names, reason = "`kit` is the prelude's own name for its table")]
pub struct Kit {
    /// Everything that the prelude returned.
    pub kit: Table,
    /// The state between Rust and Luau.
    pub shared: Table,
    /// The table `yard`.
    pub yard: Table,
    /// What host functions see.
    pub context: Rc<RefCell<Context>>,
}

const PRELUDE: &str = include_str!("prelude.luau");

/// Puts helpers, steering, drawing, luck and log into `yard` and keeps the rest with the machine as [`Kit`].
///
/// # Errors
/// When Luau cannot be set up, which is a fault of this program.
pub fn install(lua: &Lua, yard: &Table) -> mlua::Result<()> {
    let host = lua.create_table()?;
    let cur = lua.create_buffer_with_capacity(20)?;
    // The prelude makes the shared table; until then functions see an empty one.
    let context = Rc::new(RefCell::new(Context::new(lua, lua.create_table()?, cur.clone())?));
    messages(lua, &host, &context)?;
    queries(lua, &host, &context)?;
    intents(lua, &host, &context)?;
    luck(lua, &host, &context)?;
    notes(lua, &host, &context)?;
    directing(lua, &host, &context)?;
    let math: Table = lua.globals().raw_get("math")?;
    let chunk = lua.load(PRELUDE).set_name("=prelude").set_mode(ChunkMode::Text);
    let kit: Table = chunk.call((host, yard, math, cur.clone()))?;
    let shared: Table = kit.raw_get("S")?;
    {
        let mut context = context.borrow_mut();
        shared.raw_set("rows", &context.rows)?;
        context.shared = shared.clone();
    }
    lua.set_app_data(Kit { kit, shared, yard: yard.clone(), context });
    Ok(())
}

pub(super) type Shared = Rc<RefCell<Context>>;

/// A host function that sees the context.
pub(super) fn add<A, R>(
    lua: &Lua,
    host: &Table,
    name: &str,
    context: &Shared,
    body: impl Fn(&Lua, &mut Context, A) -> mlua::Result<R> + 'static,
) -> mlua::Result<()>
where
    A: mlua::FromLuaMulti,
    R: mlua::IntoLuaMulti,
{
    let context = Rc::clone(context);
    let function = lua.create_function(move |lua, args: A| {
        let mut context =
            context.try_borrow_mut().map_err(|_busy| mlua::Error::runtime("a host function called another"))?;
        body(lua, &mut context, args)
    })?;
    host.raw_set(name, function)
}

fn messages(lua: &Lua, host: &Table, context: &Shared) -> mlua::Result<()> {
    host.raw_set("refuse", api::refuse(lua)?)?;
    let near = lua.create_function(|_, (name, known): (String, Vec<String>)| {
        Ok(did_you_mean(&name, known.iter().map(String::as_str)))
    })?;
    host.raw_set("near", near)?;
    let rawset = lua.create_function(|_, (table, key, value): (Table, Lv, Lv)| table.raw_set(key, value))?;
    host.raw_set("rawset", rawset)?;
    add(lua, host, "callback_name", context, |_, context, number: usize| {
        Ok(number
            .checked_sub(1)
            .and_then(|at| context.callbacks.get(at))
            .map_or_else(String::new, |callback| callback.title.clone()))
    })?;
    add(lua, host, "force_name", context, |_, context, number: usize| {
        let callback = number.checked_sub(1).and_then(|at| context.callbacks.get(at));
        Ok(callback.map_or_else(String::new, |callback| {
            if callback.force.is_empty() { callback.title.clone() } else { format!("force `{}`", callback.force) }
        }))
    })?;
    add(lua, host, "agent_number", context, |_, context, ()| {
        let slot = context.slot();
        Ok(context.world.as_ref().map_or(0.0, |world| world.agents.id(slot).number()))
    })?;
    add(lua, host, "fail", context, |_, context, (number, message): (usize, String)| -> mlua::Result<()> {
        Err(at_callback(context, number, &message))
    })?;
    add(lua, host, "misfit", context, |_, context, (number, message): (usize, String)| -> mlua::Result<()> {
        context.misfit = true;
        Err(at_callback(context, number, &message))
    })?;
    add(lua, host, "fail_file", context, |_, context, message: String| -> mlua::Result<()> {
        let place = context.about.as_ref().map_or_else(String::new, place_of);
        Err(mlua::Error::RuntimeError(format!("{place}{message}")))
    })?;
    add(lua, host, "soft_fault", context, |lua, context, (callback, error): (usize, Lv)| {
        let error = match error {
            Lv::Error(error) => *error,
            Lv::String(text) => {
                let text = text.to_string_lossy();
                let placed = text.contains(".luau:") || text.contains(".lua:");
                let place = if placed { String::new() } else { place_at(context, callback) };
                mlua::Error::RuntimeError(format!("{place}{text}"))
            }
            other => mlua::Error::RuntimeError(format!(
                "{}error(…) was given a {}",
                place_at(context, callback),
                other.type_name()
            )),
        };
        let slot = context.slot();
        context.soft.push(SoftFault { callback, slot, error });
        if let Some(records) = &context.records {
            switch_off(lua, records, slot, callback)?;
        }
        Ok(())
    })?;
    add(lua, host, "text", context, |_, context, text: String| {
        let known = context.texts.iter().position(|known| *known == text);
        Ok(known.unwrap_or_else(|| {
            context.texts.push(text);
            context.texts.len() - 1
        }))
    })?;
    add(lua, host, "transition", context, |_, context, line: u32| {
        let slot = context.slot();
        context.transitions.push((line - 1, slot));
        Ok(())
    })
}

fn place_at(context: &Context, number: usize) -> String {
    number.checked_sub(1).and_then(|at| context.places.get(at)).cloned().unwrap_or_default()
}

fn at_callback(context: &Context, number: usize, message: &str) -> mlua::Error {
    mlua::Error::RuntimeError(format!("{}{message}", place_at(context, number)))
}

/// `file:line: ` of a function's head.
pub fn place_of(function: &Function) -> String {
    let info = function.info();
    match (info.short_src, info.line_defined) {
        (Some(source), Some(line)) => format!("{source}:{line}: "),
        _ => String::new(),
    }
}

/// Turns a callback off for the agent in a slot.
pub fn switch_off(lua: &Lua, records: &Table, slot: u32, callback: usize) -> mlua::Result<()> {
    let Lv::Table(record) = records.raw_get::<Lv>(slot + 1)? else { return Ok(()) };
    let off = if let Lv::Table(off) = record.raw_get::<Lv>("@off")? {
        off
    } else {
        let off = lua.create_table()?;
        record.raw_set("@off", &off)?;
        off
    };
    off.raw_set(callback, true)
}

/// The filter for a group by name: none is the agent's own, "any" is all. `Err` for a group that the scene lacks.
fn group_filter(context: &mut Context, world: &World, slot: u32, name: Option<&str>) -> Option<NeighborFilter> {
    let own = world.agents.group.get(slot as usize).copied()?;
    let filter = filter_of(world, own, name);
    if let Some(name) = name.filter(|name| filter.is_none() && !context.unknown_groups.contains(*name)) {
        context.unknown_groups.insert(name.to_owned());
    }
    filter
}

/// The filter for a group by name, for an agent of group `own`; none for a group that the scene lacks.
pub fn filter_of(world: &World, own: GroupId, name: Option<&str>) -> Option<NeighborFilter> {
    let group = match name {
        None => Some(own),
        Some("any") => None,
        Some(name) => Some(world.group_named(name)?.id),
    };
    Some(NeighborFilter { group, ..NeighborFilter::default() })
}

fn queries(lua: &Lua, host: &Table, context: &Shared) -> mlua::Result<()> {
    add(lua, host, "neighbors", context, |lua, context, args: (u32, f64, Option<mlua::LuaString>, Option<f64>)| {
        let (slot, radius, group, half_angle) = args;
        let Some(world) = context.world.clone() else { return Ok(0) };
        let name = group.as_ref().map(|name| name.to_string_lossy());
        let Some(filter) = group_filter(context, &world, slot, name.as_deref()) else { return Ok(0) };
        if radius.is_nan() || radius < 0.0 {
            return Ok(0);
        }
        context.asked.note(radius, name.as_deref(), half_angle);
        let mut found = std::mem::take(&mut context.neighbors);
        world.neighbors(slot, radius, NeighborFilter { half_angle, ..filter }, &mut found);
        context.neighbors = found;
        context.give_neighbors(lua, slot)
    })?;
    add(lua, host, "nearest", context, |lua, context, (slot, group, radius): (u32, String, f64)| {
        let Some(world) = context.world.clone() else { return Ok(0) };
        let Some(filter) = group_filter(context, &world, slot, Some(&group)) else { return Ok(0) };
        if radius.is_nan() || radius < 0.0 {
            return Ok(0);
        }
        let mut found = std::mem::take(&mut context.neighbors);
        world.neighbors(slot, radius, NeighborFilter { max: Some(1), ..filter }, &mut found);
        context.neighbors = found;
        context.give_neighbors(lua, slot)
    })?;
    add(lua, host, "find", context, |lua, context, (slot, id): (u32, f64)| {
        let Some(world) = context.world.clone() else { return Ok(0) };
        let found = AgentId::from_number(id).and_then(|id| world.agents.find(id));
        one_row(lua, context, &world, slot, found.map(|found| found as u32))
    })?;
    add(lua, host, "leader", context, |lua, context, slot: u32| {
        let Some(world) = context.world.clone() else { return Ok(0) };
        let group = world.agents.group.get(slot as usize).copied();
        let leader = group.and_then(|group| world.leader_of(group)).filter(|leader| *leader != slot);
        one_row(lua, context, &world, slot, leader)
    })?;
    add(lua, host, "obstacles", context, |lua, context, (slot, radius, names): (u32, f64, Table)| {
        let Some(world) = context.world.clone() else { return Ok(0) };
        let mut hits: Vec<Hit> = std::mem::take(&mut context.hits);
        world.obstacles.within(world.agents.position[slot as usize], radius, &mut hits);
        for (index, hit) in hits.iter().enumerate() {
            names.raw_set(index + 1, world.obstacles.get(hit.id).map_or("", |obstacle| obstacle.name.as_str()))?;
        }
        context.hits = hits;
        context.give_hits(lua)
    })?;
    add(lua, host, "sees", context, |_, context, (slot, point): (u32, Vector)| {
        let Some(world) = &context.world else { return Ok(false) };
        Ok(world.obstacles.sees(world.agents.position[slot as usize], dvec3(point)))
    })?;
    add(lua, host, "path", context, |lua, context, slot: u32| {
        let points = lua.create_table()?;
        let course = context.world.as_ref().and_then(|world| world.agents.course.get(slot as usize));
        for (index, point) in course.map_or(&[][..], |course| course.ahead()).iter().enumerate() {
            points.raw_set(index + 1, vector(*point))?;
        }
        Ok(points)
    })?;
    add(lua, host, "agent_field", context, |lua, context, (slot, key): (u32, String)| {
        let Some(world) = &context.world else { return Ok(Lv::Nil) };
        agent_field(lua, world, slot, &key)
    })?;
    add(lua, host, "row_field", context, |lua, context, (from, slot, key): (u32, u32, String)| {
        let Some(world) = &context.world else { return Ok(Lv::Nil) };
        row_field(lua, world, from, slot, &key)
    })?;
    add(lua, host, "body", context, |_, context, slot: u32| {
        let Some(world) = &context.world else { return Ok((0.0, 0.0, 0.0, 1.0)) };
        let slot = slot as usize;
        let body = &world.group_of(slot).body;
        let braking = (law::BRAKING_SHARE * world.agents.max_acceleration[slot]).max(1e-6);
        let relaxation = body.relaxation.max(1e-3);
        let response = relaxation + world.agents.lag[slot] + world.agents.dead_time[slot];
        Ok((world.agents.max_speed[slot], braking, response, relaxation))
    })?;
    add(lua, host, "group_of", context, |_, context, slot: u32| {
        let Some(world) = &context.world else { return Ok(0) };
        Ok(world.agents.group.get(slot as usize).map_or(0, |group| group.index()))
    })
}

fn one_row(lua: &Lua, context: &mut Context, world: &World, from: u32, found: Option<u32>) -> mlua::Result<usize> {
    context.neighbors.clear();
    if let Some(slot) = found {
        context.neighbors.push(neighbor(world, from, slot));
    }
    context.give_neighbors(lua, from)
}

fn neighbor(world: &World, from: u32, slot: u32) -> Neighbor {
    let (here, there) = (world.agents.position.get(from as usize), world.agents.position[slot as usize]);
    let offset = here.map_or(glam::DVec3::ZERO, |here| world.offset(*here, there));
    Neighbor { slot, offset, distance: offset.length() }
}

/// A field that the loop does not keep in the record.
fn agent_field(lua: &Lua, world: &World, slot: u32, key: &str) -> mlua::Result<Lv> {
    let at = slot as usize;
    if at >= world.agents.slots() {
        return Ok(Lv::Nil);
    }
    match key {
        "goal" => {
            let goal = world.agents.goal[at].or_else(|| world.group_of(at).goal);
            return Ok(goal.map_or(Lv::Nil, |goal| Lv::Vector(vector(goal))));
        }
        "stop" => {
            let stop = world.agents.visit[at].stop.and_then(|stop| world.stops.get(usize::from(stop)));
            return stop.map_or(Ok(Lv::Nil), |name| Ok(Lv::String(lua.create_string(name)?)));
        }
        "path_state" => return Ok(Lv::String(lua.create_string(world.agents.course[at].state.word())?)),
        "group" => return Ok(Lv::String(lua.create_string(&world.group_of(at).name)?)),
        "state_time" => {
            let ticks = world.tick.saturating_sub(world.agents.state_since[at]);
            return Ok(Lv::Number(ticks as f64 * world.dt()));
        }
        _ => {}
    }
    let Some(field) = AgentField::named(key) else { return Ok(Lv::Nil) };
    Ok(match field.shape() {
        Shape::Vector => Lv::Vector(vector(field.vector(world, at))),
        Shape::Number => Lv::Number(field.number(world, at)),
        Shape::Flag => Lv::Boolean(field.number(world, at) == 1.0),
    })
}

/// A field of a row that no script of the program mentions by name.
fn row_field(lua: &Lua, world: &World, from: u32, slot: u32, key: &str) -> mlua::Result<Lv> {
    let at = slot as usize;
    if at >= world.agents.slots() {
        return Ok(Lv::Nil);
    }
    let seen = neighbor(world, from, slot);
    Ok(match key {
        "id" => Lv::Number(world.agents.id(slot).number()),
        "group" => Lv::String(lua.create_string(&world.group_of(at).name)?),
        "position" => Lv::Vector(vector(world.agents.position[at])),
        "velocity" => Lv::Vector(vector(world.agents.velocity[at])),
        "speed" => Lv::Number(world.agents.speed(at)),
        "heading" => Lv::Number(world.agents.heading[at]),
        "forward" => Lv::Vector(vector(world.agents.forward(at))),
        "radius" => Lv::Number(world.agents.radius[at]),
        "offset" => Lv::Vector(vector(seen.offset)),
        "distance" => Lv::Number(seen.distance),
        "direction" => Lv::Vector(vector(super::context::direction(from, &seen))),
        _ => Lv::Nil,
    })
}

/// Messages of one agent in one tick, at most: each of them may reach a whole group.
const MOST_SENT: usize = 1000;

fn intents(lua: &Lua, host: &Table, context: &Shared) -> mlua::Result<()> {
    add(lua, host, "send", context, |lua, context, (slot, to, name, value): (u32, Lv, String, Lv)| {
        let Some(from) = context.world.as_ref().map(|world| world.agents.id(slot)) else { return Ok(()) };
        let to = match whom(&to) {
            Some(Whom::Agent(id)) => Recipient::Agent(id),
            Some(Whom::Group(name)) => Recipient::Group(name),
            // 0 is nobody: the message goes nowhere, as one to an agent that is gone.
            None => return Ok(()),
        };
        // What one agent sends stands together.
        let first = context.acts.len().checked_sub(MOST_SENT).and_then(|first| context.acts.get(first));
        if matches!(first, Some(Act::Send { from: sender, .. }) if *sender == from) {
            let message =
                format!("an agent sends at most {MOST_SENT} messages in a tick; one to a group reaches all of it");
            return Err(api::error_at_caller(lua, &message));
        }
        context.acts.push(Act::Send { from, to, name, value: from_lua(&value) });
        Ok(())
    })?;
    add(lua, host, "go", context, |lua, context, (slot, point): (u32, Option<Vector>)| {
        let goal = point.map(dvec3);
        if let Some(error) = goal.and_then(|goal| check_point("the point that agent:go takes", goal).err()) {
            return Err(api::error_at_caller(lua, &error.to_string()));
        }
        if let Some(id) = context.world.as_ref().map(|world| world.agents.id(slot)) {
            context.acts.push(Act::Go(id, goal));
        }
        Ok(())
    })?;
    super::journey::functions(lua, host, context)?;
    add(lua, host, "leave", context, |_, context, slot: u32| {
        if let Some(id) = context.world.as_ref().map(|world| world.agents.id(slot)) {
            context.acts.push(Act::Remove(id));
        }
        Ok(())
    })
}

fn whom(value: &Lv) -> Option<Whom> {
    match from_lua(value)? {
        Value::Number(number) => AgentId::from_number(number).map(Whom::Agent),
        Value::Text(name) => Some(Whom::Group(name)),
        _ => None,
    }
}

fn luck(lua: &Lua, host: &Table, context: &Shared) -> mlua::Result<()> {
    add(lua, host, "unit", context, |_, context, slot: u32| Ok(context.luck(slot).unit()))?;
    add(lua, host, "normal", context, |_, context, slot: u32| Ok(context.luck(slot).normal(0.0, 1.0)))?;
    add(lua, host, "steady", context, |_, context, (a, b, c): (f64, f64, f64)| {
        let seed = context.world.as_ref().map_or(0, |world| world.settings.seed);
        // Whole numbers are meant; the cast saturates.
        let whole = |number: f64| number.floor() as i64;
        Ok(rng::steady(seed, [whole(a), whole(b), whole(c)]))
    })?;
    add(lua, host, "integer", context, |_, context, (slot, low, high): (u32, f64, f64)| {
        // As in math.random, ends are whole numbers; the cast saturates.
        Ok(context.luck(slot).integer(low.floor() as i64, high.floor() as i64) as f64)
    })
}

fn notes(lua: &Lua, host: &Table, context: &Shared) -> mlua::Result<()> {
    add(lua, host, "log", context, |lua, context, text: String| {
        if context.log.len() < MOST_NOTES {
            let place = api::caller(lua);
            context.log.push(Note { place: place.trim_end_matches([':', ' ']).to_owned(), text });
        }
        Ok(())
    })?;
    add(lua, host, "plot", context, |_, context, (name, value): (String, f64)| {
        if context.plots.len() < MOST_NOTES {
            context.plots.push((name, value));
        }
        Ok(())
    })?;
    add(lua, host, "draw", context, |_, context, args: (String, Vector, Vector, f64, Lv, String)| {
        let (kind, from, to, radius, color, text) = args;
        if context.marks.len() < MOST_NOTES {
            let (from, to) = (dvec3(from), dvec3(to));
            context.marks.push(Mark { kind, from, to, radius, color: color_of(&color), text });
        }
        Ok(())
    })
}

/// Names of the category palette, in its order.
const COLORS: [&str; 8] = ["blue", "orange", "green", "red", "purple", "brown", "pink", "gray"];

fn color_of(color: &Lv) -> usize {
    match from_lua(color) {
        Some(Value::Number(number)) => number.max(0.0) as usize,
        Some(Value::Text(name)) => COLORS.iter().position(|known| *known == name).unwrap_or(0),
        _ => 0,
    }
}

fn directing(lua: &Lua, host: &Table, context: &Shared) -> mlua::Result<()> {
    add(lua, host, "group_rows", context, |lua, context, name: String| {
        let Some(world) = context.world.clone() else { return Ok(0) };
        context.neighbors.clear();
        match world.group_named(&name) {
            Some(group) => {
                let rows = group.members.iter().map(|slot| neighbor(&world, u32::MAX, *slot));
                context.neighbors.extend(rows);
            }
            None => drop(context.unknown_groups.insert(name)),
        }
        context.give_neighbors(lua, u32::MAX)
    })?;
    add(lua, host, "spawn", context, |lua, context, args: (String, f64, Vector, f64, Table)| {
        let (group, count, at, radius, params) = args;
        let known = context.world.as_ref().is_some_and(|world| world.group_named(&group).is_some());
        if !known {
            let world = context.world.clone();
            let names: Vec<&str> =
                world.iter().flat_map(|world| &world.groups).map(|group| group.name.as_str()).collect();
            let near = did_you_mean(&group, names);
            return Err(api::error_at_caller(lua, &format!("the scene has no group `{group}`{near}")));
        }
        if !(0.0..=100_000.0).contains(&count) {
            return Err(api::error_at_caller(lua, &format!("count of world:spawn is from 0 to 100000, got {count}")));
        }
        let ids: Vec<AgentId> = (0..count.round() as usize).map(|_| context.reservation.take()).collect();
        let numbers: Vec<f64> = ids.iter().map(|id| id.number()).collect();
        let (params, _) = named(&params);
        let command = DirectorCommand::Spawn { group, at: dvec3(at), radius: radius.max(0.0), params, ids };
        context.commands.push(DirectorOrder { command, place: place(lua) });
        Ok(numbers)
    })?;
    add(lua, host, "command", context, |lua, context, args: (String, Lv, Lv, Lv, Option<Table>)| {
        let (kind, first, second, value, table) = args;
        let command = command(lua, &kind, &first, &second, &value, table.as_ref())?;
        if let DirectorCommand::Remove(whom) = &command {
            reserve_removed(context, whom);
        }
        context.commands.push(DirectorOrder { command, place: place(lua) });
        Ok(())
    })
}

/// The line that gives a command, for what is found wrong with it when it is done.
fn place(lua: &Lua) -> String {
    api::caller(lua).trim_end_matches([':', ' ']).to_owned()
}

fn reserve_removed(context: &mut Context, whom: &Whom) {
    let Some(world) = context.world.clone() else { return };
    match whom {
        Whom::Agent(id) if world.agents.find(*id).is_some() => context.reservation.give_back(*id),
        Whom::Agent(_) => {}
        Whom::Group(name) => {
            for slot in world.group_named(name).map_or(&[][..], |group| &group.members) {
                context.reservation.give_back(world.agents.id(*slot));
            }
        }
    }
}

fn text_of(value: &Lv) -> String {
    if let Some(Value::Text(text)) = from_lua(value) { text } else { String::new() }
}

fn command(
    lua: &Lua,
    kind: &str,
    first: &Lv,
    second: &Lv,
    value: &Lv,
    table: Option<&Table>,
) -> mlua::Result<DirectorCommand> {
    let nobody = || api::error_at_caller(lua, "0 is nobody: there is no such agent");
    let plain = from_lua(value);
    Ok(match kind {
        "remove" => DirectorCommand::Remove(whom(first).ok_or_else(nobody)?),
        "send" => DirectorCommand::Send { to: whom(first).ok_or_else(nobody)?, name: text_of(second), value: plain },
        "form" => {
            let (params, others) = table.map(named).unwrap_or_default();
            if let Some(other) = others.first() {
                return Err(api::error_at_caller(lua, &format!("parameter `{other}` of world:form is no plain value")));
            }
            DirectorCommand::Form { group: text_of(first), formation: text_of(second), params }
        }
        "march" => {
            let (Some(Value::Number(speed)), Some(Value::Number(turn))) = (from_lua(second), plain) else {
                return Err(api::error_at_caller(lua, "world:march takes a group, a speed and a turn rate"));
            };
            if !(0.0..=100.0).contains(&speed) || turn.is_nan() || turn.abs() > std::f64::consts::TAU {
                let text = "world:march takes a speed from 0 to 100 m/s and a turn rate of up to a turn per second";
                return Err(api::error_at_caller(lua, text));
            }
            DirectorCommand::March { group: text_of(first), speed, turn }
        }
        "set" => DirectorCommand::Set { address: text_of(first), value: plain.unwrap_or(Value::Number(0.0)) },
        "open" => DirectorCommand::Open(text_of(first)),
        "close" => DirectorCommand::Close(text_of(first)),
        "place" => {
            let (mut values, others) = table.map(named).unwrap_or_default();
            let kind = values.iter().position(|(name, _)| name == "kind").map(|at| values.remove(at).1.to_string());
            let Some(kind) = kind else {
                return Err(api::error_at_caller(lua, "world:place needs kind = \"disc\", \"box\", \"wall\", …"));
            };
            let points = match table.filter(|_| others.contains(&"points".to_owned())) {
                Some(table) => table.raw_get::<Vec<Vector>>("points")?.into_iter().map(dvec3).collect(),
                None => Vec::new(),
            };
            DirectorCommand::Place { name: text_of(first), kind, values, points }
        }
        _ => {
            let to = if let Some(Value::Vector(to)) = plain { to } else { glam::DVec3::ZERO };
            DirectorCommand::Move { name: text_of(first), to }
        }
    })
}

/// An event as handlers get it.
pub fn event(lua: &Lua, kit: &Kit, name: &str, value: Option<&Value>, from: Option<AgentId>) -> mlua::Result<Lv> {
    let make: Function = kit.kit.raw_get("event")?;
    let value = value.map_or(Ok(Lv::Nil), |value| to_lua(lua, value))?;
    make.call((name, value, from.map_or(0.0, AgentId::number)))
}

/// Copies bytes out of a buffer; the length is the vector's.
pub fn read_into(buffer: &Buffer, out: &mut [u8]) {
    use std::io::Read as _;
    // Buffers answer as many bytes as they have, and the caller asks for no more.
    drop(buffer.clone().cursor().read_exact(out));
}
