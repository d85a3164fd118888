//! Benchmark of projecting and drawing agents into the mesh of the yard, one thread, CPU time: `cargo bench --bench view`.
//!
//! It prints and never asserts: a slow machine is no fault of the program.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]

mod clock;
#[expect(dead_code, reason = "other benchmarks measure its worlds; this one needs its luck")]
mod yard;

use std::hint::black_box;

use clock::least_secs;
use eframe::egui::{Color32, Rect, pos2, vec2};
use glam::DVec3;
use swarmyard::app::theme;
use swarmyard::app::yard::bodies::{self, Shown};
use swarmyard::app::yard::camera::{Camera, View};
use swarmyard::app::yard::ink::Ink;
use swarmyard::app::yard::look::Look;
use swarmyard::app::yard::scene3d::Stage;
use swarmyard::app::yard::solid::{Paint, solids};
use swarmyard::experiment::frame::{AgentKey, Frame, GroupView, ObstacleView};
use yard::Luck;

fn main() {
    println!(
        "agents among trunks into one mesh at 1600 × 1000 points; ms of CPU per frame, 1 thread, least of 25 batches"
    );
    println!(
        "`project`: places on the screen alone; `order`: by depth, and what hides whom; `draw`: all of it with shadows"
    );
    println!(
        "{:>8} {:>7} {:>20} {:>9} {:>9} {:>9} {:>10}",
        "agents", "trunks", "view", "project", "order", "draw", "triangles"
    );
    for count in [2_000, 20_000] {
        for trunks in [0, 40] {
            for look in Look::ALL {
                line(count, trunks, look);
            }
        }
    }
}

/// Side of the square on which they stand, m.
const SIDE: f64 = 120.0;

fn line(count: usize, trunks: usize, look: Look) {
    let frame = sky(count, trunks);
    let shown: Vec<Shown> = (0..count)
        .map(|row| Shown { position: frame.agents.position[row], heading: frame.agents.heading[row] })
        .collect();
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(1600.0, 1000.0));
    let mut camera = Camera::default();
    camera.take(look);
    camera.fit(rect, DVec3::new(-SIDE, -SIDE, 0.0) * 0.5, DVec3::new(SIDE * 0.5, SIDE * 0.5, 30.0));
    let mut view = View::new(camera, rect);
    view.smallest = bodies::smallest(count);
    let stage = Stage { frame: &frame, shown: &shown, view: &view, tokens: &theme::DARK };
    let project = least_secs(|| {
        for agent in &shown {
            black_box(view.project(agent.position));
        }
    });
    let order = least_secs(|| {
        black_box(stage.order(&solids(&view, &frame.obstacles)));
    });
    let mut triangles = 0;
    let outline = bodies::outline(frame.groups[0].shape);
    let paint = |_: usize| Paint { edge: Color32::GRAY, width: 0.8 };
    let draw = least_secs(|| {
        let mut ink = Ink::default();
        stage.shadows(&mut ink, |_| false);
        stage.draw(&mut ink, &solids(&view, &frame.obstacles), paint, |ink, row| {
            stage.body(ink, &outline, row, Color32::LIGHT_BLUE);
        });
        triangles = ink.triangles();
        drop(black_box(ink.into_shape()));
    });
    println!(
        "{count:>8} {trunks:>7} {:>20} {:>9.3} {:>9.3} {:>9.3} {triangles:>10}",
        look.text(),
        project * 1e3,
        order * 1e3,
        draw * 1e3
    );
}

/// Flyers between the ground and 30 m, and trunks of 20 m.
fn sky(count: usize, trunks: usize) -> Frame {
    let mut luck = Luck::new(11);
    let mut frame = Frame::default();
    let agents = &mut frame.agents;
    for slot in 0..count as u32 {
        let low = DVec3::new(-SIDE, -SIDE, 0.0) * 0.5;
        agents.key.push(AgentKey::new(slot, 0));
        agents.position.push(luck.point(low, DVec3::new(SIDE * 0.5, SIDE * 0.5, 30.0)));
        agents.velocity.push(luck.point(DVec3::splat(-1.0), DVec3::ONE));
        agents.heading.push(luck.next() * std::f64::consts::TAU);
        agents.radius.push(0.3);
        agents.group.push(0);
        agents.state.push(0);
        agents.slot.push(None);
        agents.slot_error.push(0.0);
        agents.quarantined.push(false);
    }
    frame.groups.push(GroupView { name: "sky".to_owned(), count, ..GroupView::default() });
    frame.obstacles = (0..trunks as u64).map(|id| trunk(id, &mut luck)).collect();
    frame
}

fn trunk(id: u64, luck: &mut Luck) -> ObstacleView {
    let anchor = luck.point(DVec3::new(-SIDE, -SIDE, 0.0) * 0.5, DVec3::new(SIDE, SIDE, 0.0) * 0.5);
    let ring = (0..48).map(|i| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / 48.0).sin_cos();
        anchor + DVec3::new(cos, sin, 0.0) * 0.8
    });
    ObstacleView {
        id,
        name: String::new(),
        kind: "disc",
        outlines: [ring.collect()].into(),
        closed: true,
        open: false,
        anchor,
        height: 20.0,
    }
}
