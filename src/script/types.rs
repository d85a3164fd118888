//! `yard.d.luau`: the types of the interface for editors, written from the tables of [`super::api::fields`].

use super::api::fields::{AGENT, DESIRED, DRAW, EVENT, FieldInfo, GROUP, ROW, STEER, WALL, WORLD, YARD};

const HEAD: &str = "\
-- yard.d.luau: types of the scripting interface, written by `swarmyard types`. Plain table types with `read` fields: callbacks
-- inside a definition need no annotation.
";

const DEFINITIONS: &str = r#"type Value = number | string
type Push = (agent: Agent, p: any) -> (vector, ...number)
type Step = (agent: Agent, p: any) -> ...any
type Note = (agent: Agent, p: any, event: Event?) -> ()
type Names = {[string]: any}
type Term = { weight: Value?, scale: ((agent: Agent, p: any) -> number)?, compute: Push?, force: string?, [string]: any }
type Blend = { [string]: number | string | Term }
type Line = { from: string | {string}, to: string, when: ((agent: Agent, p: any, event: Event?) -> boolean)?,
  above: {[string]: Value}?, below: {[string]: Value}?, on: string?, after: Value?, hold: number?, label: string? }
type State = { about: string?, control: ("acceleration" | "velocity")?, forces: Blend?, step: Step?, limits: {[string]: Value}?,
  enter: Note?, exit: Note?, on: {[string]: Note}?, period: number?, behavior: string?, params: Names?, final: boolean?,
  history: boolean?, initial: string?, states: {[string]: State}?, transitions: {Line}? }
type Behavior = { about: string?, params: Names?, memory: Names?, public: {string}?, renamed: {[string]: string}?, panel: {any}?,
  control: ("acceleration" | "velocity")?, forces: Blend?, step: Step?, limits: {[string]: Value}?, enter: Note?, exit: Note?,
  on: {[string]: Note}?, period: number? }
type Machine = { about: string?, params: Names?, memory: Names?, public: {string}?, renamed: {[string]: string}?, panel: {any}?,
  control: ("acceleration" | "velocity")?, forces: Blend?, step: Step?, limits: {[string]: Value}?, enter: Note?, exit: Note?,
  on: {[string]: Note}?, period: number?, initial: string, states: {[string]: State}, transitions: {Line}? }
type Force = { about: string?, unit: string?, params: Names?, memory: Names?, public: {string}?, renamed: {[string]: string}?, compute: Push }
type Formation = { about: string?, params: Names?, renamed: {[string]: string}?, closed: boolean?,
  range: ((p: any) -> (number, number))?, curve: ((s: number, p: any, t: number) -> (number, number, number?))?,
  slots: ((n: number, p: any, t: number) -> {any})? }
type Metric = { about: string?, unit: string, params: Names?, memory: Names?, renamed: {[string]: string}?, compute: (group: Group, p: any) -> number? }
type Director = { about: string?, params: Names?, memory: Names?, renamed: {[string]: string}?, start: ((world: World, p: any) -> ())?,
  tick: ((world: World, p: any) -> ())?, on: {[string]: (world: World, p: any, event: Event) -> ()}? }
"#;

/// The whole file.
pub fn text() -> String {
    let mut text = HEAD.to_owned();
    let types = [
        ("Row", ROW),
        ("Wall", WALL),
        ("Agent", AGENT),
        ("Event", EVENT),
        ("Group", GROUP),
        ("World", WORLD),
        ("Steer", STEER),
        ("Desired", DESIRED),
        ("Draw", DRAW),
    ];
    for (name, fields) in types {
        push(&mut text, &format!("export type {name} = {{\n"));
        push_fields(&mut text, fields);
        push(&mut text, "}\n");
    }
    push(&mut text, DEFINITIONS);
    push(&mut text, "declare yard: {\n");
    for kind in super::define::Kind::ALL {
        let word = kind.word();
        let upper = format!("{}{}", word[..1].to_uppercase(), &word[1..]);
        push(&mut text, &format!("  read {word}: (def: {upper}) -> {upper},\n"));
    }
    push_fields(&mut text, YARD);
    push(&mut text, "}\n");
    text
}

fn push(text: &mut String, more: &str) {
    text.push_str(more);
}

fn push_fields(text: &mut String, fields: &[FieldInfo]) {
    for field in fields {
        push(text, &format!("  read {}: {}, -- {}\n", field.name, field.luau, field.about));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_type_file_names_every_field_once() {
        let text = super::text();
        for field in super::AGENT {
            assert!(text.contains(&format!("read {}: {}", field.name, field.luau)), "{}", field.name);
        }
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
