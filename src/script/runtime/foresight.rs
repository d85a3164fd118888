//! Neighbor lists that scripts will ask for, looked up for a whole group before its scripts run.
//!
//! Scripts ask for the same neighbors tick after tick. What at least half of the members asked for in the last tick is looked
//! up for all of them at once, so that `agent:neighbors` answers from a buffer instead of crossing into the host for every
//! agent. It changes no result: whoever asks for anything else is answered as ever.

use std::ops::Range;

use mlua::{Buffer, Lua, Value as Lv};

use super::bridge::{Kit, filter_of};
use super::context::{Context, write_rows};
use crate::sim::{Group, Neighbor, NeighborFilter, World};

/// What `agent:neighbors` was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// m.
    pub radius: f64,
    /// A group's name, "any", or none for the agent's own.
    pub group: Option<String>,
    /// Radians.
    pub half_angle: Option<f64>,
}

/// How often the first query of a tick was asked in it, beside those that were foreseen.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    query: Option<Query>,
    times: usize,
}

impl Asked {
    /// The first query.
    pub fn first(self) -> Option<Query> {
        self.query
    }

    /// Notes a query that was not foreseen.
    pub fn note(&mut self, radius: f64, group: Option<&str>, half_angle: Option<f64>) {
        match &self.query {
            None => {
                self.query = Some(Query { radius, group: group.map(str::to_owned), half_angle });
                self.times = 1;
            }
            Some(query) => {
                let same = query.radius == radius && query.half_angle == half_angle && query.group.as_deref() == group;
                self.times += usize::from(same);
            }
        }
    }
}

/// A buffer of the machine that grows.
#[derive(Default)]
struct Held {
    buffer: Option<Buffer>,
    room: usize,
}

impl Held {
    /// Writes bytes, into a larger buffer where they need one.
    fn write(&mut self, lua: &Lua, bytes: &[u8]) -> mlua::Result<Lv> {
        if bytes.len() > self.room || self.buffer.is_none() {
            self.room = bytes.len().next_power_of_two().max(8);
            self.buffer = Some(lua.create_buffer_with_capacity(self.room)?);
        }
        let Some(buffer) = &self.buffer else { return Ok(Lv::Nil) };
        buffer.write_bytes(0, bytes);
        Ok(Lv::Buffer(buffer.clone()))
    }
}

/// What a group is expected to ask for, and the lists.
#[derive(Default)]
pub struct Foresight {
    expected: Option<Query>,
    rows: Held,
    index: Held,
    /// Rows of all members, as in [`Context::give_neighbors`].
    row_bytes: Vec<u8>,
    /// Per member: first row and number of rows (u32 both), the number `NOTHING` where nothing was looked up.
    index_bytes: Vec<u8>,
    found: Vec<Neighbor>,
}

/// Members that are looked up at once.
const BATCH: usize = 256;

/// Nothing was looked up for this member: it is not expected to decide.
const NOTHING: u32 = u32::MAX;

impl Foresight {
    /// How many members are looked up at once: their lists fit into the cache together. All of them where nothing is expected.
    pub fn batch(&self) -> usize {
        if self.expected.is_some() { BATCH } else { usize::MAX }
    }

    /// A new tick: nothing was answered from here yet.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn begin(kit: &Kit) -> mlua::Result<()> {
        kit.cur().write_bytes(12, &[0; 4]);
        kit.shared.raw_set("near_radius", f64::NAN)
    }

    /// Looks up what is expected for the members of `range` that are due, and lays it out for Luau.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn look(
        &mut self,
        lua: &Lua,
        kit: &Kit,
        (world, group): (&World, &Group),
        range: Range<usize>,
        bits: u32,
        due: impl Fn(usize) -> bool,
    ) -> mlua::Result<()> {
        let Some(query) = &self.expected else { return Ok(()) };
        let Some(filter) = filter_of(world, group.id, query.group.as_deref()) else { return Ok(()) };
        let filter = NeighborFilter { half_angle: query.half_angle, ..filter };
        self.row_bytes.clear();
        self.index_bytes.clear();
        let mut first = 0;
        for member in range.clone() {
            let slot = group.members[member];
            let mut count = NOTHING;
            if due(member) {
                world.neighbors(slot, query.radius, filter, &mut self.found);
                write_rows(&mut self.row_bytes, world, slot, &self.found, bits);
                count = self.found.len() as u32;
            }
            self.index_bytes.extend_from_slice(&u32::to_le_bytes(first));
            self.index_bytes.extend_from_slice(&count.to_le_bytes());
            first += if count == NOTHING { 0 } else { count };
        }
        kit.shared.raw_set("near_rows", self.rows.write(lua, &self.row_bytes)?)?;
        kit.shared.raw_set("near_index", self.index.write(lua, &self.index_bytes)?)?;
        kit.shared.raw_set("near_from", range.start)?;
        kit.shared.raw_set("near_group", query.group.as_deref())?;
        kit.shared.raw_set("near_half", query.half_angle)?;
        kit.shared.raw_set("near_radius", query.radius)
    }

    /// After the scripts ran: nothing is foreseen for anybody else, and the next tick is expected to ask as this one did.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn learn(&mut self, kit: &Kit, members: usize) -> mlua::Result<()> {
        kit.shared.raw_set("near_radius", f64::NAN)?;
        let hits = u32::from_le_bytes(kit.cur().read_bytes::<4>(12)) as usize;
        let asked = std::mem::take(&mut kit.context.borrow_mut().asked);
        let many = |times: usize| 2 * times >= members;
        if self.expected.is_none() || !many(hits) {
            self.expected = asked.query.filter(|_| many(asked.times));
        }
        Ok(())
    }
}

impl Kit {
    /// The buffer of the moment.
    fn cur(&self) -> Buffer {
        let context: std::cell::Ref<'_, Context> = self.context.borrow();
        context.cur.clone()
    }
}
