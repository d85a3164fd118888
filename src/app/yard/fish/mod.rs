//! Fish as drawn: a body along a spine that a wave runs down, a tail, fins and eyes, as much of it as can be seen.
//!
//! Seen from above a fish is a spindle with a dark back and light flanks; in perspective its height shows as well. Nothing is
//! allocated per fish: all of it goes straight into the mesh.

mod coat;
mod pose;
mod spine;

use std::f32::consts::TAU;

use eframe::egui::{Color32, Pos2, Vec2, vec2};

use super::super::theme::Tokens;
use super::ink::{FEATHER, Ink};
use super::scenery::mix;
use super::swim::Stroke;
pub use coat::{Build, Coat};
use pose::HEIGHT;
pub use pose::Pose;
use spine::{PLAIN, STATIONS, STIFF, Station, WAVE};

/// How much of a fish is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// A dart that sways.
    Dart,
    /// Body and tail, the back darker than the flanks.
    Plain,
    /// With flank lines, fins, and eyes where they are large enough to be seen.
    Full,
}

/// Shorter fish are darts, in points of length.
const DART: f32 = 10.0;
/// Longer fish have fins, in points of length; they fade in up to [`FINS`].
const FULL: f32 = 34.0;
const FINS: f32 = 50.0;
/// Longer fish have eyes, in points of length; they fade in as the fins do.
const EYES: (f32, f32) = (44.0, 64.0);

impl Detail {
    /// What is drawn of a fish of that length on the screen.
    pub fn of(length: f32) -> Self {
        if length < DART {
            Self::Dart
        } else if length < FULL {
            Self::Plain
        } else {
            Self::Full
        }
    }
}

/// Shortest fish in points, alone and in a crowd.
const SHORTEST: (f32, f32) = (13.5, 7.0);

/// Fish are never drawn shorter than this, in points: where many share the screen less, so that a school does not run together.
pub fn least_length(points: Vec2, fish: usize) -> f32 {
    let each = (points.x.max(1.0) * points.y.max(1.0) / fish.max(1) as f32).sqrt();
    (0.7 * each).clamp(SHORTEST.1, SHORTEST.0)
}
/// A fish ready to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Fish {
    /// How it lies on the screen.
    pub pose: Pose,
    /// How it swims.
    pub stroke: Stroke,
    /// What is its own.
    pub build: Build,
    /// Whether it is a predator.
    pub predator: bool,
    /// Its color.
    pub color: Color32,
}

/// A point of the spine, the unit vector across it on the screen, and half the width of the body in points.
#[derive(Clone, Copy)]
struct Rib {
    mid: Pos2,
    across: Vec2,
    half: f32,
}

impl Fish {
    /// Where the spine is at a station, in body lengths: to the left of the axis, and how fast that grows towards the tail.
    fn spine(&self, station: &Station, (sin, cos): (f32, f32)) -> (f32, f32) {
        // The wave sin(2π(s/λ − beats)) runs towards the tail as the beats grow.
        let wave = station.sin * cos - station.cos * sin;
        let lead = station.cos * cos + station.sin * sin;
        let sway = self.stroke.sway;
        let behind = (station.s - STIFF).max(0.0);
        // The rear lies on the circle that was swum: its middle is on the side of the turn.
        let bend = self.stroke.bend / (1.0 - STIFF);
        let y = 0.5 * bend * behind * behind + sway * station.sway * wave;
        let slope = bend * behind + sway * (station.slope * wave + station.sway * TAU / WAVE * lead);
        (y, slope)
    }

    fn rib(&self, station: &Station, phase: (f32, f32), hand: f32) -> Rib {
        let (y, slope) = self.spine(station, phase);
        let pose = &self.pose;
        let mid = pose.at + pose.forward * (0.5 - station.s) + pose.left * y;
        let along = pose.left * slope - pose.forward;
        let across = along.rot90() * (hand / along.length().max(1e-6));
        Rib { mid, across, half: station.half * self.build.girth * pose.wide }
    }

    /// Where a point of the spine is on the screen, `s` body lengths behind the nose.
    pub fn point(&self, s: f32) -> Pos2 {
        self.rib(&Station::new(s, 0.0), self.phase(), self.hand()).mid
    }

    fn phase(&self) -> (f32, f32) {
        (TAU * self.stroke.beats.rem_euclid(1.0) as f32).sin_cos()
    }

    /// Which way round "across" is its left.
    fn hand(&self) -> f32 {
        if (-self.pose.forward).rot90().dot(self.pose.left) < 0.0 { -1.0 } else { 1.0 }
    }

    /// Draws it with the detail that its length on the screen allows.
    pub fn draw(&self, ink: &mut Ink, tokens: &Tokens) {
        self.draw_with(ink, tokens, Detail::of(self.pose.length));
    }

