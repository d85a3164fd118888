//! The yard in space: views, picking by depth, what hides what, dragging, following.

use std::sync::Arc;

use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, Vec2, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use glam::{DVec2, DVec3};
use swarmyard::app::state::Settings;
use swarmyard::app::theme;
use swarmyard::app::yard::bodies::Shown;
use swarmyard::app::yard::camera::{Camera, View};
use swarmyard::app::yard::look::{Look, Side};
use swarmyard::app::yard::scene3d::Stage;
use swarmyard::app::yard::solid::{solid_at, solids};
use swarmyard::experiment::command::{Command, ObstacleShape};
use swarmyard::experiment::frame::{AgentKey, Frame, SceneInfo};

use super::fake::{self, Fake};
use super::{Window, click, key, open, press_at, screen};

/// Three flyers in a scene with heights: one ahead of the other as seen from the front, one higher up.
fn sky(places: &[DVec3]) -> Frame {
    let mut frame = fake::drill_frame();
    frame.scene = Arc::new(SceneInfo { planar: false, area: None, ..(*frame.scene).clone() });
    let agents = &mut frame.agents;
    agents.key.truncate(places.len());
    agents.position = places.to_vec();
    agents.velocity.truncate(places.len());
    agents.heading.truncate(places.len());
    agents.radius = vec![0.3; places.len()];
    agents.group.truncate(places.len());
    agents.state.truncate(places.len());
    agents.slot = vec![None; places.len()];
    agents.slot_error.truncate(places.len());
    agents.quarantined.truncate(places.len());
    frame.groups[0].formation = None;
    frame.obstacles = Arc::new([]);
    frame
}

const FLYERS: [DVec3; 3] = [DVec3::new(0.0, 6.0, 4.0), DVec3::new(0.0, -6.0, 4.0), DVec3::new(5.0, 0.0, 9.0)];

fn above_ground(places: &[DVec3]) -> (Arc<Fake>, Window) {
    let session = Fake::with(sky(places));
    let window = open(&session, Settings::default());
    (session, window)
}

fn look(window: &Window) -> Look {
    window.state().state().yard.camera.look()
}

fn drag_with(window: &mut Window, from: Pos2, by: Vec2, modifiers: Modifiers) {
    let button = |pos, pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers };
    window.hover_at(from);
    window.run_steps(1);
    window.event_modifiers(button(from, true), modifiers);
    window.run_steps(1);
    for share in [0.3, 0.7, 1.0] {
        window.event_modifiers(Event::PointerMoved(from + by * share), modifiers);
        window.run_steps(1);
    }
    window.event_modifiers(button(from + by, false), modifiers);
    window.run_steps(3);
}

/// How far agents were moved in all, and whether the drag was ended once.
fn moved(session: &Fake) -> (DVec3, usize) {
    let sent = session.sent();
    let steps = sent.iter().filter_map(|command| match command {
        Command::MoveAgents { by, last, .. } => Some((*by, usize::from(*last))),
        _ => None,
    });
    steps.fold((DVec3::ZERO, 0), |(sum, ends), (by, last)| (sum + by, ends + last))
}

#[test]
fn each_view_is_a_button_and_a_key() {
    let (_, mut window) = above_ground(&FLYERS);
    assert_eq!(look(&window), Look::Perspective, "a scene with heights opens in perspective");
    for wanted in Look::ALL {
        click(&mut window, wanted.text());
        assert_eq!(look(&window), wanted);
    }
    for wanted in Look::ALL {
        key(&mut window, Modifiers::NONE, wanted.key());
        assert_eq!(look(&window), wanted);
    }
    click(&mut window, Look::Flat(Side::Front).text());
    key(&mut window, Modifiers::NONE, Key::P);
    assert_eq!(look(&window), Look::Perspective);
    key(&mut window, Modifiers::NONE, Key::P);
    assert_eq!(look(&window), Look::Flat(Side::Front), "back to where it was");
}

