//! Benchmark of what the window computes for a frame of fish, one thread, CPU time: `cargo bench --bench draw`.
//!
//! Strokes, poses and the mesh are counted, and the pass of egui over the mesh beside them; what the graphics driver does is
//! not. It prints and never asserts: a slow machine is no fault of the program.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]

mod clock;

use std::hint::black_box;

use clock::least_secs;
use eframe::egui::{self, Rect, Shape, pos2, vec2};
use glam::DVec3;
use swarmyard::app::theme::DARK;
use swarmyard::app::yard::bodies::Shown;
use swarmyard::app::yard::camera::{Camera, View};
use swarmyard::app::yard::fish::{Build, Detail, Fish, Pose, least_length};
use swarmyard::app::yard::ink::Ink;
use swarmyard::app::yard::swim::{Swim, luck};
use swarmyard::app::yard::water;
use swarmyard::experiment::frame::{AgentKey, BodyShape, Frame, GroupView};

/// The yard of a window of 1920×1080, in points.
const YARD: (f32, f32) = (1400.0, 760.0);

fn main() {
    println!("fish of a frame, all on the screen; ms of CPU per frame, 1 thread, least of 25 batches");
    println!(
        "{:>8} {:>12} {:>10} {:>10} {:>10} {:>12} {:>10}",
        "fish", "drawn as", "view", "mesh", "egui", "triangles", "corners"
    );
    for count in [1_000, 3_000, 10_000, 20_000] {
        let frame = school(count);
        for perspective in [false, true] {
            line(&frame, perspective, "dart", Some((Detail::Dart, 7.0)));
            line(&frame, perspective, "full fish", Some((Detail::Full, 48.0)));
            line(&frame, perspective, "as in yard", None);
        }
    }
    let (mut next, frames) = (0, [0, 1].map(|tick| moved(&school(20_000), tick)));
    let mut swim = Swim::default();
    let secs = least_secs(|| {
        next += 1;
        swim.follow(black_box(&frames[next % 2]));
    });
    println!("\nstrokes of 20000 fish from one frame to the next: {:.3} ms", secs * 1e3);
    let frame = school(0);
    for perspective in [false, true] {
        let view = view(perspective);
        let secs = least_secs(|| {
            let mut ink = Ink::default();
            water::ground(&mut ink, &view, &frame, &DARK);
            black_box(ink.corners());
        });
        println!("water of {} by {} points, {}: {:.3} ms", YARD.0, YARD.1, name(perspective), secs * 1e3);
    }
}

fn name(perspective: bool) -> &'static str {
    if perspective { "3-D" } else { "above" }
}

fn view(perspective: bool) -> View {
    let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(YARD.0, YARD.1));
    View::new(Camera { zoom: 16.0, perspective, ..Camera::default() }, rect)
}

/// Fish strewn over what both views show.
fn school(count: u32) -> Frame {
    let mut frame = Frame { dt: 1.0 / 60.0, epoch: 1, ..Frame::default() };
    frame.groups.push(GroupView { shape: BodyShape::Fish, count: count as usize, ..GroupView::default() });
    for slot in 0..count {
        let key = AgentKey::new(slot, 0);
        let spread = |use_of, size: f32| f64::from((luck(key, use_of) - 0.5) * size);
        let heading = spread(12, std::f32::consts::TAU);
        frame.agents.key.push(key);
        frame.agents.position.push(DVec3::new(spread(10, 40.0), spread(11, 24.0), 0.0));
        frame.agents.velocity.push(DVec3::new(heading.cos(), heading.sin(), 0.0));
        frame.agents.heading.push(heading);
        frame.agents.radius.push(0.12);
        frame.agents.group.push(0);
    }
    frame
}

/// The same a tick later.
fn moved(frame: &Frame, tick: u64) -> Frame {
    let mut frame = Frame { tick, ..frame.clone() };
    for (position, velocity) in frame.agents.position.iter_mut().zip(&frame.agents.velocity) {
        *position += *velocity * frame.dt * tick as f64;
    }
    frame
}

fn line(frame: &Frame, perspective: bool, drawn: &str, fixed: Option<(Detail, f32)>) {
    let view = view(perspective);
    let mut swim = Swim::default();
    swim.follow(frame);
    let count = frame.agents.len();
    let least = fixed.map_or_else(|| least_length(view.rect.size(), count), |fixed| fixed.1);
    let mut corners = 0;
    let mut draw = || {
        let mut ink = Ink::default();
        ink.reserve(corners, corners * 2);
        for row in 0..count {
            let shown = Shown { position: frame.agents.position[row], heading: frame.agents.heading[row] };
            let Some(pose) = Pose::seen(&view, shown, frame.agents.radius[row], 0.0, least) else { continue };
            let stroke = swim.stroke(frame, row, &shown, 1.0);
            let build = Build::of(frame.agents.key[row]);
            let fish = Fish { pose, stroke, build, predator: false, color: DARK.category(0) };
            fish.draw_with(&mut ink, &DARK, fixed.map_or_else(|| Detail::of(pose.length), |fixed| fixed.0));
        }
        corners = ink.corners();
        ink
    };
    let mesh = least_secs(|| drop(black_box(draw())));
    let ink = draw();
    let (triangles, shape) = (ink.triangles(), ink.into_shape());
    let context = egui::Context::default();
    // The first pass sets the fonts up, without which egui draws nothing.
    context.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
    let pass = least_secs(|| {
        let clipped = egui::epaint::ClippedShape::new(view.rect, Shape::clone(&shape));
        drop(black_box(context.tessellate(vec![clipped], 1.0)));
    });
    println!(
        "{count:>8} {drawn:>12} {:>10} {:>10.3} {:>10.3} {triangles:>12} {corners:>10}",
        name(perspective),
        mesh * 1e3,
        pass * 1e3
    );
}
