//! What the debug layer shows of agents: circles and cones with their radii, links, named arrows, cells; each with its switch.

use std::sync::Arc;

use eframe::egui::{Key, Modifiers, Rect, Shape, epaint::ClippedShape};
use egui_kittest::kittest::Queryable as _;
use glam::DVec3;
use swarmyard::app::yard::bodies::Shown;
use swarmyard::app::yard::layers::{DebugLayer, Layers};
use swarmyard::app::yard::senses::links;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::{AgentKey, Frame, LookKind, LookView, SensesView, Watch};
use swarmyard::experiment::session::Session as _;

use super::fake::Fake;
use super::{Window, click, drill, key, press_at, screen_of_agent};

fn texts_of(shape: &Shape, out: &mut Vec<(String, Rect)>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts_of(shape, out)),
        Shape::Text(text) => out.push((text.galley.text().to_owned(), text.visual_bounding_rect())),
        _ => {}
    }
}

/// Every text that is painted, with its place.
fn painted(window: &Window) -> Vec<(String, Rect)> {
    let mut texts = Vec::new();
    for ClippedShape { shape, .. } in &window.output().shapes {
        texts_of(shape, &mut texts);
    }
    texts
}

fn is_painted(window: &Window, text: &str) -> bool {
    painted(window).iter().any(|(painted, _)| painted == text)
}

fn last_watch(session: &Fake) -> Option<Watch> {
    let watch = |command| if let Command::Watch(watch) = command { Some(watch) } else { None };
    session.sent().into_iter().filter_map(watch).next_back()
}

/// The drill with agent 5 picked and the debug layer shown.
fn debugging() -> (Arc<Fake>, Window) {
    let (session, mut window) = drill();
    let at = screen_of_agent(&window, 5);
    press_at(&mut window, at, Modifiers::NONE);
    key(&mut window, Modifiers::NONE, Key::Tab);
    window.run_steps(3);
    (session, window)
}

#[test]
fn senses_are_asked_for_only_while_they_are_shown() {
    let (session, mut window) = drill();
    assert_eq!(last_watch(&session), None, "nothing costs anything while the layer is hidden");
    key(&mut window, Modifiers::NONE, Key::Tab);
    let all: Vec<AgentKey> = (0..20).map(|slot| AgentKey::new(slot, 0)).collect();
    assert_eq!(last_watch(&session), Some(Watch { agents: all, cells: true, ..Watch::default() }), "few show all");
    let at = screen_of_agent(&window, 5);
    press_at(&mut window, at, Modifiers::NONE);
    let picked = vec![AgentKey::new(5, 0)];
    assert_eq!(last_watch(&session), Some(Watch { agents: picked.clone(), cells: true, ..Watch::default() }));
    key(&mut window, Modifiers::SHIFT, Key::P);
    key(&mut window, Modifiers::SHIFT, Key::S);
    key(&mut window, Modifiers::SHIFT, Key::G);
    assert_eq!(
        last_watch(&session),
        Some(Watch { agents: picked, cells: false, ..Watch::default() }),
        "the links still need them"
    );
    key(&mut window, Modifiers::SHIFT, Key::L);
    assert_eq!(last_watch(&session), Some(Watch::default()));
    key(&mut window, Modifiers::SHIFT, Key::L);
    key(&mut window, Modifiers::NONE, Key::Tab);
    assert_eq!(last_watch(&session), Some(Watch::default()));
}

#[test]
fn arrows_carry_names_and_sizes_that_do_not_cover_each_other() {
    let (_session, window) = debugging();
    let texts = painted(&window);
    let names = ["track_slot 1.79 m/s", "soft_wall 0.95 m/s", "obstacle 1.12 m/s"];
    let circles = ["alignment 3.00 m ±115°", "separation 1.50 m"];
    let rects: Vec<Rect> = names
        .iter()
        .chain(&circles)
        .map(|name| texts.iter().find(|(text, _)| text == name).unwrap_or_else(|| panic!("{name}: {texts:?}")).1)
        .collect();
    for (i, a) in rects.iter().enumerate() {
        assert!(rects[i + 1..].iter().all(|b| !a.intersects(*b)), "label {i} is covered: {rects:?}");
    }
    // The scale of the arrows and the sides of the cells are stated.
    assert!(is_painted(&window, "forces: this long is 2 m/s"), "{texts:?}");
    assert!(is_painted(&window, "cells 1.00 × 3.00 m · 2 filled · fullest 3"), "{texts:?}");
}