#[test]
fn every_view_shows_everybody_after_it_was_taken() {
    let (_, mut window) = above_ground(&FLYERS);
    for wanted in Look::ALL {
        click(&mut window, wanted.text());
        let rect = window.state().state().yard.rect;
        for place in FLYERS {
            assert!(rect.contains(screen(&window, place)), "{wanted:?}: {place} is not in view");
        }
    }
}

#[test]
fn of_two_in_line_the_nearer_one_is_picked_whatever_their_order() {
    for (places, nearer) in [(FLYERS, 1), ([FLYERS[1], FLYERS[0], FLYERS[2]], 0)] {
        let (_, mut window) = above_ground(&places);
        click(&mut window, Look::Flat(Side::Front).text());
        let at = screen(&window, places[nearer]);
        press_at(&mut window, at, Modifiers::NONE);
        assert_eq!(window.state().state().picked, [AgentKey::new(nearer as u32, 0)]);
    }
    let above = [DVec3::new(0.0, 0.0, 9.0), DVec3::new(0.0, 0.0, 2.0)];
    let (_, mut window) = above_ground(&above);
    click(&mut window, Look::Flat(Side::Top).text());
    let at = screen(&window, above[0]);
    press_at(&mut window, at, Modifiers::NONE);
    assert_eq!(window.state().state().picked, [AgentKey::new(0, 0)], "from above the upper one is nearer");
}

#[test]
fn a_box_picks_who_is_seen_in_it() {
    let (_, mut window) = above_ground(&FLYERS);
    click(&mut window, Look::Flat(Side::Right).text());
    let (a, b) = (screen(&window, FLYERS[0]), screen(&window, FLYERS[1]));
    let from = pos2(a.x.min(b.x) - 30.0, a.y - 25.0);
    drag_with(&mut window, from, vec2((a.x - b.x).abs() + 60.0, 50.0), Modifiers::NONE);
    assert_eq!(window.state().state().picked, [AgentKey::new(0, 0), AgentKey::new(1, 0)]);
}

#[test]
fn a_drag_in_perspective_keeps_the_height_and_with_shift_or_alt_changes_nothing_else() {
    for modifiers in [Modifiers::NONE, Modifiers::SHIFT, Modifiers::ALT] {
        let (session, mut window) = above_ground(&FLYERS);
        let from = screen(&window, FLYERS[2]);
        drag_with(&mut window, from, vec2(24.0, -40.0), modifiers);
        let (by, ends) = moved(&session);
        assert_eq!(ends, 1, "one edit");
        if modifiers == Modifiers::NONE {
            assert!(by.z == 0.0 && by.length() > 0.5, "{by}");
            let under = screen(&window, FLYERS[2] + by);
            assert!(under.distance(from + vec2(24.0, -40.0)) < 1.0, "it stays under the pointer");
        } else {
            assert!(by.truncate() == DVec2::ZERO && by.z > 0.5, "{by}");
        }
    }
}

#[test]
fn a_drag_from_a_side_stays_in_the_plane_of_the_view() {
    for (side, depth) in [(Side::Front, DVec3::Y), (Side::Right, DVec3::X)] {
        let (session, mut window) = above_ground(&FLYERS);
        click(&mut window, Look::Flat(side).text());
        let from = screen(&window, FLYERS[2]);
        drag_with(&mut window, from, vec2(30.0, -20.0), Modifiers::NONE);
        let (by, _) = moved(&session);
        let zoom = window.state().state().yard.camera.zoom;
        let (right, up, _) = side.axes();
        assert_eq!(by.dot(depth), 0.0);
        assert!(
            (by.dot(right) - 30.0 / zoom).abs() < 0.02 && (by.dot(up) - 20.0 / zoom).abs() < 0.02,
            "{side:?}: {by}"
        );
    }
}

#[test]
fn in_a_flat_scene_nobody_is_lifted_off_the_ground() {
    let mut frame = sky(&[DVec3::new(0.0, 0.0, 0.0), DVec3::new(4.0, 2.0, 0.0)]);
    frame.scene = Arc::new(SceneInfo { planar: true, ..(*frame.scene).clone() });
    let session = Fake::with(frame);
    let mut window = open(&session, Settings::default());
    for wanted in [Look::Perspective, Look::Flat(Side::Front)] {
        click(&mut window, wanted.text());
        let from = screen(&window, DVec3::ZERO);
        drag_with(&mut window, from, vec2(20.0, -30.0), Modifiers::SHIFT);
    }
    assert_eq!(moved(&session).0.z, 0.0);
}