    /// Draws it with a detail of the caller's choosing.
    pub fn draw_with(&self, ink: &mut Ink, tokens: &Tokens, detail: Detail) {
        let coat = Coat::new(self.color, self.build.shade, tokens);
        let (phase, hand) = (self.phase(), self.hand());
        match detail {
            Detail::Dart => self.dart(ink, &coat, phase, hand),
            Detail::Plain => {
                self.tail(ink, &coat, phase, hand);
                if self.predator {
                    self.pectorals(ink, coat.fin, phase, hand);
                }
                self.plain(ink, &coat, phase, hand);
            }
            Detail::Full => {
                let fins = ((self.pose.length - FULL) / (FINS - FULL)).clamp(0.0, 1.0);
                self.tail(ink, &coat, phase, hand);
                self.pectorals(ink, coat.fin.gamma_multiply(if self.predator { 1.0 } else { fins }), phase, hand);
                // From plain to full the light edge becomes a line along the flank, without a step.
                let coat = Coat { rim: mix(coat.flank, coat.rim, fins), ..coat };
                self.full(ink, &coat, phase, hand);
                self.dorsal(ink, coat.back.gamma_multiply(0.9 * fins), phase, hand);
                self.eyes(ink, phase, hand);
            }
        }
    }

    fn body(&self) -> &'static [Station; 11] {
        if self.predator { &STATIONS.predator } else { &STATIONS.fish }
    }

    fn dart(&self, ink: &mut Ink, coat: &Coat, phase: (f32, f32), hand: f32) {
        let stations = self.body();
        let (nose, chest, tail) = (
            self.rib(&stations[0], phase, hand),
            self.rib(&stations[4], phase, hand),
            self.rib(&STATIONS.tail[2], phase, hand),
        );
        // At this size a true body would be a hair: the dart is a little broader.
        let (side, fin) = (chest.across * (chest.half * 1.25), tail.across * (0.05 * self.pose.wide));
        let corners = [nose.mid, chest.mid - side, tail.mid - fin, tail.mid + fin, chest.mid + side];
        ink.fan(chest.mid, &corners, coat.back, coat.rim);
    }

    fn plain(&self, ink: &mut Ink, coat: &Coat, phase: (f32, f32), hand: f32) {
        let stations = self.body();
        let (lift, roll) = self.back();
        ink.rows(PLAIN.iter().map(|&i| {
            let rib = self.rib(&stations[i], phase, hand);
            let rim = rib.across * rib.half;
            let (hem, edge) = (rib.across * (rib.half + 0.5 * FEATHER), rib.across * (rib.half + 2.0 * FEATHER));
            let back = rib.mid + rim * roll + lift * rib.half;
            [
                (rib.mid - edge, Color32::TRANSPARENT),
                (rib.mid - hem, coat.hem),
                (rib.mid - rim, coat.flank),
                (back, coat.back),
                (rib.mid + rim, coat.flank),
                (rib.mid + hem, coat.hem),
                (rib.mid + edge, Color32::TRANSPARENT),
            ]
        }));
    }

    fn full(&self, ink: &mut Ink, coat: &Coat, phase: (f32, f32), hand: f32) {
        let (lift, roll) = self.back();
        ink.rows(self.body().iter().map(|station| {
            let rib = self.rib(station, phase, hand);
            let (rim, edge) = (rib.across * rib.half, rib.across * (rib.half + FEATHER));
            let back = rib.mid + rim * roll + lift * rib.half;
            let flank = |side: f32| rib.mid + rim * (0.62 * side + 0.4 * roll) + lift * (0.3 * rib.half);
            [
                (rib.mid - edge, Color32::TRANSPARENT),
                (rib.mid - rim, coat.rim),
                (flank(-1.0), coat.flank),
                (back, coat.back),
                (flank(1.0), coat.flank),
                (rib.mid + rim, coat.rim),
                (rib.mid + edge, Color32::TRANSPARENT),
            ]
        }));
    }

    /// Where the line of the back lies: up in perspective, and to the side into which a turning fish rolls.
    fn back(&self) -> (Vec2, f32) {
        let up = self.pose.up / self.pose.wide.max(1e-3);
        (up * (0.55 * HEIGHT), (0.45 * self.stroke.bend).clamp(-0.35, 0.35))
    }

    fn tail(&self, ink: &mut Ink, coat: &Coat, phase: (f32, f32), hand: f32) {
        let [root, notch, tip] = STATIONS.tail.each_ref().map(|station| self.rib(station, phase, hand));
        let span = if self.predator { 0.15 } else { 0.115 } * self.build.span * self.pose.wide;
        let stalk = root.across * (0.018 * self.pose.wide);
        let fork = tip.across * span;
        let corners = [root.mid - stalk, tip.mid - fork, notch.mid, tip.mid + fork, root.mid + stalk];
        let middle = root.mid + (notch.mid - root.mid) * 0.6;
        ink.fan(middle, &corners, coat.rim, coat.fin);
    }

    fn pectorals(&self, ink: &mut Ink, color: Color32, phase: (f32, f32), hand: f32) {
        if color.a() < 4 {
            return;
        }
        let stations = self.body();
        let (front, rear) = (self.rib(&stations[4], phase, hand), self.rib(&stations[5], phase, hand));
        let (reach, sweep) = if self.predator { (0.28, 0.26) } else { (0.23, 0.15) };
        let back = (rear.mid - front.mid).normalized() * (sweep * self.pose.forward.length());
        for side in [-1.0, 1.0] {
            // The fin inside of the turn is spread.
            let out = reach * (1.0 + 0.4 * (side * self.stroke.bend).clamp(-0.5, 0.5));
            let root = front.mid + front.across * (side * 0.9 * front.half);
            let end = rear.mid + rear.across * (side * 0.9 * rear.half);
            let tip = front.mid + front.across * (side * out * self.pose.wide) + back;
            ink.fan(
                root + (end - root) * 0.5 + (tip - root) * 0.2,
                &[root, end, tip],
                color,
                color.gamma_multiply(0.7),
            );
        }
    }

    fn dorsal(&self, ink: &mut Ink, color: Color32, phase: (f32, f32), hand: f32) {
        let (lift, roll) = self.back();
        let ridge = |i: usize| {
            let rib = self.rib(&self.body()[i], phase, hand);
            (rib.mid + rib.across * (roll * rib.half) + lift * rib.half, rib.across)
        };
        let ((front, _), (middle, across), (rear, _)) = (ridge(5), ridge(6), ridge(7));
        let height = if self.predator { 0.17 } else { 0.12 };
        // From above it is seen edge-on, a sliver that the wave bends.
        let sliver = across * (0.014 * self.pose.wide);
        let apex = rear + self.pose.up * height + (rear - front) * 0.25;
        ink.fan(middle, &[front, middle + sliver, apex, middle - sliver], color, color);
    }

    fn eyes(&self, ink: &mut Ink, phase: (f32, f32), hand: f32) {
        let shown = ((self.pose.length - EYES.0) / (EYES.1 - EYES.0)).clamp(0.0, 1.0);
        if shown <= 0.0 {
            return;
        }
        let station = &self.body()[2];
        let (y, _) = self.spine(station, phase);
        let head = self.rib(station, phase, hand);
        let base = self.pose.at + self.pose.forward * (0.5 - station.s - 0.012) + self.pose.left * y;
        let size = (if self.predator { 0.013 } else { 0.019 }) * self.pose.length;
        for (seen, side) in self.pose.eyes.into_iter().zip([1.0, -1.0]) {
            if !seen {
                continue;
            }
            let flat = self.pose.up == Vec2::ZERO;
            let out = if flat { head.across * (0.72 * head.half) } else { self.pose.left * (0.8 * station.half) };
            let at = base + out * side + self.pose.up * (0.25 * station.half);
            dot(ink, at, size, Color32::from_gray(235).gamma_multiply(shown));
            dot(ink, at, size * 0.62, Color32::from_gray(16).gamma_multiply(shown));
        }
    }
}

