//! The tool that leads: the first agent of a leading group goes to the pointer, or where the arrow keys say.
//!
//! What steers are commands, one per pass at most; the experiment does the rest.

use eframe::egui::{Key, Pos2, Ui};
use glam::DVec3;

use crate::experiment::command::{Command, Lead};
use crate::experiment::frame::Frame;

use super::super::state::Cx;
use super::camera::View;
use super::tool::Tool;

/// The pointer has to move so far before the leader gets another goal, m.
const STEP: f64 = 0.05;

/// Keys with the way they push, from above: +y is up.
const ARROWS: [(Key, DVec3); 4] = [
    (Key::ArrowLeft, DVec3::NEG_X),
    (Key::ArrowRight, DVec3::X),
    (Key::ArrowUp, DVec3::Y),
    (Key::ArrowDown, DVec3::NEG_Y),
];

/// Whether a key steers while the tool is taken.
pub fn steers(key: Key) -> bool {
    ARROWS.iter().any(|(arrow, _)| *arrow == key)
}

/// Who is led, and what was sent last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leading {
    /// The group whose first agent is led.
    group: Option<String>,
    /// The last goal, m.
    to: Option<DVec3>,
    /// The last push of the keys.
    push: DVec3,
}

/// Steers while the tool is taken, and lets go once it is put away.
pub fn lead(ui: &Ui, cx: &mut Cx<'_>, view: &View, pointer: Option<Pos2>) {
    let on = cx.state.yard.tool == Tool::Lead;
    let group = if on { leading_group(cx) } else { None };
    let mut leading = std::mem::take(&mut cx.state.yard.leading);
    if leading.group != group {
        if let Some(group) = leading.group.take() {
            cx.send(Command::Lead { group, lead: Lead::Release });
        }
        leading = Leading { group, ..Leading::default() };
    }
    if let Some(name) = leading.group.clone() {
        let speed = cx.frame.groups.iter().find(|group| group.name == name).map_or(0.0, |group| group.max_speed);
        let push = if ui.ctx().text_edit_focused() { DVec3::ZERO } else { pushed(ui) };
        if push != leading.push {
            leading.push = push;
            cx.send(Command::Lead { group: name, lead: Lead::Along(push * speed) });
            // The pointer leads again once it moves.
            leading.to = pointer.and_then(|pointer| view.ground(pointer));
        } else if push == DVec3::ZERO
            && let Some(at) = pointer.and_then(|pointer| view.ground(pointer))
            && leading.to.is_none_or(|before| before.distance(at) > STEP)
        {
            leading.to = Some(at);
            cx.send(Command::Lead { group: name, lead: Lead::To(at) });
        }
    }
    cx.state.yard.leading = leading;
}

/// What to do in a scene where no group follows a leader; none where one does.
pub fn advice(frame: &Frame) -> Option<String> {
    if frame.groups.iter().any(|group| group.leads && group.count > 0) {
        return None;
    }
    let Some(first) = frame.groups.iter().find(|group| group.count > 0) else {
        return Some("Lead: there is nobody to lead; add an agent first".to_owned());
    };
    let name = &first.name;
    Some(format!(
        "Lead: no group follows a leader here. The first agent of `{name}` is led, if its behavior goes to a goal; for a group that follows \
         it write `leader: \"{name}\"` into the other group, as in the scene “Behind the leader”"
    ))
}

/// Which way the arrow keys push, as a unit vector; zero without one.
fn pushed(ui: &Ui) -> DVec3 {
    let sum =
        ui.input(|input| ARROWS.iter().filter(|(key, _)| input.key_down(*key)).map(|(_, push)| *push).sum::<DVec3>());
    sum.normalize_or_zero()
}

/// The group whose first agent is led: that of the picked agent if it leads somebody, else the first that does, else the first.
fn leading_group(cx: &Cx<'_>) -> Option<String> {
    let groups = &cx.frame.groups;
    let picked = cx.state.picked.first().and_then(|&key| cx.frame.agents.row(key));
    let picked = picked.and_then(|row| groups.get(usize::from(cx.frame.agents.group[row])));
    let leads = picked.filter(|group| group.leads).or_else(|| groups.iter().find(|group| group.leads));
    leads.or(picked).or_else(|| groups.first()).map(|group| group.name.clone())
}