#[test]
fn each_part_has_its_own_switch_by_key_menu_and_box() {
    let (_session, mut window) = debugging();
    let parts = [
        (Key::A, "track_slot 1.79 m/s"),
        (Key::P, "alignment 3.00 m ±115°"),
        (Key::S, "separation 1.50 m"),
        (Key::G, "cells 1.00 × 3.00 m · 2 filled · fullest 3"),
    ];
    for (pressed, text) in parts {
        assert!(is_painted(&window, text), "{text}");
        key(&mut window, Modifiers::SHIFT, pressed);
        let others = parts.iter().filter(|other| other.1 != text);
        assert!(!is_painted(&window, text), "{text} is still there");
        assert!(others.clone().all(|other| is_painted(&window, other.1)), "only {text} was switched");
        key(&mut window, Modifiers::SHIFT, pressed);
        assert!(is_painted(&window, text), "{text} came not back");
    }
    click(&mut window, "Layers");
    window.get_by_label("Neighbor links").click();
    window.run_steps(3);
    let wanted = Layers { links: false, ..Layers::default() };
    assert_eq!(window.state().state().yard.layers, wanted);
}

#[test]
fn a_part_that_is_asked_for_while_the_layer_is_hidden_is_shown() {
    let (session, mut window) = drill();
    key(&mut window, Modifiers::SHIFT, Key::G);
    let yard = &window.state().state().yard;
    assert!(yard.debug && yard.layers == Layers::default());
    assert!(session.sent().contains(&Command::ShowDebug(true)));
    let mut layers = Layers::default();
    for part in DebugLayer::ALL {
        layers.toggle(part, true);
        assert!(!*layers.of(part));
        layers.toggle(part, false);
        assert!(*layers.of(part), "{part:?}");
    }
}

#[test]
fn there_is_one_link_to_each_agent_that_some_force_sees() {
    let (session, _window) = debugging();
    let frame = session.frames().latest;
    let shown: Vec<Shown> = (0..frame.agents.len())
        .map(|row| Shown { position: frame.agents.position[row], heading: frame.agents.heading[row] })
        .collect();
    let found: usize = frame.senses[0].looks.iter().map(|look| look.found.len()).sum();
    let links = links(&frame, &shown);
    // Alignment (3 m) sees two on each side at 1.2 m, separation (1.5 m) one of them again.
    let mut seen: Vec<u32> = links.iter().map(|link| link.to.slot()).collect();
    seen.sort_unstable();
    assert_eq!((found, seen), (6, vec![3, 4, 6, 7]));
    for link in &links {
        let rows = (frame.agents.row(link.from).expect("it is there"), frame.agents.row(link.to).expect("it is there"));
        assert_eq!(link.ends, (frame.agents.position[rows.0], frame.agents.position[rows.1]));
    }
}

#[test]
fn a_link_over_the_seam_leaves_the_area_on_the_short_way() {
    let mut frame = Frame::default();
    for (slot, x) in [(0, 9.5), (1, -9.5)] {
        frame.agents.key.push(AgentKey::new(slot, 0));
        frame.agents.position.push(DVec3::new(x, 0.0, 0.0));
    }
    let found = vec![(AgentKey::new(1, 0), DVec3::X)];
    let look = LookView { radius: 2.0, kind: LookKind::Flock, found, ..LookView::default() };
    frame.senses = Arc::new([SensesView { key: AgentKey::new(0, 0), looks: vec![look] }]);
    let shown: Vec<Shown> = frame.agents.position.iter().map(|&position| Shown { position, heading: 0.0 }).collect();
    let links = links(&frame, &shown);
    assert_eq!(links[0].ends, (DVec3::new(9.5, 0.0, 0.0), DVec3::new(10.5, 0.0, 0.0)));
}
