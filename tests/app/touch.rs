//! Sliders that come first, and sliders for fingers.

use std::sync::Arc;

use eframe::egui::{Event, Key, Modifiers, Pos2, TouchDeviceId, TouchId, TouchPhase, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::DVec3;
use swarmyard::app::Workbench;
use swarmyard::app::state::Settings;
use swarmyard::app::yard::camera::View;
use swarmyard::app::yard::touch::TARGET;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::{Frame, PanelRow, Param, ParamValue, Section};

use super::fake::{self, Fake};
use super::{Window, click, key, open, screen};

/// A school with six sliders that come first, and one that does not.
fn school() -> Frame {
    let mut frame = fake::drill_frame();
    let blank = frame.parameters[0].clone();
    let param = |address: &str, value: f64, (low, high): (f64, f64), unit: &str| Param {
        address: address.to_owned(),
        label: address.rsplit('.').next().unwrap_or_default().to_owned(),
        section: Section::Behavior,
        value: ParamValue::Number(value),
        default: ParamValue::Number(value),
        reach: Some((low, high)),
        min: Some(0.0),
        max: None,
        unit: unit.to_owned(),
        ..blank.clone()
    };
    frame.parameters = Arc::new([
        param("drill.count", 200.0, (0.0, 3000.0), "agents"),
        param("drill.separation.weight", 1.6, (0.0, 5.0), ""),
        param("drill.alignment.weight", 0.9, (0.0, 3.0), ""),
        param("drill.cohesion.weight", 0.7, (0.0, 3.0), ""),
        param("drill.top", 2.5, (0.0, 8.0), "m/s"),
        param("drill.cone", 2.44, (0.2, 3.15), "rad"),
        param("drill.variety", 0.2, (0.0, 1.0), ""),
    ]);
    frame.forces = Arc::new([]);
    frame.groups[0].formation = None;
    frame.groups[0].contract = None;
    frame.groups[0].panel = [
        ("count", "count"),
        ("separation.weight", "separation"),
        ("alignment.weight", "alignment"),
        ("cohesion.weight", "cohesion"),
        ("top", "max speed"),
        ("cone", "cone half angle"),
    ]
    .map(|(below, label)| PanelRow { address: format!("drill.{below}"), label: label.to_owned() })
    .to_vec();
    frame
}

const FOUR: [&str; 4] = ["separation", "alignment", "cohesion", "max speed"];

fn open_at(size: Vec2, settings: Settings) -> (Arc<Fake>, Window) {
    let session = Fake::with(school());
    let taken = Arc::clone(&session);
    let mut window = Harness::builder()
        .with_size(size)
        .build_eframe(move |cc| Workbench::with_settings(&cc.egui_ctx, taken, settings, true));
    window.run_steps(4);
    (session, window)
}

fn finger(window: &Window, id: u64, phase: TouchPhase, pos: Pos2) {
    window.event(Event::Touch { device_id: TouchDeviceId(1), id: TouchId(id), phase, pos, force: None });
}

/// The large sliders by name: those that are as high as a finger.
fn large<'a>(window: &'a Window, name: &'a str) -> Option<egui_kittest::Node<'a>> {
    window.query_all_by_label(name).find(|node| node.rect().height() >= TARGET)
}

#[test]
fn the_sliders_that_come_first_stand_alone_and_the_rest_is_folded_away() {
    let session = Fake::with(school());
    let mut window = open(&session, Settings::default());
    let count = window.get_all_by_label("count").find(|node| node.accesskit_node().numeric_value().is_some());
    count.expect("a field carries the name").set_value_accesskit(3000.0);
    window.run_steps(3);
    let wanted = Command::SetParam { address: "drill.count".to_owned(), value: ParamValue::Number(3000.0) };
    assert!(session.sent().contains(&wanted), "{:?}", session.sent());
    for name in FOUR {
        assert!(window.query_all_by_label(name).next().is_some(), "{name}");
    }
    assert!(window.query_by_label("variety").is_none(), "it changes nothing that one sees soon");
    click(&mut window, "Advanced");
    window.run_steps(10);
    assert!(window.query_all_by_label("variety").next().is_some());
}

#[test]
fn a_filter_finds_what_is_folded_away() {
    let session = Fake::with(school());
    let mut window = open(&session, Settings::default());
    window.get_by_label("Show only parameters whose address contains this").focus();
    window.run_steps(2);
    window.get_by_label("Show only parameters whose address contains this").type_text("variety");
    window.run_steps(12);
    assert!(window.query_all_by_label("variety").next().is_some());
    assert!(window.query_all_by_label("separation").next().is_none());
}

#[test]
fn without_sliders_that_come_first_nothing_is_folded_away() {
    let window = open(&Fake::drill(), Settings::default());
    assert!(window.query_by_label("Advanced").is_none());
}

#[test]
fn four_sliders_for_fingers_stand_below_the_yard_at_any_size() {
    let settings = Settings { hints_dismissed: [true; 3], touch_sliders: Some(true), ..Settings::default() };
    for size in [vec2(1280.0, 800.0), vec2(800.0, 600.0), vec2(600.0, 900.0)] {
        let (_, window) = open_at(size, settings.clone());
        let yard = window.state().state().yard.rect;
        assert!(yard.height() > 180.0, "{size:?}: the yard has {} points left", yard.height());
        let rects: Vec<_> = FOUR
            .iter()
            .map(|name| large(&window, name).unwrap_or_else(|| panic!("{size:?}: no slider {name}")).rect())
            .collect();
        for (i, rect) in rects.iter().enumerate() {
            assert!(rect.top() >= yard.bottom(), "{size:?}: {} covers the yard", FOUR[i]);
            assert!(rect.width() >= 2.0 * TARGET && rect.right() <= size.x && rect.bottom() <= size.y, "{rect:?}");
            assert!(rects[..i].iter().all(|other| !other.shrink(1.0).intersects(*rect)), "{size:?}: two overlap");
        }
    }
}

#[test]
fn they_are_a_command_and_come_by_themselves_when_a_finger_touches() {
    let (_, mut window) = open_at(vec2(1280.0, 800.0), Settings::default());
    assert!(large(&window, "separation").is_none());
    key(&mut window, Modifiers::NONE, Key::T);
    assert!(large(&window, "separation").is_some());
    key(&mut window, Modifiers::NONE, Key::T);
    assert!(large(&window, "separation").is_none());
    finger(&window, 1, TouchPhase::Start, Pos2::new(500.0, 400.0));
    window.run_steps(3);
    assert!(large(&window, "separation").is_none(), "who put them away does not get them back");

    let (_, mut window) = open_at(vec2(1280.0, 800.0), Settings::default());
    finger(&window, 1, TouchPhase::Start, Pos2::new(500.0, 400.0));
    window.run_steps(3);
    assert!(large(&window, "separation").is_some());
}

#[test]
fn a_finger_on_a_slider_sets_the_value_under_it() {
    let settings = Settings { touch_sliders: Some(true), ..Settings::default() };
    let (session, mut window) = open_at(vec2(800.0, 600.0), settings);
    let rect = large(&window, "max speed").expect("it is shown").rect();
    super::drag(&mut window, rect.left_center() + vec2(30.0, 0.0), vec2(rect.width() - 32.0, 0.0));
    let values: Vec<f64> = session
        .sent()
        .into_iter()
        .filter_map(|command| match command {
            Command::SetParam { address, value: ParamValue::Number(value) } if address == "drill.top" => Some(value),
            _ => None,
        })
        .collect();
    assert!(values.is_sorted() && values.len() >= 3, "it follows the finger: {values:?}");
    assert_eq!(values.last(), Some(&8.0), "the end can be reached");
}

#[test]
fn two_fingers_pan_and_zoom_and_send_nothing() {
    let (session, mut window) = open_at(vec2(1280.0, 800.0), Settings::default());
    let middle = window.state().state().yard.rect.center();
    let fingers = |window: &mut Window, phase, at: Pos2, half: f32| {
        finger(window, 1, phase, at - vec2(half, 0.0));
        finger(window, 2, phase, at + vec2(half, 0.0));
        window.run_steps(1);
    };
    // The first finger is a pointer too, as on a real screen: what it began alone is forgotten.
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: eframe::egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    window.hover_at(middle - vec2(60.0, 0.0));
    window.event(button(middle - vec2(60.0, 0.0), true));
    fingers(&mut window, TouchPhase::Start, middle, 60.0);
    let before = window.state().state().yard.camera;
    let held = View::new(before, window.state().state().yard.rect).ground(middle).expect("from above");
    for step in 1..=5 {
        let share = step as f32 / 5.0;
        window.hover_at(middle + vec2(50.0, 30.0) * share - vec2(60.0 + 60.0 * share, 0.0));
        fingers(&mut window, TouchPhase::Move, middle + vec2(50.0, 30.0) * share, 60.0 + 60.0 * share);
    }
    window.event(button(middle + vec2(50.0 - 120.0, 30.0), false));
    fingers(&mut window, TouchPhase::End, middle + vec2(50.0, 30.0), 120.0);
    let after = window.state().state().yard.camera;
    let times = after.zoom / before.zoom;
    assert!((1.7..2.3).contains(&times), "twice as far apart is twice as large: {times}");
    let now = screen(&window, DVec3::new(held.x, held.y, 0.0));
    assert!(now.distance(middle + vec2(50.0, 30.0)) < 12.0, "what was between the fingers is at {now:?}");
    assert!(session.sent().is_empty() && window.state().state().picked.is_empty());
}