fn dot(ink: &mut Ink, at: Pos2, radius: f32, color: Color32) {
    let corners: [Pos2; 10] = std::array::from_fn(|i| {
        let (sin, cos) = (TAU * i as f32 / 10.0).sin_cos();
        at + vec2(cos, sin) * radius
    });
    ink.fan(at, &corners, color, color);
}

#[cfg(test)]
mod tests {
    use eframe::egui::{Rect, pos2};
    use glam::DVec3;

    use super::super::super::theme::{DARK, LIGHT};
    use super::super::bodies::Shown;
    use super::super::camera::{Camera, View};
    use super::spine::amplitude;
    use super::*;
    use crate::experiment::frame::AgentKey;

    fn fish(bend: f32, beats: f64, sway: f32, length: f32) -> Fish {
        Fish {
            pose: Pose::flat(Pos2::ZERO, 0.0, length),
            stroke: Stroke { beats, bend, sway },
            build: Build { girth: 1.0, span: 1.0, shade: 0.0 },
            predator: false,
            color: DARK.category(0),
        }
    }

    #[test]
    fn detail_grows_with_the_length_on_the_screen() {
        let lengths = [2.0, 9.9, 10.0, 33.9, 34.0, 500.0];
        let details = lengths.map(Detail::of);
        assert_eq!(details, [Detail::Dart, Detail::Dart, Detail::Plain, Detail::Plain, Detail::Full, Detail::Full]);
        let cost = [8.0, 20.0, 80.0].map(|length| {
            let mut ink = Ink::default();
            fish(0.0, 0.2, 1.0, length).draw(&mut ink, &DARK);
            ink.triangles()
        });
        assert!(cost[0] < cost[1] && cost[1] < cost[2] && cost[0] <= 15, "{cost:?}");
    }

