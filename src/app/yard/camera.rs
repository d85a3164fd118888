//! From metres to points and back: seen from above, or in perspective from an orbit.

use eframe::egui::{Pos2, Rect, Vec2, pos2};
use glam::{DVec2, DVec3};

/// Where the yard is looked at from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// What is in the middle, in metres.
    pub center: DVec3,
    /// Points per metre in the middle.
    pub zoom: f64,
    /// From an orbit instead of from above.
    pub perspective: bool,
    /// Direction of sight round the vertical, in radians.
    pub yaw: f64,
    /// How far it looks down, in radians.
    pub pitch: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { center: DVec3::ZERO, zoom: 24.0, perspective: false, yaw: 1.9, pitch: 0.6 }
    }
}

/// Smallest and largest zoom in points per metre.
const ZOOM: (f64, f64) = (0.2, 2000.0);
/// Half of the opening angle of the perspective, in radians.
const HALF_VIEW: f64 = 0.42;
/// Nothing nearer than this is drawn, in metres.
const NEAR: f64 = 0.05;

impl Camera {
    /// Zoom by a factor so that what is under `pointer` stays there.
    pub fn zoom_at(&mut self, rect: Rect, pointer: Pos2, factor: f64) {
        let before = View::new(*self, rect).ground(pointer);
        self.zoom = (self.zoom * factor).clamp(ZOOM.0, ZOOM.1);
        let after = View::new(*self, rect).ground(pointer);
        if let (Some(before), Some(after)) = (before, after) {
            let shift = before - after;
            // Near the horizon a point is a long way: keep the shift within what is seen.
            let limit = f64::from(rect.width()) / self.zoom;
            self.center += shift.clamp_length_max(limit);
        }
    }

    /// Move with the pointer.
    pub fn pan(&mut self, rect: Rect, from: Pos2, to: Pos2) {
        let view = View::new(*self, rect);
        if let (Some(from), Some(to)) = (view.at_height(from, self.center.z), view.at_height(to, self.center.z)) {
            let limit = f64::from(rect.width()) / self.zoom;
            self.center += (from - to).clamp_length_max(limit);
        }
    }

    /// Turn round the middle.
    pub fn orbit(&mut self, delta: Vec2) {
        self.yaw -= f64::from(delta.x) * 0.008;
        self.pitch = (self.pitch + f64::from(delta.y) * 0.006).clamp(0.05, 1.5);
    }

    /// Bring a box into view.
    pub fn fit(&mut self, rect: Rect, low: DVec3, high: DVec3) {
        self.center = (low + high) * 0.5;
        let size = (high - low).max(DVec3::splat(1.0));
        let (width, height) = (f64::from(rect.width()) * 0.86, f64::from(rect.height()) * 0.78);
        let zoom = (width / size.x).min(height / size.y);
        self.zoom = zoom.clamp(ZOOM.0, 160.0);
        if self.perspective {
            self.fit_perspective(rect, low, high);
        }
    }

    /// Step back from close by until every corner of the box is seen.
    fn fit_perspective(&mut self, rect: Rect, low: DVec3, high: DVec3) {
        let room = rect.shrink2(rect.size() * 0.08);
        let corner = |i: u8| {
            let pick = |bit: u8, low: f64, high: f64| if i & bit == 0 { low } else { high };
            DVec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z))
        };
        self.zoom = (self.zoom * 2.0).clamp(ZOOM.0, 160.0);
        for _ in 0..60 {
            let view = View::new(*self, rect);
            let seen = |i: u8| view.project(corner(i)).is_some_and(|spot| room.contains(spot.pos));
            if (0..8).all(seen) || self.zoom <= ZOOM.0 {
                return;
            }
            self.zoom = (self.zoom * 0.92).max(ZOOM.0);
        }
    }
}

/// A point on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Where, in points.
    pub pos: Pos2,
    /// How far away, in metres; larger is further.
    pub depth: f64,
    /// Points per metre there.
    pub scale: f64,
}

/// A camera in a rectangle: the two directions of the projection.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The part of the screen.
    pub rect: Rect,
    /// The camera.
    pub camera: Camera,
    eye: DVec3,
    forward: DVec3,
    right: DVec3,
    up: DVec3,
    focal: f64,
}

impl View {
    /// The camera in `rect`.
    pub fn new(camera: Camera, rect: Rect) -> Self {
        let (sin_yaw, cos_yaw) = camera.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = camera.pitch.sin_cos();
        let forward = DVec3::new(cos_pitch * cos_yaw, cos_pitch * sin_yaw, -sin_pitch);
        let right = DVec3::new(sin_yaw, -cos_yaw, 0.0);
        let up = right.cross(forward);
        let focal = f64::from(rect.height().max(1.0)) * 0.5 / HALF_VIEW.tan();
        let eye = camera.center - forward * (focal / camera.zoom);
        Self { rect, camera, eye, forward, right, up, focal }
    }

