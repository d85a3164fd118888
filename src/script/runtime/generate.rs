//! Writes the Luau text of a program's loop.
//!
//! Only the fields that its scripts mention are refreshed, only the lines of the
//! agent's own state are looked at, and every callback stands in the text by its number.

use std::fmt::Write as _;

use super::fields::{ROW_HEAD, SINCE, Shape, memory_key, row};
use super::plan::{OUT_ENTERED, OUT_HEAD, OUT_KEPT, Plan, Role};
use crate::machine::def::MemoryValue;
use crate::machine::program::{Field, Leaf, LeafTerm, Line, Program, Source};
use crate::steer::blend::ForceRef;

/// The text of the chunk. It is given the host's tables and returns `loop`, `birth`, `own`, `check`, `fill`.
pub fn generate(program: &Program, plan: &Plan) -> String {
    let mut writer = Writer { program, plan, text: String::with_capacity(8192) };
    writer.head();
    writer.own();
    writer.check();
    writer.fill();
    writer.birth();
    writer.main();
    writer.text.push_str("return loop, birth, own, check, fill\n");
    writer.text
}

struct Writer<'a> {
    program: &'a Program,
    plan: &'a Plan,
    text: String,
}

/// Adds a line of text. Writing to a `String` cannot fail.
macro_rules! put {
    ($writer:expr, $($part:tt)*) => {
        say($writer.text.write_fmt(format_args!("{}\n", format_args!($($part)*))))
    };
}