#[test]
fn a_formation_in_the_air_follows_the_pointer_and_keeps_its_height() {
    let mut frame = sky(&FLYERS);
    let formation = swarmyard::experiment::frame::FormationView {
        name: "v".to_owned(),
        origin: DVec3::new(1.0, 2.0, 8.0),
        head: DVec3::new(1.0, 2.0, 8.0),
        ..Default::default()
    };
    frame.groups[0].formation = Some(formation.clone());
    let session = Fake::with(frame);
    let mut window = open(&session, Settings::default());
    let from = screen(&window, formation.head);
    drag_with(&mut window, from, vec2(40.0, 10.0), Modifiers::NONE);
    let at = session.sent().into_iter().rev().find_map(|command| match command {
        Command::MoveFormation { at, last: true, .. } => Some(at),
        _ => None,
    });
    let at = at.expect("the drag was sent");
    assert_eq!(at.z, 8.0);
    assert!(screen(&window, at).distance(from + vec2(40.0, 10.0)) < 1.0, "it is at {at}");
}

#[test]
fn an_obstacle_taken_by_its_top_does_not_run_ahead_of_the_pointer() {
    let mut frame = sky(&FLYERS);
    let disc = ObstacleShape::Disc { at: DVec3::new(0.0, 0.0, 0.0), radius: 1.0 };
    frame.obstacles = Arc::new([fake::obstacle(1, "pillar", &disc)]);
    let session = Fake::with(frame);
    let mut window = open(&session, Settings::default());
    let top = DVec3::new(0.0, 0.0, 1.5);
    let from = screen(&window, top);
    drag_with(&mut window, from, vec2(30.0, 0.0), Modifiers::NONE);
    let to = session.sent().into_iter().rev().find_map(|command| match command {
        Command::MoveObstacle { to, last: true, .. } => Some(to),
        _ => None,
    });
    let to = to.expect("the drag was sent");
    assert_eq!(to.z, 0.0, "it stands on the ground");
    assert!(screen(&window, to + top).distance(from + vec2(30.0, 0.0)) < 1.0, "it is at {to}");
}

#[test]
fn whoever_is_followed_stays_in_the_middle_until_esc_or_a_pan() {
    let (session, mut window) = above_ground(&FLYERS);
    key(&mut window, Modifiers::NONE, Key::C);
    assert!(!window.state().state().yard.following, "nobody is picked");
    let at = screen(&window, FLYERS[2]);
    press_at(&mut window, at, Modifiers::NONE);
    click(&mut window, "Follow what is picked");
    for step in 0..3 {
        session.change(|frame| {
            frame.epoch += 1; // no interpolation: where it is, it is shown
            frame.agents.position[2] += DVec3::new(7.0, -3.0, 1.0);
        });
        window.run_steps(2);
        let wanted = FLYERS[2] + DVec3::new(7.0, -3.0, 1.0) * f64::from(step + 1);
        let camera = window.state().state().yard.camera;
        assert!(camera.center.distance(wanted) < 1e-9, "{}", camera.center);
        assert!(screen(&window, wanted).distance(window.state().state().yard.rect.center()) < 0.5);
    }
    key(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!window.state().state().yard.following);
    assert_eq!(window.state().state().picked.len(), 1, "Esc lets go of one thing at a time");
    key(&mut window, Modifiers::NONE, Key::C);
    assert!(window.state().state().yard.following);
    let middle = window.state().state().yard.rect.center();
    let button =
        |pos, pressed| Event::PointerButton { pos, button: PointerButton::Middle, pressed, modifiers: Modifiers::NONE };
    window.hover_at(middle);
    window.event(button(middle, true));
    window.run_steps(1);
    window.hover_at(middle + vec2(40.0, 20.0));
    window.run_steps(1);
    window.event(button(middle + vec2(40.0, 20.0), false));
    window.run_steps(2);
    assert!(!window.state().state().yard.following, "panning lets go");
}

