//! `serve`: another program drives the yard through JSON lines; the protocol is `scenes/SERVE.md`.
//!
//! Each command is answered by one line, after the events that it causes. Time moves by `step`, or with the clock.

mod fields;
mod lines;
mod request;

use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::pace::Pace;
use super::{Status, args, diagnostic, out};
use crate::experiment::frame::ParamValue;
use crate::experiment::news::{News, Watch};
use crate::experiment::report::hash_text;
use crate::experiment::standing::{Hello, Standing};
use crate::experiment::{Experiment, Options, Problem};
use lines::Line;
use request::Ask;

/// Version of the protocol.
const PROTOCOL: u32 = 1;

/// Serves until the other side has no more to say, or says `quit`.
pub(super) fn serve(args: &args::Serve) -> Status {
    if !args.stdio {
        out::stderr("error: serve needs --stdio: JSON lines on stdin and stdout are the only transport\n");
        return Status::Usage;
    }
    let options = Options {
        project: args.project.clone(),
        seed: args.seed,
        sets: args.set.clone(),
        threads: usize::from(args.threads),
        keep_going: true,
        ..Options::default()
    };
    let experiment = match Experiment::open(&args.scene, options) {
        Ok(experiment) => experiment,
        Err(error) => {
            diagnostic::print(error.problems(), args.project.as_deref().unwrap_or_else(|| Path::new(".")));
            return Status::from(&error);
        }
    };
    let lines = match lines::listen() {
        Ok(lines) => lines,
        Err(error) => {
            out::stderr(&format!("error: stdin cannot be read: {error}\n"));
            return Status::Failed;
        }
    };
    let mut session = Session { watch: Watch::new(&experiment), experiment, every: 0, with_agents: false };
    if session.greet().is_some() {
        session.serve(&lines, args.realtime);
    }
    Status::Done
}

/// Something happened; one line of output.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event {
    Hello(Hello),
    State(Standing),
}

/// The conversation. What gives nothing ends it: `quit`, or nobody reads any more.
struct Session {
    experiment: Experiment,
    watch: Watch,
    /// Ticks between two states, 0 for none.
    every: u64,
    with_agents: bool,
}

impl Session {
    fn greet(&mut self) -> Option<()> {
        tell(&Event::Hello(self.experiment.hello(PROTOCOL)))?;
        self.tell_state()?;
        self.tell_news()
    }

