//! Every field and function that a script may touch: name, type, one line of help.
//!
//! One table feeds the type file for editors, the messages about unknown fields, and the manual.

/// One field or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    /// Name as written in a script.
    pub name: &'static str,
    /// Type in Luau.
    pub luau: &'static str,
    /// One line of help.
    pub about: &'static str,
}

const fn field(name: &'static str, luau: &'static str, about: &'static str) -> FieldInfo {
    FieldInfo { name, luau, about }
}

impl FieldInfo {
    /// Whether it is called with a colon.
    pub fn is_method(&self) -> bool {
        self.luau.starts_with("(self: ")
    }
}

/// The nearest known name to a mistyped one, as the end of a message.
pub fn did_you_mean(table: &[FieldInfo], name: &str) -> String {
    crate::steer::nearest::did_you_mean(name, table.iter().map(|field| field.name))
}

/// The agent that a callback decides for.
pub const AGENT: &[FieldInfo] = &[
    field("id", "number", "its id; 0 is nobody"),
    field("group", "string", "name of its group"),
    field("position", "vector", "m"),
    field("velocity", "vector", "m/s"),
    field("speed", "number", "m/s"),
    field("heading", "number", "rad, 0 = +x, counter-clockwise"),
    field("forward", "vector", "unit vector along the heading"),
    field("radius", "number", "m"),
    field("max_speed", "number", "m/s"),
    field("max_acceleration", "number", "m/s2"),
    field("lag", "number", "time constant with which its body follows, s"),
    field("dead_time", "number", "seconds until its body hears a command"),
    field("clearance", "number", "m to the nearest obstacle"),
    field("slot", "vector", "its place in the formation; where it stands without one"),
    field("slot_velocity", "vector", "velocity of the place, m/s"),
    field("slot_heading", "number", "heading of the place, rad"),
    field("slot_turn_rate", "number", "turn rate of the place, rad/s"),
    field("slot_error", "number", "distance to the place, m"),
    field("slot_turn", "number", "signed angle still to turn, rad"),
    field("slot_index", "number", "the number of its place, 0 is the head; -1 without one"),
    field("slot_from", "vector", "where it was when it got its place"),
    field("slot_since", "number", "seconds since then"),
    field("slot_secs", "number", "seconds that all of the order take to their places in step; 0 when the way is over"),
    field("has_slot", "boolean", "whether it has a place"),
    field("goal", "vector?", "where the scene wants it to go"),
    field("waypoint", "vector", "the next point of its path, else its goal; where it stands without one"),
    field(
        "path_state",
        "string",
        "`moving`, `reached`, `no_path`, `blocked`, `agent_off_mesh`, `target_off_mesh`, `on_link`, `idle`; `off` without navigation",
    ),
    field("path_left", "number", "m along its path to the end"),
    field("path_speed", "number", "factor on the speed where it stands: below 1 on stairs and other slow ground"),
    field("stop", "string?", "the stop of its journey that it goes to or is at; nil without a journey"),
    field("at_stop", "boolean", "whether it is there: at its spot, in the queue, before the gate"),
    field("stop_secs", "number", "seconds that it has been there; 0 on the way"),
    field("queue_place", "number", "its place in the queue, 1 is the head; 0 outside of one"),
    field("route", "{vector}", "the group's route"),
    field("leader", "Row?", "the one it follows"),
    field("state", "string", "its state, dotted when nested"),
    field("state_time", "number", "seconds in the state"),
    field("elapsed", "number", "seconds since its last decision: a tick, or more where its group has an `update` rate"),
    field("latency", "number", "seconds from command to action"),
    field("memory", "any", "its declared memory, to read and write"),
    field(
        "neighbors",
        "(self: Agent, radius: number, group: string?, half_angle: number?) -> {Row}",
        "others within a radius, by id",
    ),
    field(
        "nearest",
        "(self: Agent, group: string, radius: number) -> Row?",
        "the nearest of a group, nil when nobody is near",
    ),
    field("find", "(self: Agent, id: number) -> Row?", "the one of that id, nil when it is gone"),
    field("obstacles", "(self: Agent, radius: number) -> {Wall}", "nearest point of each wall within a radius"),
    field("sees", "(self: Agent, point: vector) -> boolean", "whether no obstacle stands between"),
    field(
        "offset",
        "(self: Agent, point: vector, from: vector?) -> vector",
        "the way to a point, from itself or from another point, round the edge of a wrapped world",
    ),
    field(
        "send",
        "(self: Agent, to: string | number, name: string, value: any?) -> ()",
        "an event for a group or an agent",
    ),
    field(
        "path",
        "(self: Agent) -> {vector}",
        "the points of its path that are still ahead, the end last; empty without one",
    ),
    field("go", "(self: Agent, point: vector?) -> ()", "sets its goal; without a point it has none of its own"),
    field(
        "set_journey",
        "(self: Agent, journey: {any}) -> ()",
        "another journey: names of stops, and `{shuffle = {…}, take = 3}`, `{nearest = {…}}`, `{least_crowded = {…}}`, `{shares = {name = weight}}`; `{}` ends it",
    ),
    field("skip_stop", "(self: Agent) -> ()", "on to what comes after the present stop"),
    field("remove", "(self: Agent) -> ()", "takes it out of the world"),
];