#[test]
fn the_middle_of_several_is_followed() {
    let (_, mut window) = above_ground(&FLYERS);
    key(&mut window, Modifiers::COMMAND, Key::A);
    key(&mut window, Modifiers::NONE, Key::C);
    let middle = FLYERS.iter().sum::<DVec3>() / 3.0;
    assert!(window.state().state().yard.camera.center.distance(middle) < 1e-9);
}

fn rect() -> Rect {
    Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0))
}

fn views() -> [View; 2] {
    let perspective = Camera { perspective: true, yaw: std::f64::consts::FRAC_PI_2, pitch: 0.2, ..Camera::default() };
    let front = Camera { side: Side::Front, ..Camera::default() };
    [perspective, front].map(|camera| View::new(camera, rect()))
}

/// Both views look along +y: what has the larger y is further away.
#[test]
fn a_drone_behind_a_trunk_is_hidden_and_one_in_front_is_not() {
    let trunk = ObstacleShape::Disc { at: DVec3::ZERO, radius: 0.8 };
    let wall = ObstacleShape::Wall { from: DVec3::new(-14.0, 6.0, 0.0), to: DVec3::new(2.0, -2.0, 0.0) };
    // The middle of the wall is further away than the one who stands behind its near end.
    let cases = [(trunk, DVec3::new(0.1, 1.5, 0.5), DVec3::new(0.1, -1.5, 0.5)), {
        (wall, DVec3::new(1.0, -0.9, 0.5), DVec3::new(-10.0, 3.4, 0.5))
    }];
    for (shape, behind, before) in cases {
        let mut frame = sky(&[behind, before]);
        frame.obstacles = Arc::new([fake::obstacle(1, "it", &shape)]);
        let shown: Vec<Shown> =
            frame.agents.position.iter().map(|&position| Shown { position, heading: 0.0 }).collect();
        for view in views() {
            let solids = solids(&view, &frame.obstacles);
            let stage = Stage { frame: &frame, shown: &shown, view: &view, tokens: &theme::DARK };
            let order = stage.order(&solids);
            let place = |row: usize| order.iter().find(|(.., r)| *r == row).expect("it is before the camera").0;
            let covers = |p: DVec3| {
                let pos = view.project(p).expect("before the camera").pos;
                solids.iter().position(|solid| solid.surface(&view, pos).is_some()).expect("the solid is there")
            };
            assert!(place(0) <= covers(behind), "who stands behind is drawn before: {shape:?}");
            assert!(place(1) > covers(before), "who stands in front is drawn after: {shape:?}");
            let depth = |p: DVec3| view.depth(p);
            let surface = |p: DVec3| solid_at(&view, &solids, view.project(p).expect("seen").pos).expect("covered").1;
            assert!(surface(behind) < depth(behind) && surface(before) > depth(before));
        }
    }
}

#[test]
fn through_a_trunk_nobody_is_picked() {
    let mut frame = sky(&[DVec3::new(0.0, 3.0, 0.7), DVec3::new(6.0, 3.0, 0.7)]);
    let trunk = ObstacleShape::Disc { at: DVec3::ZERO, radius: 1.0 };
    frame.obstacles = Arc::new([fake::obstacle(9, "trunk", &trunk)]);
    let session = Fake::with(frame);
    let mut window = open(&session, Settings::default());
    click(&mut window, Look::Flat(Side::Front).text());
    let at = screen(&window, DVec3::new(0.0, 3.0, 0.7));
    press_at(&mut window, at, Modifiers::NONE);
    let state = window.state().state();
    assert!(state.picked.is_empty() && state.picked_obstacle == Some(9));
}

#[test]
fn the_palette_knows_the_views() {
    let (_, mut window) = above_ground(&FLYERS);
    key(&mut window, Modifiers::COMMAND, Key::P);
    window.get_by_label("Find a command").type_text("from the side");
    window.run_steps(2);
    key(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(look(&window), Look::Flat(Side::Right));
}
