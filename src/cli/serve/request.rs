//! What a line asks for: the command by name, its fields, and the names that the original show controller uses.

use serde_json::{Map, Value};

use super::fields::{Fields, missing, param, shown};
use crate::experiment::frame::ParamValue;
use crate::experiment::serving::{FormOrder, MARCH_SPEED, MarchOrder, Receiver};
use crate::experiment::{Problem, suggestion};

/// The most ticks that one command may make.
const MOST_TICKS: u64 = 1_000_000;

/// All commands, the original controller's names last.
const COMMANDS: [&str; 15] = [
    "state",
    "step",
    "form",
    "march",
    "send",
    "set",
    "get",
    "agents",
    "remove",
    "reset",
    "report",
    "subscribe",
    "quit",
    "setFormation",
    "startMoving",
];

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ask {
    State,
    Step(Span),
    Form(FormOrder),
    March(MarchOrder),
    Send { to: Receiver, name: String, value: Option<ParamValue> },
    Set { address: String, value: ParamValue },
    Get(String),
    Agents(Option<String>),
    Remove(Vec<f64>),
    Reset { keep_edits: bool },
    Report,
    Subscribe { every: u64, agents: bool },
    Quit,
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    Ticks(u64),
    Seconds(f64),
}

impl Span {
    /// In ticks of `dt` seconds.
    pub(super) fn ticks(self, dt: f64) -> Result<u64, Problem> {
        match self {
            Self::Ticks(ticks) => Ok(ticks),
            Self::Seconds(seconds) if (0.0..=MOST_TICKS as f64).contains(&(seconds / dt).round()) => {
                Ok((seconds / dt).round() as u64)
            }
            Self::Seconds(seconds) => {
                let most = MOST_TICKS as f64 * dt;
                Err(Problem::error("bad-value", format!("`seconds` must be from 0 to {most}, got {seconds}")))
            }
        }
    }
}

/// Reads a line; the id is what the answer repeats, null where there is none.
pub(super) fn read(line: &str) -> (Value, Result<Ask, Problem>) {
    if line.trim().is_empty() {
        return (Value::Null, Err(Problem::error("empty-line", "the line is empty: one JSON object per line")));
    }
    match serde_json::from_str(line) {
        Ok(Value::Object(mut map)) => (map.shift_remove("id").unwrap_or_default(), ask(map)),
        Ok(_) => (Value::Null, Err(Problem::error("not-an-object", "the line is JSON, but no object"))),
        Err(error) => (Value::Null, Err(Problem::error("not-json", format!("the line is no JSON: {error}")))),
    }
}

fn ask(mut map: Map<String, Value>) -> Result<Ask, Problem> {
    let name = match map.shift_remove("do") {
        Some(Value::String(name)) => name,
        Some(_) => return Err(Problem::error("bad-type", "`do` must be text: the name of a command")),
        None => return Err(missing("do", "the name of a command").maybe_hint(suggestion("", COMMANDS))),
    };
    match name.as_str() {
        "state" => Fields::new(map, &[]).map(|_none| Ask::State),
        "step" => step(&Fields::new(map, &["ticks", "seconds"])?),
        "form" => form(&Fields::new(map, &["group", "formation", "params", "at", "turn_deg"])?),
        "setFormation" => set_formation(map),
        "march" => march(map),
        "startMoving" => march(payload(map)?),
        "send" => send(&Fields::new(map, &["to", "name", "value"])?),
        "set" => set(&Fields::new(map, &["address", "value"])?),
        "get" => Fields::new(map, &["address"])?.needed_text("address").map(Ask::Get),
        "agents" => Fields::new(map, &["group"])?.text("group").map(Ask::Agents),
        "remove" => {
            let agents = Fields::new(map, &["agents"])?.numbers("agents")?;
            agents.map(Ask::Remove).ok_or_else(|| missing("agents", "a list of the numbers of agents"))
        }
        "reset" => Fields::new(map, &["keep_edits"])?.flag("keep_edits").map(|keep_edits| Ask::Reset { keep_edits }),
        "report" => Fields::new(map, &[]).map(|_none| Ask::Report),
        "subscribe" => subscribe(&Fields::new(map, &["every", "agents"])?),
        "quit" => Fields::new(map, &[]).map(|_none| Ask::Quit),
        odd => {
            let problem = Problem::error("unknown-command", format!("there is no command `{}`", shown(odd)));
            Err(problem.maybe_hint(suggestion(odd, COMMANDS)))
        }
    }
}