    /// Where a point is seen; none behind the camera.
    pub fn project(&self, p: DVec3) -> Option<Spot> {
        let middle = self.rect.center();
        if !self.camera.perspective {
            let d = (p - self.camera.center).truncate() * self.camera.zoom;
            let pos = pos2(middle.x + d.x as f32, middle.y - d.y as f32);
            return Some(Spot { pos, depth: -p.z, scale: self.camera.zoom });
        }
        let q = p - self.eye;
        let depth = q.dot(self.forward);
        if depth < NEAR {
            return None;
        }
        let scale = self.focal / depth;
        let pos = pos2(middle.x + (q.dot(self.right) * scale) as f32, middle.y - (q.dot(self.up) * scale) as f32);
        Some(Spot { pos, depth, scale })
    }

    /// The point of the ground under a place on the screen; none above the horizon.
    pub fn ground(&self, pos: Pos2) -> Option<DVec3> {
        self.at_height(pos, 0.0)
    }

    /// The point at height `z` under a place on the screen.
    pub fn at_height(&self, pos: Pos2, z: f64) -> Option<DVec3> {
        let d = pos - self.rect.center();
        let d = DVec2::new(f64::from(d.x), -f64::from(d.y));
        if !self.camera.perspective {
            let p = self.camera.center.truncate() + d / self.camera.zoom;
            return Some(p.extend(z));
        }
        let ray = self.forward + self.right * (d.x / self.focal) + self.up * (d.y / self.focal);
        if ray.z.abs() < 1e-6 {
            return None;
        }
        let t = (z - self.eye.z) / ray.z;
        (t > 0.0).then(|| self.eye + ray * t)
    }

    /// The unit vector from a point to the eye; straight up when seen from above.
    pub fn toward(&self, p: DVec3) -> DVec3 {
        if self.camera.perspective { (self.eye - p).normalize_or_zero() } else { DVec3::Z }
    }

    /// Points per metre in the middle.
    pub fn zoom(&self) -> f64 {
        self.camera.zoom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect() -> Rect {
        Rect::from_min_size(pos2(100.0, 50.0), Vec2::new(800.0, 500.0))
    }

    #[test]
    fn screen_and_ground_are_inverse_in_both_modes() {
        for perspective in [false, true] {
            let camera = Camera { perspective, center: DVec3::new(3.0, -2.0, 0.0), ..Camera::default() };
            let view = View::new(camera, rect());
            for p in [DVec3::ZERO, DVec3::new(5.0, 4.0, 0.0), DVec3::new(-3.0, 2.0, 0.0)] {
                let spot = view.project(p).expect("the point lies before the camera");
                let back = view.ground(spot.pos).expect("the ground is below");
                assert!(back.distance(p) < 1e-3, "{p} came back as {back}");
            }
        }
    }

    #[test]
    fn the_middle_has_the_zoom_asked_for_and_is_in_the_middle() {
        for perspective in [false, true] {
            let camera = Camera { perspective, zoom: 30.0, ..Camera::default() };
            let spot = View::new(camera, rect()).project(DVec3::ZERO).expect("the middle is seen");
            assert!((spot.scale - 30.0).abs() < 1e-9);
            assert!(spot.pos.distance(rect().center()) < 1e-3);
        }
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer() {
        let mut camera = Camera::default();
        let pointer = pos2(300.0, 400.0);
        let before = View::new(camera, rect()).ground(pointer).expect("seen from above");
        camera.zoom_at(rect(), pointer, 1.7);
        let after = View::new(camera, rect()).ground(pointer).expect("seen from above");
        assert!(before.distance(after) < 1e-3);
    }

    #[test]
    fn fitting_brings_every_corner_into_view() {
        for perspective in [false, true] {
            let mut camera = Camera { perspective, ..Camera::default() };
            let (low, high) = (DVec3::new(-10.0, -4.0, 0.0), DVec3::new(30.0, 8.0, 0.0));
            camera.fit(rect(), low, high);
            let view = View::new(camera, rect());
            for corner in [low, high, DVec3::new(low.x, high.y, 0.0), DVec3::new(high.x, low.y, 0.0)] {
                let spot = view.project(corner).expect("a corner is before the camera");
                assert!(rect().contains(spot.pos), "{corner} is at {:?}", spot.pos);
            }
        }
    }
}