/// Another agent, as queries give it; lent until the callback returns.
pub const ROW: &[FieldInfo] = &[
    field("id", "number", "its id; keep this, not the row"),
    field("group", "string", "name of its group"),
    field("position", "vector", "m"),
    field("velocity", "vector", "m/s"),
    field("speed", "number", "m/s"),
    field("heading", "number", "rad"),
    field("forward", "vector", "unit vector along the heading"),
    field("radius", "number", "m"),
    field("state", "string", "its state"),
    field("memory", "any", "its public memory"),
    field("offset", "vector", "the way to it, wrapped"),
    field("distance", "number", "m"),
    field("direction", "vector", "unit vector to it, never zero"),
];

/// A wall near an agent.
pub const WALL: &[FieldInfo] = &[
    field("name", "string", "name of the obstacle"),
    field("point", "vector", "its nearest point"),
    field("normal", "vector", "unit vector away from it"),
    field("distance", "number", "m"),
];

/// Something that happened.
pub const EVENT: &[FieldInfo] = &[
    field("name", "string", "what"),
    field("value", "any", "what came with it"),
    field("from", "number", "id of the sender, 0 for none"),
];

/// A group, for metrics and directors.
pub const GROUP: &[FieldInfo] = &[
    field("name", "string", "its name"),
    field("count", "number", "how many"),
    field("agents", "{Row}", "its members, by id"),
    field("memory", "any", "the metric's memory for this group"),
];

/// The world as a director sees it.
pub const WORLD: &[FieldInfo] = &[
    field("memory", "any", "the director's memory"),
    field("group", "(self: World, name: string) -> Group", "a group of the scene"),
    field(
        "spawn",
        "(self: World, group: string, spec: { count: number?, at: vector?, radius: number?, params: any }) -> {number}",
        "adds agents, gives their ids",
    ),
    field("remove", "(self: World, what: number | string) -> ()", "removes an agent or an obstacle"),
    field(
        "send",
        "(self: World, to: string | number, name: string, value: any?) -> ()",
        "an event for a group or an agent",
    ),
    field("form", "(self: World, group: string, formation: string, params: any?) -> ()", "orders a formation"),
    field(
        "march",
        "(self: World, group: string, speed: number, turn_rate: number?) -> ()",
        "sets a formation in motion (m/s, rad/s); 0 halts",
    ),
    field("set", "(self: World, address: string, value: any) -> ()", "moves a slider"),
    field(
        "open",
        "(self: World, name: string) -> ()",
        "opens a door, a source, a waiting place, a queue or an exit, all of this name",
    ),
    field("close", "(self: World, name: string) -> ()", "closes them"),
    field("place", "(self: World, name: string, spec: any) -> ()", "puts up an obstacle"),
    field("move", "(self: World, name: string, to: vector) -> ()", "moves an obstacle"),
];

