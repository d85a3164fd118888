//! What host functions see while scripts run: the frozen world, whose turn it is, and the lists that scripts fill.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::DVec3;
use mlua::{Buffer, Function, Table};

use super::fields::row;
use super::foresight::Asked;
use super::plan::Callback;
use super::spawn::Reservation;
use crate::sim::obstacle::Hit;
use crate::sim::rng::Use;
use crate::sim::{Act, Neighbor, Stream, World};

pub use super::request::{DirectorOrder, Mark, Note};

/// Whose luck is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// Nobody's: between calls.
    #[default]
    Nobody,
    /// An agent's at birth.
    Birth,
    /// An agent's in its tick.
    Agent,
    /// A director's, by its number.
    Director(u64),
    /// An observer's: a metric or a formation, by its number.
    Observer(u64),
}

/// A callback that failed by itself, without ending the loop.
#[derive(Clone, Debug)]
pub struct SoftFault {
    /// Its number.
    pub callback: usize,
    /// The agent's slot.
    pub slot: u32,
    /// What happened.
    pub error: mlua::Error,
}

/// The state of the host functions of one machine.
pub struct Context {
    /// The frozen world, while scripts run.
    pub world: Option<Arc<World>>,
    /// Whose turn it is.
    pub turn: Turn,
    /// Which fields of rows are wanted, as bits of [`row::BITS`].
    pub row_bits: u32,
    /// The table between Rust and Luau.
    pub shared: Table,
    /// Slot and callback of the moment.
    pub cur: Buffer,
    /// Rows of queries.
    pub rows: Buffer,
    rows_held: usize,
    bytes: Vec<u8>,
    /// Buffer of neighbor queries.
    pub neighbors: Vec<Neighbor>,
    /// Buffer of obstacle queries.
    pub hits: Vec<Hit>,
    luck: Option<(u32, Turn, Stream)>,
    /// Acts of agents in this call.
    pub acts: Vec<Act>,
    /// Lines of `yard.log`.
    pub log: Vec<Note>,
    /// Points of `yard.plot`.
    pub plots: Vec<(String, f64)>,
    /// What was drawn.
    pub marks: Vec<Mark>,
    /// Commands of a director.
    pub commands: Vec<DirectorOrder>,
    /// Ids that a director's spawns will get.
    pub reservation: Reservation,
    /// Texts that stand in a buffer by their number.
    pub texts: Vec<String>,
    /// Groups that were asked for and that the scene lacks.
    pub unknown_groups: BTreeSet<String>,
    /// Faults of rare callbacks in this call.
    pub soft: Vec<SoftFault>,
    /// The last error was a memory field that lost its type.
    pub misfit: bool,
    /// Neighbors that were asked for in this call.
    pub asked: Asked,
    /// Transitions of this call: line number and slot.
    pub transitions: Vec<(u32, u32)>,
    /// Callbacks of the program that runs.
    pub callbacks: Vec<Callback>,
    /// `file:line: ` of each of them.
    pub places: Vec<String>,
    /// Records of the program that runs, by slot + 1.
    pub records: Option<Table>,
    /// The function that a formation or metric call is about, for messages.
    pub about: Option<Function>,
}

/// Log lines, plots and marks of one call; a script that writes more is cut off.
pub const MOST_NOTES: usize = 10_000;

impl Context {
    /// A context around the shared table and the buffer of the moment.
    pub fn new(lua: &mlua::Lua, shared: Table, cur: Buffer) -> mlua::Result<Self> {
        let rows = lua.create_buffer_with_capacity(64 * row::STRIDE)?;
        shared.raw_set("rows", &rows)?;
        Ok(Self {
            world: None,
            turn: Turn::Nobody,
            row_bits: row::ALL,
            shared,
            cur,
            rows,
            rows_held: 64 * row::STRIDE,
            bytes: Vec::new(),
            neighbors: Vec::new(),
            hits: Vec::new(),
            luck: None,
            acts: Vec::new(),
            log: Vec::new(),
            plots: Vec::new(),
            marks: Vec::new(),
            commands: Vec::new(),
            reservation: Reservation::default(),
            texts: Vec::new(),
            unknown_groups: BTreeSet::new(),
            soft: Vec::new(),
            misfit: false,
            asked: Asked::default(),
            transitions: Vec::new(),
            callbacks: Vec::new(),
            places: Vec::new(),
            records: None,
            about: None,
        })
    }

    /// The slot whose callback runs.
    pub fn slot(&self) -> u32 {
        u32::from_le_bytes(self.cur.read_bytes::<4>(0))
    }

    /// The number of the callback that runs, 0 for none.
    pub fn callback(&self) -> usize {
        u32::from_le_bytes(self.cur.read_bytes::<4>(4)) as usize
    }

    /// Nobody's turn: what a call left behind.
    pub fn clear_moment(&self) {
        self.cur.write_bytes(0, &[0; 8]);
    }

    /// The stream of the agent (or director, observer) whose turn it is; it goes on through the turn.
    pub fn luck(&mut self, slot: u32) -> &mut Stream {
        let fits = matches!(&self.luck, Some((of, turn, _)) if *of == slot && *turn == self.turn);
        if !fits {
            let (seed, tick) = self.world.as_ref().map_or((0, 0), |world| (world.settings.seed, world.tick));
            let life = self.world.as_ref().and_then(|world| world.agents.generation.get(slot as usize).copied());
            let life = u64::from(life.unwrap_or(0));
            let stream = match self.turn {
                Turn::Birth => Stream::with_salt(seed, u64::from(slot), tick, Use::Script, 2 * life + 1),
                Turn::Director(number) => Stream::new(seed, number, tick, Use::Director),
                Turn::Observer(number) => Stream::new(seed, number, tick, Use::Observer),
                Turn::Agent | Turn::Nobody => Stream::with_salt(seed, u64::from(slot), tick, Use::Script, 2 * life),
            };
            self.luck = Some((slot, self.turn, stream));
        }
        // The line above has just filled it.
        &mut self.luck.get_or_insert_with(|| (slot, self.turn, Stream::new(0, 0, 0, Use::Script))).2
    }

