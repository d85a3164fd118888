//! The stages of a crowd, each with one switch: drive, then walls, then people.
//!
//! Walls and people are terms of one force, so that their strength is set to 0 and given back.

use std::collections::BTreeMap;

use eframe::egui::{RichText, Ui};

use crate::experiment::command::Command;
use crate::experiment::frame::{ForceView, Frame, Param, ParamValue};

use super::super::state::Cx;

/// Strengths by address, as they were before they were switched off.
pub type Remembered = BTreeMap<String, f64>;

/// A part of a crowd's blend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Drive,
    Walls,
    People,
}

impl Stage {
    /// In the order in which a crowd is tuned.
    const ALL: [Self; 3] = [Self::Drive, Self::Walls, Self::People];

    fn text(self) -> &'static str {
        match self {
            Self::Drive => "drive",
            Self::Walls => "walls",
            Self::People => "people",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Drive => {
                "First stage: everybody takes on the desired speed towards the goal. Off: the driving force is 0"
            }
            Self::Walls => "Second stage: nobody walks into walls. Off: the strength is 0, and comes back as it was",
            Self::People => "Third stage: people keep off each other. Off: the strength is 0, and comes back as it was",
        }
    }

    /// Names of the strengths in the forces of crowds.
    fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Drive => &[],
            Self::Walls => &["wall_A", "wall_a", "U0"],
            Self::People => &["A", "a", "V0"],
        }
    }
}

/// Forces whose strengths these are.
const CROWD: [&str; 4] = ["social_force", "moussaid", "csm", "driving"];

fn is_of_crowd(name: &str) -> bool {
    CROWD.iter().any(|stem| name.starts_with(stem))
}

fn drives(frame: &Frame, group: usize) -> Vec<&ForceView> {
    frame.forces.iter().filter(|force| force.group == group && force.name.starts_with("driving")).collect()
}

fn strengths(frame: &Frame, group: usize, stage: Stage) -> Vec<&Param> {
    let of_crowd = |param: &&Param| {
        param.group == group
            && param.force.as_deref().is_some_and(is_of_crowd)
            && stage.labels().contains(&param.label.as_str())
    };
    frame.parameters.iter().filter(of_crowd).collect()
}

fn number(value: &ParamValue) -> f64 {
    if let ParamValue::Number(number) = value { *number } else { 0.0 }
}

/// The commands that switch a stage; what is switched off is remembered.
fn switch(frame: &Frame, group: usize, stage: Stage, on: bool, kept: &mut Remembered) -> Vec<Command> {
    let forces = if stage == Stage::Drive { drives(frame, group) } else { Vec::new() };
    let forces = forces.into_iter().map(|force| Command::EnableForce { address: force.address.clone(), on });
    let mut commands: Vec<Command> = forces.collect();
    for param in strengths(frame, group, stage) {
        let now = number(&param.value);
        let to = if on { kept.remove(&param.address).unwrap_or_else(|| number(&param.default)) } else { 0.0 };
        if !on && now != 0.0 {
            kept.insert(param.address.clone(), now);
        }
        if on != (now != 0.0) {
            commands.push(Command::SetParam { address: param.address.clone(), value: ParamValue::Number(to) });
        }
    }
    commands
}

/// The switches of a group, if it is a crowd.
pub fn stages_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: usize) {
    let frame = cx.frame;
    let stages: Vec<(Stage, bool)> = Stage::ALL
        .into_iter()
        .filter_map(|stage| {
            let (forces, params) = (drives(frame, group), strengths(frame, group, stage));
            match stage {
                Stage::Drive => (!forces.is_empty()).then(|| (stage, forces.iter().all(|force| force.enabled))),
                _ => (!params.is_empty()).then(|| (stage, params.iter().any(|param| number(&param.value) != 0.0))),
            }
        })
        .collect();
    if stages.len() < 2 {
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("Stages").color(cx.tokens.text_weak));
        for (stage, was_on) in stages {
            let mut on = was_on;
            if ui.checkbox(&mut on, stage.text()).on_hover_text(stage.about()).changed() {
                let commands = switch(frame, group, stage, on, &mut cx.state.parameters.strengths);
                for command in commands {
                    cx.send(command);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::frame::{Section, ValueSource};

    fn frame(people: f64) -> Frame {
        let param = |label: &str, value: f64| Param {
            address: format!("a.social_force.{label}"),
            label: label.to_owned(),
            group: 0,
            state: None,
            force: Some("social_force".to_owned()),
            section: Section::Forces,
            value: ParamValue::Number(value),
            default: ParamValue::Number(2.0),
            min: None,
            max: None,
            reach: None,
            unit: String::new(),
            about: String::new(),
            options: Vec::new(),
            source: ValueSource::Script,
            bound: None,
        };
        Frame { parameters: vec![param("A", people), param("wall_A", 3.0)].into(), ..Frame::default() }
    }

    #[test]
    fn a_stage_goes_to_nothing_and_back_to_what_it_was() {
        let set = |value: f64| {
            let (address, value) = ("a.social_force.A".to_owned(), ParamValue::Number(value));
            vec![Command::SetParam { address, value }]
        };
        let mut kept = Remembered::new();
        assert_eq!(switch(&frame(25.0), 0, Stage::People, false, &mut kept), set(0.0));
        assert_eq!(switch(&frame(0.0), 0, Stage::People, true, &mut kept), set(25.0));
        assert!(kept.is_empty());
        // Switched off by its slider it comes back with the default.
        assert_eq!(switch(&frame(0.0), 0, Stage::People, true, &mut kept), set(2.0));
        assert_eq!(switch(&frame(25.0), 0, Stage::People, true, &mut kept), Vec::new());
    }
}