    #[test]
    fn the_tail_of_a_fish_that_turns_left_lies_to_its_left() {
        // It heads to the right of the screen, so that its left is up, where y is smaller.
        let turn = |bend: f32| fish(bend, 0.0, 0.0, 100.0);
        assert!(turn(0.6).point(1.0).y < -10.0 && turn(-0.6).point(1.0).y > 10.0);
        assert_eq!(turn(0.0).point(1.0), pos2(-50.0, 0.0));
        assert_eq!(turn(0.6).point(0.0), pos2(50.0, 0.0), "the nose goes where the heading says");
    }

    #[test]
    fn the_wave_runs_from_head_to_tail_and_is_largest_there() {
        let most =
            |s: f32| (0..64).map(|i| fish(0.0, f64::from(i) / 64.0, 1.0, 100.0).point(s).y.abs()).fold(0.0, f32::max);
        assert!((most(1.0) - 10.0).abs() < 0.1, "a tenth of the length to either side: {}", most(1.0));
        assert!(most(0.25) < 2.0 && most(0.6) < most(0.8), "{} {}", most(0.25), most(0.6));
        // A crest that is at 0.7 is at 0.8 a tenth of a beat later.
        let (before, after) = (fish(0.0, 0.45, 1.0, 100.0), fish(0.0, 0.55, 1.0, 100.0));
        let side = |fish: &Fish, s: f32| fish.point(s).y / (100.0 * amplitude(s));
        assert!((side(&before, 0.7) - side(&after, 0.8)).abs() < 1e-3);
        assert!((side(&before, 0.7) + 1.0).abs() < 1e-3, "at the crest: {}", side(&before, 0.7));
    }

    #[test]
    fn a_fish_keeps_its_build_and_its_true_length() {
        let key = AgentKey::new(12, 3);
        assert_eq!(Build::of(key), Build::of(key));
        let builds: Vec<Build> = (0..200).map(|slot| Build::of(AgentKey::new(slot, 0))).collect();
        assert!(builds.iter().all(|build| (build.girth - 1.0).abs() <= 0.1 && build.shade.abs() <= 0.1));
        assert!(builds.windows(2).filter(|pair| pair[0] == pair[1]).count() == 0);
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0));
        let camera = Camera { zoom: 100.0, ..Camera::default() };
        let view = View::new(camera, rect);
        let shown = Shown { position: DVec3::ZERO, heading: 0.0 };
        let pose = Pose::seen(&view, shown, 0.25, 0.0, 7.0).expect("in the middle of the screen");
        let fish = Fish { pose, ..fish(0.0, 0.0, 0.0, 1.0) };
        assert!((fish.point(0.0).x - fish.point(1.0).x - 50.0).abs() < 1e-3, "0.5 m at 100 points per metre");
    }

    #[test]
    fn in_perspective_it_lies_where_its_metres_are() {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0));
        let view = View::new(Camera { perspective: true, zoom: 60.0, ..Camera::default() }, rect);
        for heading in [0.0, 0.8, 2.0, 4.0] {
            let shown = Shown { position: DVec3::new(0.5, -0.4, 0.6), heading };
            let pose = Pose::seen(&view, shown, 0.3, 0.2, 7.0).expect("in sight");
            let fish = Fish { pose, ..fish(0.0, 0.0, 0.0, 1.0) };
            let forward = DVec3::new(heading.cos() * 0.2_f64.cos(), heading.sin() * 0.2_f64.cos(), 0.2_f64.sin());
            for (s, reach) in [(0.0, 0.3), (1.0, -0.3)] {
                let there = view.project(shown.position + forward * reach).expect("before the camera").pos;
                assert!(fish.point(s).distance(there) < 0.8, "heading {heading}: {:?}, {there:?}", fish.point(s));
            }
        }
    }

    #[test]
    fn many_fish_are_drawn_smaller_and_never_below_a_dart() {
        let yard = vec2(800.0, 500.0);
        assert_eq!(least_length(yard, 30), SHORTEST.0);
        assert!(least_length(yard, 3000) < least_length(yard, 1000));
        assert_eq!(least_length(yard, 20_000), SHORTEST.1);
    }

    #[test]
    fn the_back_is_darker_than_the_flank_in_both_themes() {
        let light = |c: Color32| u32::from(c.r()) + u32::from(c.g()) + u32::from(c.b());
        for tokens in [DARK, LIGHT] {
            for index in 0..8 {
                let coat = Coat::new(tokens.category(index), 0.0, &tokens);
                assert!(light(coat.back) + 60 < light(coat.flank), "category {index}");
            }
        }
    }
}