    /// A new turn: streams start at their beginning.
    pub fn begin_turn(&mut self, turn: Turn) {
        self.turn = turn;
        self.luck = None;
        // Whoever is asked once a tick was asked one tick ago; the loop of a group says otherwise.
        self.cur.write_bytes(16, &1_u32.to_le_bytes());
    }

    /// Where the stream stands, to be put back after a repeated call.
    pub fn keep_luck(&self) -> Option<(u32, Turn, Stream)> {
        self.luck
    }

    /// Puts the stream back.
    pub fn restore_luck(&mut self, luck: Option<(u32, Turn, Stream)>) {
        self.luck = luck;
    }

    /// Hands the bytes in `self.bytes` over to Luau.
    fn hand_over(&mut self, lua: &mlua::Lua) -> mlua::Result<()> {
        if self.bytes.len() > self.rows_held {
            self.rows_held = self.bytes.len().next_power_of_two();
            self.rows = lua.create_buffer_with_capacity(self.rows_held)?;
            self.shared.raw_set("rows", &self.rows)?;
        }
        self.rows.write_bytes(0, &self.bytes);
        Ok(())
    }

    /// Writes the neighbors found as rows; gives their number.
    pub fn give_neighbors(&mut self, lua: &mlua::Lua, from: u32) -> mlua::Result<usize> {
        self.bytes.clear();
        if let Some(world) = &self.world {
            write_rows(&mut self.bytes, world, from, &self.neighbors, self.row_bits);
        }
        self.hand_over(lua)?;
        Ok(self.neighbors.len())
    }

    /// Writes the obstacles found as rows: point, normal, distance.
    pub fn give_hits(&mut self, lua: &mlua::Lua) -> mlua::Result<usize> {
        self.bytes.clear();
        for hit in &self.hits {
            let mut row = [0; row::STRIDE];
            put_vector(&mut row, 8, hit.point);
            put_vector(&mut row, 20, hit.normal);
            put_number(&mut row, 32, hit.distance);
            self.bytes.extend_from_slice(&row);
        }
        self.hand_over(lua)?;
        Ok(self.hits.len())
    }
}

fn put_vector(row: &mut [u8; row::STRIDE], at: usize, v: DVec3) {
    let v = v.as_vec3();
    row[at..at + 4].copy_from_slice(&v.x.to_le_bytes());
    row[at + 4..at + 8].copy_from_slice(&v.y.to_le_bytes());
    row[at + 8..at + 12].copy_from_slice(&v.z.to_le_bytes());
}

fn put_number(row: &mut [u8; row::STRIDE], at: usize, x: f64) {
    row[at..at + 8].copy_from_slice(&x.to_le_bytes());
}

/// The unit vector to a neighbor, never zero: two that stand on one spot look along x, the later one backwards, so that they
/// agree on a line to part along.
pub fn direction(from: u32, neighbor: &Neighbor) -> DVec3 {
    if neighbor.distance > 1e-12 {
        return neighbor.offset / neighbor.distance;
    }
    if neighbor.slot >= from { DVec3::X } else { DVec3::NEG_X }
}

/// Appends a row for each neighbor of the agent `from`, with the fields of `bits`.
pub fn write_rows(out: &mut Vec<u8>, world: &World, from: u32, neighbors: &[Neighbor], bits: u32) {
    let agents = &world.agents;
    let stride = row::stride(bits);
    let start = out.len();
    out.resize(start + neighbors.len() * stride, 0);
    for (neighbor, bytes) in neighbors.iter().zip(out[start..].chunks_exact_mut(stride)) {
        let slot = neighbor.slot as usize;
        let mut row = Row(bytes);
        row.integer(neighbor.slot);
        row.integer(u32::from(agents.group[slot].0));
        let has = |bit: u32| bits & bit != 0;
        if has(1) {
            row.number(agents.id(neighbor.slot).number());
        }
        if has(4) {
            row.vector(agents.position[slot]);
        }
        if has(8) {
            row.vector(agents.velocity[slot]);
        }
        if has(16) {
            row.number(agents.speed(slot));
        }
        if has(32) {
            row.number(agents.heading[slot]);
        }
        if has(64) {
            row.vector(agents.forward(slot));
        }
        if has(128) {
            row.number(agents.radius[slot]);
        }
        if has(256) {
            row.integer(u32::from(agents.state[slot]));
        }
        if has(1024) {
            row.vector(neighbor.offset);
        }
        if has(2048) {
            row.number(neighbor.distance);
        }
        if has(4096) {
            row.vector(direction(from, neighbor));
        }
        debug_assert!(row.0.is_empty(), "the layout is the one that Luau reads");
    }
}

/// What is left to write of a row.
struct Row<'a>(&'a mut [u8]);

impl Row<'_> {
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some((place, rest)) = std::mem::take(&mut self.0).split_first_chunk_mut::<N>() {
            *place = bytes;
            self.0 = rest;
        }
    }

    #[inline]
    fn integer(&mut self, number: u32) {
        self.put(number.to_le_bytes());
    }

    #[inline]
    fn number(&mut self, number: f64) {
        self.put(number.to_le_bytes());
    }

    #[inline]
    fn vector(&mut self, v: DVec3) {
        let v = v.as_vec3();
        self.put(v.x.to_le_bytes());
        self.put(v.y.to_le_bytes());
        self.put(v.z.to_le_bytes());
    }
}