/// The global table, without the constructors.
pub const YARD: &[FieldInfo] = &[
    field("time", "number", "simulated seconds"),
    field("tick", "number", "ticks so far"),
    field("dt", "number", "seconds per tick"),
    field("random", "(m: number?, n: number?) -> number", "as math.random, a stream of seed, agent and tick"),
    field("uniform", "(lo: number, hi: number) -> number", "evenly between two numbers"),
    field("normal", "(mean: number, sd: number) -> number", "normally distributed"),
    field("noise", "(x: number, y: number?, z: number?) -> number", "smooth noise from -1 to 1"),
    field(
        "steady",
        "(a: number, b: number?, c: number?) -> number",
        "a random number from -1 to 1 that belongs to the seed and these whole numbers, at every tick the same",
    ),
    field("planar", "boolean", "whether the world is flat: nobody leaves his height"),
    field(
        "area",
        "() -> (vector?, vector?, string)",
        "lower and upper corner of the area, nil without one, and its edge",
    ),
    field("every", "(seconds: number) -> boolean", "true once per so many seconds"),
    field("at", "(seconds: number) -> boolean", "true on that tick"),
    field("unit", "(v: vector) -> vector", "unit vector, zero for zero"),
    field("limit", "(v: vector, max: number) -> vector", "shortened to a length"),
    field("angle", "(v: vector) -> number", "direction of a vector, rad"),
    field("direction", "(angle: number) -> vector", "unit vector of an angle"),
    field("rotate", "(v: vector, angle: number) -> vector", "turned counter-clockwise"),
    field("wrap", "(angle: number) -> number", "an angle from -pi to pi"),
    field("steer", "Steer", "accelerations that lead somewhere"),
    field("desired", "Desired", "the same as velocities"),
    field("draw", "Draw", "marks on the yard, free when hidden"),
    field("log", "(...any) -> ()", "a line in the log"),
    field("plot", "(name: string, value: number) -> ()", "a point of a curve"),
];

/// `yard.steer`: accelerations.
pub const STEER: &[FieldInfo] = &[
    field("arrive", "(agent: Agent, target: vector, speed: number?) -> vector", "there and stop"),
    field("seek", "(agent: Agent, target: vector, speed: number?) -> vector", "there at full speed"),
    field("flee", "(agent: Agent, from: vector, speed: number?) -> vector", "away at full speed"),
    field("velocity", "(agent: Agent, wanted: vector) -> vector", "takes on a velocity in the body's relaxation time"),
    field("face", "(agent: Agent, heading: number, gain: number?) -> number", "turn rate towards a heading"),
];

/// `yard.desired`: velocities.
pub const DESIRED: &[FieldInfo] = &[
    field("arrive", "(agent: Agent, target: vector, speed: number?) -> vector", "there and stop"),
    field("seek", "(agent: Agent, target: vector, speed: number?) -> vector", "there at full speed"),
    field("flee", "(agent: Agent, from: vector, speed: number?) -> vector", "away at full speed"),
];

/// `yard.draw`: marks.
pub const DRAW: &[FieldInfo] = &[
    field("line", "(from: vector, to: vector, color: string?) -> ()", "a line"),
    field("arrow", "(from: vector, to: vector, color: string?) -> ()", "an arrow"),
    field("circle", "(center: vector, radius: number, color: string?) -> ()", "a circle"),
    field("point", "(at: vector, color: string?) -> ()", "a point"),
    field("text", "(at: vector, text: string, color: string?) -> ()", "a word"),
];
