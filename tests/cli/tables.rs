//! The reference part of the manual is written from the program's own tables; this test says when it is old.
//!
//! `UPDATE_MANUAL=1 cargo test --test cli` writes it anew.

use std::fmt::Write as _;

use swarmyard::formation::{self, NATIVES};
use swarmyard::measure::Metric;
use swarmyard::script::api::fields::{self, FieldInfo};
use swarmyard::steer::behavior::BEHAVIORS;
use swarmyard::steer::registry::FORCES;

use crate::program::package;

/// The line below which the page is written by this file.
const MARK: &str = "<!-- Below: written from the program's tables by `UPDATE_MANUAL=1 cargo test --test cli`. -->";

#[test]
fn the_reference_of_the_manual_is_that_of_the_program() {
    let path = package().join("scripts/README.md");
    let page = std::fs::read_to_string(&path).expect("the manual is there");
    let by_hand = page.split(MARK).next().unwrap_or_default().trim_end();
    let wanted = format!("{by_hand}\n\n{MARK}\n{}", reference());
    if std::env::var_os("UPDATE_MANUAL").is_some() {
        std::fs::write(&path, &wanted).expect("the manual can be written");
    } else {
        assert!(page == wanted, "scripts/README.md is old: UPDATE_MANUAL=1 cargo test --test cli");
    }
}

#[test]
fn the_definition_file_is_that_of_the_program() {
    let path = package().join("scripts/yard.d.luau");
    let wanted = swarmyard::script::types::text();
    if std::env::var_os("UPDATE_MANUAL").is_some() {
        std::fs::write(&path, &wanted).expect("the definition file can be written");
    } else {
        let shipped = std::fs::read_to_string(&path).expect("scripts/yard.d.luau is there");
        assert!(shipped == wanted, "scripts/yard.d.luau is old: run `swarmyard types`");
    }
}

fn reference() -> String {
    let mut text = String::new();
    fields_table(&mut text, "agent", "The subject of most callbacks; read-only but for `memory`.", fields::AGENT);
    fields_table(&mut text, "row", "Another agent, as queries give it.", fields::ROW);
    fields_table(&mut text, "wall", "What `agent:obstacles` gives.", fields::WALL);
    fields_table(&mut text, "event", "What `on`, `when` and `enter` are told.", fields::EVENT);
    fields_table(&mut text, "group", "What a metric and `world:group` get.", fields::GROUP);
    fields_table(&mut text, "world", "What a director acts on.", fields::WORLD);
    fields_table(&mut text, "yard", "The one global table.", fields::YARD);
    fields_table(&mut text, "yard.steer", "Accelerations, and a turn rate.", fields::STEER);
    fields_table(&mut text, "yard.desired", "Velocities, for `control = \"velocity\"`.", fields::DESIRED);
    fields_table(&mut text, "yard.draw", "Marks of the debug layer.", fields::DRAW);
    forces(&mut text);
    formations(&mut text);
    metrics(&mut text);
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string can be written to");
}

/// A cell of a table: `|` would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn fields_table(text: &mut String, name: &str, about: &str, fields: &[FieldInfo]) {
    line(text, &format!("\n## {name}\n\n{about}\n\n| name | type | |\n| --- | --- | --- |"));
    for field in fields {
        line(text, &format!("| `{}` | `{}` | {} |", field.name, cell(field.luau), cell(field.about)));
    }
}

fn forces(text: &mut String) {
    line(text, "\n## native forces\n\n| name | unit | | parameters |\n| --- | --- | --- | --- |");
    for force in FORCES {
        let params = force.specs().into_iter().map(|spec| match spec.unit.as_str() {
            "" => format!("`{}` {}", spec.name, spec.default),
            unit => format!("`{}` {} {unit}", spec.name, spec.default),
        });
        let params: Vec<String> = params.collect();
        line(
            text,
            &format!("| `{}` | {} | {} | {} |", force.name, force.unit, cell(force.about), cell(&params.join(", "))),
        );
    }
    line(text, "\n## native behaviors\n\n| name | |\n| --- | --- |");
    for behavior in BEHAVIORS {
        line(text, &format!("| `{}` | {} |", behavior.name, cell(behavior.about)));
    }
}

fn formations(text: &mut String) {
    line(text, "\n## native formations\n\n| name | | parameters |\n| --- | --- | --- |");
    for native in NATIVES {
        let params = native.params.iter().map(|param| match (param.default(), param.unit) {
            (formation::Value::Number(number), "") => format!("`{}` {number}", param.name),
            (formation::Value::Number(number), unit) => format!("`{}` {number} {unit}", param.name),
            (formation::Value::Choice(word), _) => format!("`{}` {word}", param.name),
        });
        let params: Vec<String> = params.collect();
        line(text, &format!("| `{}` | {} | {} |", native.name, cell(native.about), cell(&params.join(", "))));
    }
}

fn metrics(text: &mut String) {
    line(text, "\n## native metrics\n\n| name | unit | |\n| --- | --- | --- |");
    for metric in Metric::ALL {
        let info = metric.info();
        line(text, &format!("| `{}` | {} | {} |", info.id, info.unit, cell(info.about)));
    }
}