impl Writer<'_> {
    fn head(&mut self) {
        put!(self, "local kit, F, P, V, D, MM, KD, BT, cur = ...");
        put!(self, "local X, S = kit.X, kit.S");
        put!(
            self,
            "local readf32, readf64, readu32, readu8 = buffer.readf32, buffer.readf64, buffer.readu32, buffer.readu8"
        );
        put!(self, "local writef32, writef64, writeu32 = buffer.writef32, buffer.writef64, buffer.writeu32");
        put!(self, "local create, zero = vector.create, vector.zero");
        put!(self, "local agent_meta, row_meta = kit.agent_meta, kit.row_meta");
        put!(
            self,
            "local rare, hear, bad_vector, bad_turn, bad_number = kit.rare, kit.hear, kit.bad_vector, kit.bad_turn, kit.bad_number"
        );
        put!(
            self,
            "local bad_guard, not_finite, bad_memory, check_list = kit.bad_guard, kit.not_finite, kit.bad_memory, kit.check_list"
        );
        put!(
            self,
            "local take, enter, tell, guard, public_row = kit.take, kit.enter, kit.tell, kit.guard, kit.public_row"
        );
    }

    /// An expression for a value; `a` is the agent's record.
    fn value(&self, source: Source) -> String {
        match source {
            Source::Slider(slider) => format!("V[{}]", slider + 1),
            Source::Memory(field) => self.memory_field(field),
        }
    }

    fn memory_field(&self, field: usize) -> String {
        let memory = self.plan.memory_of(field).unwrap_or(0);
        format!("{}[{:?}]", memory_of(memory), self.program.memory[field].spec.name)
    }

    /// Whether `agent.memory` or some `p` differs from one callback to the next.
    fn has_several_owners(&self) -> bool {
        self.plan.memories.len() > 1
            || self.plan.unit_memory.iter().any(Option::is_none) && !self.plan.memories.is_empty()
    }

    /// Statements that make record and parameters those of a unit, with parameter table `table`.
    fn owning(&self, unit: usize, table: usize) -> String {
        let mut text = String::new();
        if self.has_several_owners() {
            match self.plan.unit_memory[unit] {
                Some(memory) => say(write!(text, "a.memory = {} ", memory_of(memory))),
                None => text.push_str("a.memory = MM[0] "),
            }
        }
        say(write!(
            text,
            "if guarded then S.kinds = KD[{}] end ",
            self.plan.unit_memory[unit].map_or(0, |memory| memory + 1)
        ));
        if self.plan.is_bound(table) {
            for (name, source) in &self.plan.params[table] {
                if matches!(source, Source::Memory(_)) {
                    say(write!(text, "P[{}][{name:?}] = {} ", table + 1, self.value(*source)));
                }
            }
        }
        text
    }

    fn own(&mut self) {
        put!(self, "local function own(a, unit)");
        put!(self, "local guarded = S.guarded");
        for unit in 0..self.program.units.len() {
            let statements = self.owning(unit, unit);
            put!(self, "if unit == {} then {statements} return end", unit + 1);
        }
        put!(self, "end");
    }

    /// Statements that check the types of a unit's memory after callback `number`.
    fn checking(&self, unit: usize, number: &str) -> String {
        let Some(memory) = self.plan.unit_memory[unit] else { return String::new() };
        let mut text = String::new();
        for field in &self.plan.memories[memory].fields {
            let spec = &self.program.memory[*field].spec;
            let name = &spec.name;
            if !self.plan.mentions.assigns(name) {
                continue;
            }
            let at = format!("{}[{name:?}]", memory_of(memory));
            let report = |why: &str, wanted: &str| {
                format!(
                    "bad_memory({number}, {}, {name:?}, {why}, {wanted}, D[{}][{name:?}])",
                    memory_of(memory),
                    memory + 1
                )
            };
            match spec.default.as_ref().map(|default| (default, default.kind())) {
                Some((MemoryValue::List(values), kind)) => {
                    let of = values.first().map_or("nothing", crate::steer::param::Value::kind);
                    let call = report("why", &format!("{kind:?}"));
                    say(write!(
                        text,
                        "do local why = check_list({at}, {}, {of:?}) if why then {call} end end ",
                        values.len()
                    ));
                }
                Some((MemoryValue::Table, _)) => {
                    let call = report("kit.misfit(value, \"table\")", "\"table\"");
                    say(write!(text, "do local value = {at} if type(value) ~= \"table\" then {call} end end "));
                }
                Some((MemoryValue::One(_), kind)) => {
                    let call = report(&format!("kit.misfit(value, {kind:?})"), &format!("{kind:?}"));
                    say(write!(text, "do local value = {at} if type(value) ~= {kind:?} then {call} end end "));
                }
                None => {
                    let base = format!("BT[{}][{name:?}]", memory + 1);
                    let call = report(&format!("kit.misfit(value, {base})"), &base);
                    say(write!(text, "do local value = {at} if type(value) ~= {base} then {call} end end "));
                }
            }
        }
        text
    }

    fn check(&mut self) {
        put!(self, "local function check(a, callback, unit)");
        for unit in 0..self.program.units.len() {
            let statements = self.checking(unit, "callback");
            if !statements.is_empty() {
                put!(self, "if unit == {} then {statements} return end", unit + 1);
            }
        }
        put!(self, "end");
    }

    /// Fills pooled rows with the fields that the scripts mention.
    fn fill(&mut self) {
        let bits = self.plan.row_bits;
        let at = |name: &str| {
            let bit = row::BITS.iter().find(|(known, _)| *known == name).map_or(0, |(_, bit)| *bit);
            (bits & bit != 0).then(|| row::offset(bits, bit))
        };
        let number = |at: usize| format!("readf64(rows, o + {at})");
        let vector = |at: usize| {
            format!("create(readf32(rows, o + {at}), readf32(rows, o + {}), readf32(rows, o + {}))", at + 4, at + 8)
        };
        let group = "readu32(rows, o + 4) + 1";
        let read = |name: &str, at: usize| match name {
            "group" => ("\"\"", format!("groups[{group}]")),
            "state" => ("\"\"", format!("states[{group}][readu32(rows, o + {at}) + 1] or \"\"")),
            "memory" => ("false", format!("public_row(public[{group}], readu32(rows, o))")),
            "id" | "speed" | "heading" | "radius" | "distance" => ("0", number(at)),
            _ => ("zero", vector(at)),
        };
        let names = row::BITS.iter().map(|(name, _)| *name);
        let used: Vec<(&str, &str, String)> = names
            .filter_map(|name| {
                let (blank, read) = read(name, at(name)?);
                Some((name, blank, read))
            })
            .collect();
        put!(self, "local function fill(store: {{any}}, n: number, rows: buffer, first: number)");
        put!(self, "local groups, states, public = S.groups, S.states, S.public");
        put!(self, "for i = 1, n do");
        put!(self, "local o = (first + i - 1) * {}", row::stride(bits));
        put!(self, "local r = store[i]");
        let blank: Vec<String> = used.iter().map(|(name, blank, _)| format!("{name} = {blank}")).collect();
        put!(
            self,
            "if r == nil then r = setmetatable({{ [\"@slot\"] = 0, {} }} :: any, row_meta) store[i] = r end",
            blank.join(", ")
        );
        put!(self, "r[\"@slot\"] = readu32(rows, o)");
        for (name, _, read) in used {
            put!(self, "r.{name} = {read}");
        }
        put!(self, "end end");
    }

    /// Reads of the columns, as `name = expression`.
    fn reads(&self) -> Vec<(&'static str, String)> {
        let columns = self.plan.columns.columns.iter().filter(|column| column.shown);
        columns
            .map(|column| {
                let at = column.offset;
                let read = match column.field.shape() {
                    Shape::Vector => {
                        format!(
                            "create(readf32(IN, o + {at}), readf32(IN, o + {}), readf32(IN, o + {}))",
                            at + 4,
                            at + 8
                        )
                    }
                    Shape::Number => format!("readf64(IN, o + {at})"),
                    Shape::Flag => format!("readf64(IN, o + {at}) == 1"),
                };
                (column.field.name(), read)
            })
            .collect()
    }

    /// Makes the records of agents that are new: all fields are there from the start, since later a new field is an error.
    fn birth(&mut self) {
        put!(self, "local function birth(n: number, IN: buffer, SB: buffer, tick: number, routes: any)");
        put!(self, "for i = 1, n do");
        put!(self, "local o = (i - 1) * {}", self.plan.columns.stride);
        put!(self, "local slot = readu32(IN, o)");
        put!(self, "local so = slot * {}", self.plan.state_stride);
        put!(self, "buffer.fill(SB, so, 0, {})", self.plan.state_stride);
        put!(self, "writeu32(SB, so, {})", self.program.initial);
        for depth in 1..=self.plan.depth {
            put!(self, "writeu32(SB, so + {}, tick)", 12 + 4 * depth);
        }
        put!(self, "writeu32(cur, 0, slot)");
        let mut fields = vec!["[\"@slot\"] = slot".to_owned(), "[\"@off\"] = false".to_owned()];
        fields.extend((0..self.plan.memories.len()).map(|index| format!("[{:?}] = false", memory_key(index))));
        fields.push("group = X.group".to_owned());
        fields.push(format!("state = {:?}", self.program.leaves[self.program.initial].path));
        fields.push("state_time = 0".to_owned());
        fields.push("memory = MM[0]".to_owned());
        fields.push("route = routes".to_owned());
        fields.extend(self.reads().into_iter().map(|(name, read)| format!("{name} = {read}")));
        put!(self, "local a: any = setmetatable({{ {} }} :: any, agent_meta)", fields.join(", "));
        put!(self, "X.records[slot + 1] = a");
        for (index, memory) in self.plan.memories.clone().iter().enumerate() {
            let at = index + 1;
            put!(self, "local m{at} = kit.copy(D[{at}])");
            put!(self, "{} = m{at}", memory_of(index));
            put!(self, "a.memory = m{at}");
            for field in &memory.fields {
                let Some(number) = self.plan.number(&Role::Default(*field)) else { continue };
                let name = &self.program.memory[*field].spec.name;
                let unit = self.plan.callbacks[number - 1].unit;
                put!(
                    self,
                    "m{at}[{name:?}] = kit.default({number}, F[{number}], a, P[{}], KD[{at}], BT[{at}], {name:?})",
                    unit + 1
                );
            }
            put!(self, "setmetatable(m{at}, MM[{at}])");
        }
        if !self.plan.memories.is_empty() {
            let first = self.plan.unit_memory.first().copied().flatten();
            put!(self, "a.memory = {}", first.map_or_else(|| "MM[0]".to_owned(), memory_of));
        }
        put!(self, "end end");
    }

    fn main(&mut self) {
        put!(
            self,
            "local function loop(first: number, n: number, IN: buffer, OUT: buffer, SB: buffer, EV: any, tick: number, dt: number, guarded: boolean)"
        );
        put!(self, "local records = X.records");
        put!(self, "S.frozen = false S.fill = fill S.used = X.pool S.walls = X.walls");
        put!(self, "for i = first, n do");
        put!(self, "local o = (i - 1) * {}", self.plan.columns.stride);
        put!(self, "local w = (i - 1) * {}", self.plan.out_stride);
        put!(self, "if readu8(IN, o + 6) == 0 then writeu32(OUT, w + 12, {OUT_KEPT}) continue end");
        put!(self, "local slot = readu32(IN, o)");
        put!(self, "local so = slot * {}", self.plan.state_stride);
        put!(self, "local a: any = records[slot + 1]");
        put!(self, "writeu32(cur, 0, slot) writeu32(cur, 8, i - 1)");
        if self.plan.mentions.has("every") || self.plan.mentions.has("at") {
            put!(self, "writeu32(cur, 16, readu32(IN, o + {SINCE}))");
        }
        for (name, read) in self.reads() {
            put!(self, "a.{name} = {read}");
        }
        put!(self, "local leaf = readu32(SB, so)");
        put!(self, "local entered = 0");
        put!(self, "local g = a");
        put!(self, "if guarded then g = guard(a) end");
        if self.plan.mentions.has("state_time") {
            self.state_time();
        }
        put!(self, "if readu8(IN, o + 4) == 1 then entered = {OUT_ENTERED} enter(X, a, g, leaf, 1, nil) end");
        put!(self, "local ev = nil");
        put!(self, "if readu8(IN, o + 5) == 1 then ev = EV[i] tell(X, a, g, leaf, ev) end");
        put!(self, "local off = a[\"@off\"]");
        self.transitions();
        put!(self, "local push, turned, turn = zero, false, 0");
        for index in 0..self.program.leaves.len() {
            let word = if index == 0 { "if" } else { "elseif" };
            put!(self, "{word} leaf == {index} then");
            self.act(index);
        }
        put!(self, "end");
        put!(self, "writef32(OUT, w, push.x) writef32(OUT, w + 4, push.y) writef32(OUT, w + 8, push.z)");
        put!(self, "writeu32(OUT, w + 12, leaf + entered)");
        put!(self, "writef64(OUT, w + 16, if turned then turn else 0 / 0)");
        put!(self, "end end");
    }

    fn state_time(&mut self) {
        let offsets: Vec<String> =
            self.program.leaves.iter().map(|leaf| (12 + 4 * leaf.chain.len()).to_string()).collect();
        let same = offsets.windows(2).all(|pair| pair[0] == pair[1]);
        if same {
            put!(self, "a.state_time = (tick - readu32(SB, so + {})) * dt", offsets[0]);
        } else {
            put!(self, "a.state_time = (tick - readu32(SB, so + 12 + 4 * #X.chains[leaf + 1])) * dt");
        }
    }

    /// Tries the lines of the agent's state, innermost machine first.
    fn transitions(&mut self) {
        let any = self.program.nodes.iter().any(|node| !node.lines.is_empty());
        if !any {
            return;
        }
        put!(self, "local taken, te = 0, nil");
        let leaves = self.program.leaves.clone();
        for (index, leaf) in leaves.iter().enumerate() {
            put!(self, "{} leaf == {index} then", if index == 0 { "if" } else { "elseif" });
            for depth in (0..leaf.chain.len().saturating_sub(1)).rev() {
                let (machine, child) = (leaf.chain[depth], leaf.chain[depth + 1]);
                let lines = self.program.nodes[machine].lines.clone();
                for (position, line) in lines.iter().enumerate().filter(|(_, line)| line.from.contains(&child)) {
                    self.line(machine, position, line, depth, leaf.chain.len());
                }
            }
        }
        put!(self, "end");
        put!(
            self,
            "if taken ~= 0 then leaf = take(X, a, g, so, leaf, X.lines[taken], te, tick) entered = {OUT_ENTERED} off = a[\"@off\"] end"
        );
    }

    fn line(&mut self, machine: usize, position: usize, line: &Line, depth: usize, leaf_depth: usize) {
        let number = self.line_number(machine, position);
        put!(self, "if taken == 0 then local hit = false");
        let mut conditions = Vec::new();
        for threshold in &line.thresholds {
            let left = match &threshold.field {
                Field::Agent("state_time") => format!("(tick - readu32(SB, so + {})) * dt", 12 + 4 * leaf_depth),
                Field::Agent(name) => {
                    format!("readf64(IN, o + {})", self.plan.columns.offset(name).unwrap_or(ROW_HEAD))
                }
                Field::Memory(field) => self.memory_field(*field),
            };
            conditions.push(format!(
                "{left} {} {}",
                if threshold.above { ">" } else { "<" },
                self.value(threshold.value)
            ));
        }
        if let Some(after) = line.after {
            // A tick counts as over when the division of seconds by ticks is off by rounding only.
            conditions.push(format!(
                "(tick - readu32(SB, so + {})) * dt >= {} - 1e-9",
                12 + 4 * (depth + 2),
                self.value(after)
            ));
        }
        if line.on.is_some() {
            conditions.push("ev ~= nil".to_owned());
        }
        let all = if conditions.is_empty() { "true".to_owned() } else { conditions.join(" and ") };
        put!(self, "if {all} then");
        let when = line.when.then(|| self.plan.number(&Role::When(machine, line.index, line.label.clone()))).flatten();
        match (&line.on, when) {
            (None, None) => put!(self, "hit = true"),
            (Some(event), None) => put!(self, "local e = hear(ev, {event:?}) if e then hit = true te = e end"),
            (None, Some(number)) => {
                put!(self, "local e = nil");
                self.guard(machine, number);
            }
            (Some(event), Some(number)) => {
                put!(self, "for _, e in ev do if e.name == {event:?} then");
                self.guard(machine, number);
                put!(self, "if hit then te = e break end end end");
            }
        }
        put!(self, "end");
        if line.hold > 1 {
            let counter = self.plan.counters[line.counter];
            // The first tick in a row is this one; who decides less often counts the ticks in between too.
            put!(
                self,
                "if hit then local c = readu32(SB, so + {counter}) c += if c == 0 then 1 else readu32(IN, o + {SINCE}) writeu32(SB, so + {counter}, c)"
            );
            put!(self, "if c >= {} then taken = {number} end else writeu32(SB, so + {counter}, 0) end", line.hold);
        } else {
            put!(self, "if hit then taken = {number} end");
        }
        put!(self, "end");
    }

    fn guard(&mut self, machine: usize, number: usize) {
        let unit = self.program.nodes[machine].unit;
        let before = self.before(number, unit, unit);
        put!(self, "if off == false or not off[{number}] then {before}");
        put!(self, "if guarded then S.frozen = true end");
        put!(self, "hit = F[{number}](g, P[{}], e)", unit + 1);
        put!(self, "if guarded then S.frozen = false end");
        put!(self, "if hit ~= true and hit ~= false then bad_guard({number}, hit) end end");
    }

    /// What stands before every call: who is called, whose memory, fresh rows.
    fn before(&self, number: usize, unit: usize, table: usize) -> String {
        let rows = if self.plan.uses_rows { "S.lists = 0 " } else { "" };
        format!("writeu32(cur, 4, {number}) {rows}{}", self.owning(unit, table))
    }

    /// The line's place among all lines, from 1.
    fn line_number(&self, machine: usize, position: usize) -> usize {
        self.program.nodes[..machine].iter().map(|node| node.lines.len()).sum::<usize>() + position + 1
    }

    /// Steps, forces and what native code needs, for one leaf.
    fn act(&mut self, index: usize) {
        let leaf = self.program.leaves[index].clone();
        for node in &leaf.chain {
            if let Some(number) = self.plan.number(&Role::Step(*node)) {
                self.step(*node, number);
            }
        }
        let mut factor = 0;
        for (position, term) in leaf.terms.iter().enumerate() {
            if let ForceRef::Native(_) = term.force {
                if let Some(node) = term.scale {
                    let at = OUT_HEAD + 8 * factor;
                    put!(self, "do local f = 1");
                    self.scale(node, term);
                    put!(self, "writef64(OUT, w + {at}, f) end");
                    factor += 1;
                }
            } else {
                self.force(index, position, term);
            }
        }
        self.bounds(&leaf);
    }

    fn step(&mut self, node: usize, number: usize) {
        let unit = self.program.nodes[node].unit;
        let before = self.before(number, unit, unit);
        put!(self, "if off == false or not off[{number}] then {before}");
        put!(self, "local v, t = F[{number}](g, P[{}])", unit + 1);
        put!(self, "if v ~= nil then if type(v) ~= \"vector\" then bad_vector({number}, v) end");
        put!(self, "if v - v ~= zero then not_finite({number}, v) end push += v end");
        self.turn(number, "t");
        let checks = self.checking(unit, &number.to_string());
        put!(self, "{checks} end");
    }

    fn turn(&mut self, number: usize, turn: &str) {
        put!(
            self,
            "if t ~= nil then if type(t) ~= \"number\" or t - t ~= 0 then bad_turn({number}, t) end turned = true turn += {turn} end"
        );
    }

    /// Multiplies `f` by the entry's `scale`; a scale that is off makes it 0.
    fn scale(&mut self, node: usize, term: &LeafTerm) {
        let Some(number) = self.plan.number(&Role::Scale(node, term.key.clone())) else { return };
        let unit = self.program.nodes[node].unit;
        let before = self.before(number, unit, unit);
        put!(self, "if off == false or not off[{number}] then {before}");
        put!(self, "local s = F[{number}](g, P[{}])", unit + 1);
        put!(self, "if type(s) ~= \"number\" or s - s ~= 0 then bad_number({number}, s) end f *= s else f = 0 end");
    }

    fn force(&mut self, leaf: usize, position: usize, term: &LeafTerm) {
        let weight = self.value(term.weight);
        let Some((number, unit, table)) = self.plan.force(self.program, leaf, position, term) else { return };
        put!(self, "do local f = {weight}");
        put!(self, "if f ~= 0 and (off == false or not off[{number}]) then");
        if let Some(node) = term.scale {
            self.scale(node, term);
        }
        put!(self, "{}", self.before(number, unit, table));
        put!(self, "local v, t = F[{number}](g, P[{}])", table + 1);
        put!(self, "if type(v) ~= \"vector\" then bad_vector({number}, v) end");
        put!(self, "if v - v ~= zero then not_finite({number}, v) end push += v * f");
        self.turn(number, "t * f");
        let checks = self.checking(unit, &number.to_string());
        put!(self, "{checks} end end");
    }

    /// Writes the memory fields that the leaf's native terms and limits are bound to.
    fn bounds(&mut self, leaf: &Leaf) {
        let native = leaf.terms.iter().filter(|term| matches!(term.force, ForceRef::Native(_)));
        let terms =
            native.flat_map(|term| std::iter::once(term.weight).chain(term.params.iter().map(|(_, source)| *source)));
        let sources: Vec<Source> = terms.chain(leaf.limits.iter().map(|(_, source)| *source)).collect();
        let mut done = Vec::new();
        for source in sources {
            let Source::Memory(field) = source else { continue };
            if done.contains(&field) {
                continue;
            }
            done.push(field);
            let (Some(at), value) = (self.plan.bound_offset(field), self.memory_field(field)) else { continue };
            put!(self, "kit.bound(OUT, w + {at}, {value})");
        }
    }
}

/// An expression for a memory of the record `a`.
fn memory_of(index: usize) -> String {
    format!("a[{:?}]", memory_key(index))
}

/// Writing to a text cannot fail.
fn say(written: std::fmt::Result) {
    debug_assert!(written.is_ok(), "a text takes whatever is written");
}