fn step(fields: &Fields) -> Result<Ask, Problem> {
    match (fields.whole("ticks", MOST_TICKS)?, fields.number("seconds")?) {
        (Some(ticks), None) => Ok(Ask::Step(Span::Ticks(ticks))),
        (None, Some(seconds)) => Ok(Ask::Step(Span::Seconds(seconds))),
        (None, None) => Err(missing("ticks", "how far to go, or `seconds`")),
        (Some(_), Some(_)) => Err(Problem::error("bad-value", "give `ticks` or `seconds`, not both")),
    }
}

fn form(fields: &Fields) -> Result<Ask, Problem> {
    let formation = fields.needed_text("formation")?;
    let params = fields.object("params")?;
    order(fields, formation, &params)
}

/// The original controller's `setFormation`: what is no field of an order is a parameter of the formation.
fn set_formation(map: Map<String, Value>) -> Result<Ask, Problem> {
    const OWN: [&str; 5] = ["group", "formation", "type", "at", "turn_deg"];
    let (own, params) = payload(map)?.into_iter().partition(|(key, _): &(String, Value)| OWN.contains(&key.as_str()));
    let fields = Fields::new(own, &OWN)?;
    let formation = fields.text("formation")?.or(fields.text("type")?);
    let formation = formation.ok_or_else(|| missing("formation", "the name of a formation, or `type`"))?;
    order(&fields, formation, &params)
}

fn order(fields: &Fields, formation: String, params: &Map<String, Value>) -> Result<Ask, Problem> {
    let params = params.iter().map(|(name, value)| Ok((name.clone(), param(name, value)?)));
    Ok(Ask::Form(FormOrder {
        group: fields.text("group")?,
        formation,
        params: params.collect::<Result<_, Problem>>()?,
        at: fields.point("at")?,
        turn: fields.number("turn_deg")?.map(f64::to_radians),
    }))
}

/// Without a speed the formation walks at a marching pace.
fn march(map: Map<String, Value>) -> Result<Ask, Problem> {
    let fields = Fields::new(map, &["group", "speed", "heading_deg", "turn_deg", "acceleration"])?;
    Ok(Ask::March(MarchOrder {
        group: fields.text("group")?,
        speed: fields.number("speed")?.unwrap_or(MARCH_SPEED),
        heading: fields.number("heading_deg")?.unwrap_or(0.0).to_radians(),
        turn: fields.number("turn_deg")?.unwrap_or(0.0).to_radians(),
        acceleration: fields.number("acceleration")?.unwrap_or(1.0),
    }))
}

fn send(fields: &Fields) -> Result<Ask, Problem> {
    let to = match fields.value("to") {
        Some(Value::Number(_)) => fields.number("to")?.map(Receiver::Agent),
        _ => fields.text("to")?.map(Receiver::Group),
    };
    let to = to.ok_or_else(|| missing("to", "the name of a group or the number of an agent"))?;
    Ok(Ask::Send { to, name: fields.needed_text("name")?, value: fields.param("value")? })
}

fn set(fields: &Fields) -> Result<Ask, Problem> {
    let address = fields.needed_text("address")?;
    let value = fields.param("value")?.ok_or_else(|| missing("value", "what to set"))?;
    Ok(Ask::Set { address, value })
}

fn subscribe(fields: &Fields) -> Result<Ask, Problem> {
    let every = fields.whole("every", MOST_TICKS)?.ok_or_else(|| missing("every", "a number of ticks, 0 for never"))?;
    Ok(Ask::Subscribe { every, agents: fields.flag("agents")? })
}

/// The fields of a message of the original controller: below `payload`, or beside the name.
fn payload(mut map: Map<String, Value>) -> Result<Map<String, Value>, Problem> {
    match map.shift_remove("payload") {
        None => Ok(map),
        Some(Value::Object(payload)) => Fields::new(map, &["payload"]).map(|_none| payload),
        Some(_) => Err(Problem::error("bad-type", "`payload` must be an object")),
    }
}
