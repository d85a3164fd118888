//! The drill in the window: overlays, contract and controller in words, orders to the machine.

use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::DVec3;
use swarmyard::app::state::Settings;
use swarmyard::app::yard::field::{self, Overlays, Reach};
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::{Frame, ParamValue, TermView};

use super::fake::{self, Fake};
use super::{Window, click, drill, key, open};

fn overlays(window: &Window) -> Overlays {
    window.state().state().settings.overlays
}

#[test]
fn overlays_are_keys_menu_and_boxes_and_are_remembered() {
    let (_session, mut window) = drill();
    assert_eq!(
        overlays(&window),
        Overlays { base_lines: true, repulsion: false, trails: false, mesh: false, density: false, ghosts: true }
    );
    key(&mut window, Modifiers::SHIFT, Key::F);
    key(&mut window, Modifiers::SHIFT, Key::T);
    assert_eq!(
        overlays(&window),
        Overlays { base_lines: true, repulsion: true, trails: true, mesh: false, density: false, ghosts: true }
    );
    click(&mut window, "View");
    click(&mut window, "Trails");
    assert!(!overlays(&window).trails);
    let settings = window.state().state().settings.clone();
    let again = open(&Fake::drill(), settings);
    assert_eq!(
        overlays(&again),
        Overlays { base_lines: true, repulsion: true, trails: false, mesh: false, density: false, ghosts: true }
    );
    // Settings of an earlier version lack them.
    let settings: Settings = ron::from_str("(layout: \"\")").expect("what is missing has a default");
    assert!(settings.overlays.base_lines);
}

#[test]
fn all_overlays_are_drawn_in_both_views_also_with_numbers_that_are_none() {
    let mut frame = fake::drill_frame();
    let mut walls = frame.parameters.to_vec();
    walls.push(radius("drill.soft_wall.radius", "soft_wall", 0.6));
    frame.parameters = walls.into();
    frame.agents.position[3] = DVec3::splat(f64::NAN);
    let session = Fake::with(frame);
    let overlays =
        Overlays { base_lines: true, repulsion: true, trails: true, mesh: false, density: false, ghosts: true };
    let mut window = open(&session, Settings { overlays, ..Settings::default() });
    click(&mut window, "Play");
    for _ in 0..20 {
        session.tick();
        window.run_steps(1);
    }
    key(&mut window, Modifiers::NONE, Key::P);
    window.get_by_label("Yard with 20 agents");
}

fn radius(address: &str, force: &str, value: f64) -> swarmyard::experiment::frame::Param {
    let mut param = fake::drill_frame().parameters[0].clone();
    (param.address, param.label) = (address.to_owned(), "radius".to_owned());
    (param.force, param.value) = (Some(force.to_owned()), ParamValue::Number(value));
    param
}

#[test]
fn the_field_reaches_as_far_as_the_forces_that_act() {
    let mut frame = fake::drill_frame();
    let params = [("soft_wall", 0.6), ("separation", 1.5), ("alignment", 9.0)];
    frame.parameters = params.map(|(force, value)| radius(&format!("drill.{force}.radius"), force, value)).into();
    assert_eq!(field::reaches(&frame), [Reach { agents: 1.5, obstacles: 0.6 }]);
    let mut forces = frame.forces.to_vec();
    (forces[0].name, forces[0].state, forces[0].enabled) = ("separation".to_owned(), None, false);
    frame.forces = forces.into();
    assert_eq!(field::reaches(&frame), [Reach { agents: 0.6, obstacles: 0.6 }]);
    assert!(field::reaches(&Frame::default()).is_empty());
}

#[test]
fn the_contract_is_changed_in_words_and_shows_what_is() {
    let (session, mut window) = drill();
    let field = |window: &Window, name: &str| {
        let mut nodes = window.get_all_by_label(name);
        nodes.any(|node| node.accesskit_node().numeric_value().is_some())
    };
    assert!(field(&window, "Allowed spacing error"));
    let node = window.get_all_by_label("Allowed spacing error").find(|n| n.accesskit_node().numeric_value().is_some());
    node.expect("the control carries the words").set_value_accesskit(0.1);
    window.run_steps(3);
    let wanted = Command::SetParam { address: "drill.contract.spacing".to_owned(), value: ParamValue::Number(0.1) };
    assert!(session.sent().contains(&wanted), "{:?}", session.sent());

    // The gain stands under the parameter of the machine, since its force is bound to it.
    let node = window.get_all_by_label("Pull to the place k1").find(|n| n.accesskit_node().numeric_value().is_some());
    node.expect("the control carries the words").set_value_accesskit(2.0);
    window.run_steps(3);
    let wanted = Command::SetParam { address: "drill.k1".to_owned(), value: ParamValue::Number(2.0) };
    assert!(session.sent().contains(&wanted), "{:?}", session.sent());
    // A term that does not hold is marked.
    assert!(field(&window, "× Allowed cross-track error ε"));
    session.change(|frame| {
        let contract = frame.groups[0].contract.as_mut().expect("it has one");
        contract.terms[0] = TermView { value: Some(0.2), ok: Some(false), ..contract.terms[0].clone() };
    });
    window.run_steps(2);
    assert!(field(&window, "× Allowed spacing error"));
}

#[test]
fn a_group_without_a_formation_has_no_drill() {
    let mut frame = fake::drill_frame();
    (frame.groups[0].formation, frame.groups[0].contract) = (None, None);
    let window = open(&Fake::with(frame), Settings::default());
    assert!(window.query_by_label("Drill").is_none() && window.query_by_label("Pull to the place k1").is_none());
    window.get_by_label("Behavior");
}

#[test]
fn events_of_the_machine_are_buttons_and_in_the_palette() {
    let (session, mut window) = drill();
    click(&mut window, "Groups");
    click(&mut window, "Send halt to drill");
    let halt = Command::SendEvent { group: "drill".to_owned(), name: "halt".to_owned(), value: None };
    assert_eq!(session.sent(), [halt]);
    key(&mut window, Modifiers::COMMAND, Key::P);
    window.get_by_label("Find a command").type_text("send form_up");
    window.run_steps(2);
    key(&mut window, Modifiers::NONE, Key::Enter);
    let form_up = Command::SendEvent { group: "drill".to_owned(), name: "form_up".to_owned(), value: None };
    assert_eq!(session.sent().last(), Some(&form_up));
}