    /// Answers line by line; with `realtime`, makes the ticks that are due meanwhile.
    fn serve(&mut self, lines: &Receiver<Line>, realtime: bool) -> Option<()> {
        let mut pace = realtime.then(|| Pace::new(self.experiment.world().dt()));
        loop {
            let line = match &mut pace {
                None => lines.recv().map_err(RecvTimeoutError::from),
                Some(pace) => {
                    if pace.left().is_zero() {
                        self.tick()?;
                        pace.advance();
                    }
                    lines.recv_timeout(pace.left())
                }
            };
            match line {
                Ok(line) => self.answer(line)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn answer(&mut self, line: Line) -> Option<()> {
        let (id, asked) = line.map_or_else(|problem| (Value::Null, Err(problem)), |line| request::read(&line));
        let quits = matches!(asked, Ok(Ask::Quit));
        let done = match asked {
            Ok(Ask::Step(span)) => match span.ticks(self.experiment.world().dt()) {
                Ok(ticks) => Ok(self.step(ticks)?),
                Err(problem) => Err(problem),
            },
            Ok(ask) => self.obey(ask),
            Err(problem) => Err(problem),
        };
        self.tell_news()?;
        let mut reply = Map::new();
        reply.insert("id".to_owned(), id);
        reply.insert("ok".to_owned(), Value::Bool(done.is_ok()));
        reply.insert("tick".to_owned(), self.experiment.ticks().into());
        match done {
            Ok(Value::Object(body)) => reply.extend(body),
            Ok(_) => {}
            Err(problem) => drop(reply.insert("error".to_owned(), error(&problem))),
        }
        tell(&reply).filter(|()| !quits)
    }

    fn step(&mut self, ticks: u64) -> Option<Value> {
        for _ in 0..ticks {
            self.tick()?;
        }
        let hash = hash_text(self.experiment.hash());
        Some(json!({ "time": self.experiment.time(), "hash": hash }))
    }

    /// Does what needs no time; yields the fields of the answer.
    fn obey(&mut self, ask: Ask) -> Result<Value, Problem> {
        let yard = &mut self.experiment;
        Ok(match ask {
            Ask::State => plain(&yard.standing(false)),
            Ask::Form(order) => {
                let group = yard.order_formation(&order)?;
                self.watch.expect_order(group);
                Value::Null
            }
            Ask::March(order) => {
                yard.order_march(&order)?;
                Value::Null
            }
            Ask::Send { to, name, value } => json!({ "told": yard.send_message(&to, &name, value.as_ref())? }),
            Ask::Set { address, value } => {
                yard.assign_value(&address, &value)?;
                Value::Null
            }
            Ask::Get(address) => parameter(yard, &address)?,
            Ask::Agents(group) => {
                let name = group.as_deref().map(|name| yard.group_named(name).map(|_index| name)).transpose()?;
                let rows = yard.agent_rows().filter(|row| name.is_none_or(|name| row.group == name));
                json!({ "agents": rows.collect::<Vec<_>>() })
            }
            Ask::Remove(agents) => json!({ "removed": yard.remove_numbered(&agents)? }),
            Ask::Reset { keep_edits } => {
                yard.reset(keep_edits);
                self.watch.start(yard);
                plain(&yard.standing(false))
            }
            Ask::Report => json!({ "report": yard.report() }),
            Ask::Subscribe { every, agents } => {
                (self.every, self.with_agents) = (every, agents);
                Value::Null
            }
            // `quit` ends the session with its answer; a step is made where it can be cut short.
            Ask::Quit | Ask::Step(_) => Value::Null,
        })
    }

    fn tick(&mut self) -> Option<()> {
        self.experiment.tick();
        self.tell_news()?;
        if self.every > 0 && self.experiment.ticks().is_multiple_of(self.every) { self.tell_state() } else { Some(()) }
    }

    fn tell_state(&mut self) -> Option<()> {
        tell(&Event::State(self.experiment.standing(self.with_agents)))
    }

    fn tell_news(&mut self) -> Option<()> {
        let news: Vec<News> = self.watch.news(&self.experiment);
        news.iter().try_for_each(tell)
    }
}

/// Writes a line; nothing if nobody reads.
fn tell(line: &impl Serialize) -> Option<()> {
    out::json_line(line).then_some(())
}

/// Plain data as JSON, which cannot fail.
fn plain(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn parameter(yard: &Experiment, address: &str) -> Result<Value, Problem> {
    let param = yard.param(address)?;
    let value = |value: &ParamValue| match value {
        ParamValue::Number(number) => json!(number),
        ParamValue::Flag(flag) => json!(flag),
        ParamValue::Vector(vector) => json!(vector.to_array()),
        ParamValue::Text(text) => json!(text),
    };
    Ok(json!({
        "address": param.address, "value": value(&param.value), "default": value(&param.default),
        "min": param.min, "max": param.max, "unit": param.unit, "about": param.about,
    }))
}

/// What is wrong: the parts of a problem that are known.
fn error(problem: &Problem) -> Value {
    let mut error = Map::new();
    error.insert("code".to_owned(), json!(problem.code));
    error.insert("message".to_owned(), json!(problem.message));
    error.extend(problem.hint.as_ref().map(|hint| ("hint".to_owned(), json!(hint))));
    error.extend(problem.file.as_ref().map(|file| ("file".to_owned(), json!(file))));
    error.extend(problem.line.map(|line| ("line".to_owned(), json!(line))));
    Value::Object(error)
}
