//! From metres to points and back: seen from above, from a side, or in perspective from an orbit.

use eframe::egui::{Pos2, Rect, Vec2, pos2};
use glam::{DVec2, DVec3};

use super::look::{Look, Side};

/// Where the yard is looked at from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// What is in the middle, in metres.
    pub center: DVec3,
    /// Points per metre in the middle.
    pub zoom: f64,
    /// From an orbit with perspective; otherwise along an axis without.
    pub perspective: bool,
    /// The axis it looks along without perspective; remembered while there is perspective.
    pub side: Side,
    /// Direction of sight round the vertical, in radians.
    pub yaw: f64,
    /// How far it looks down, in radians.
    pub pitch: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { center: DVec3::ZERO, zoom: 24.0, perspective: false, side: Side::Top, yaw: 1.9, pitch: 0.6 }
    }
}

/// Smallest and largest zoom in points per metre.
const ZOOM: (f64, f64) = (0.2, 2000.0);
/// Half of the opening angle of the perspective, in radians.
const HALF_VIEW: f64 = 0.42;
/// Nothing nearer than this is drawn, in metres.
const NEAR: f64 = 0.05;
/// Looking down less than this, in radians, the ground under the pointer is too far away to hold on to.
const FLAT_SIGHT: f64 = 0.2;
/// Nothing is dragged further away than this many times the distance of the middle.
const FARTHEST: f64 = 20.0;

impl Camera {
    /// What it looks from.
    pub fn look(&self) -> Look {
        if self.perspective { Look::Perspective } else { Look::Flat(self.side) }
    }

    /// Look from there.
    pub fn take(&mut self, look: Look) {
        match look {
            Look::Flat(side) => (self.perspective, self.side) = (false, side),
            Look::Perspective => self.perspective = true,
        }
    }

    /// Zoom by a factor so that what is under `pointer` stays there.
    pub fn zoom_at(&mut self, rect: Rect, pointer: Pos2, factor: f64) {
        let view = View::new(*self, rect);
        let on_ground = view.holds_ground(pointer);
        let before = view.held(pointer, on_ground);
        self.zoom = (self.zoom * factor).clamp(ZOOM.0, ZOOM.1);
        let after = View::new(*self, rect).held(pointer, on_ground);
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
        let on_ground = view.holds_ground(from) && view.holds_ground(to);
        if let (Some(from), Some(to)) = (view.held(from, on_ground), view.held(to, on_ground)) {
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
        let (right, up, _) = self.side.axes();
        let zoom = (width / size.dot(right.abs())).min(height / size.dot(up.abs()));
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
    /// How far along the line of sight, in metres; larger is further. Without perspective it counts from the middle.
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
    /// Bodies never get smaller than this, in points.
    pub smallest: f32,
    eye: DVec3,
    forward: DVec3,
    right: DVec3,
    up: DVec3,
    focal: f64,
}

impl View {
    /// The camera in `rect`.
    pub fn new(camera: Camera, rect: Rect) -> Self {
        let focal = f64::from(rect.height().max(1.0)) * 0.5 / HALF_VIEW.tan();
        let smallest = super::bodies::SMALLEST;
        if !camera.perspective {
            let (right, up, forward) = camera.side.axes();
            return Self { rect, camera, smallest, eye: camera.center, forward, right, up, focal };
        }
        let (sin_yaw, cos_yaw) = camera.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = camera.pitch.sin_cos();
        let forward = DVec3::new(cos_pitch * cos_yaw, cos_pitch * sin_yaw, -sin_pitch);
        let right = DVec3::new(sin_yaw, -cos_yaw, 0.0);
        let up = right.cross(forward);
        let eye = camera.center - forward * (focal / camera.zoom);
        Self { rect, camera, smallest, eye, forward, right, up, focal }
    }

    /// Whether solid bodies are seen, not their outlines from above.
    pub fn solid(&self) -> bool {
        self.camera.perspective || self.camera.side != Side::Top
    }

    /// Whether the ground is seen edge on.
    pub fn is_sideways(&self) -> bool {
        !self.camera.perspective && self.camera.side != Side::Top
    }

    /// Unit vector of the line of sight in the middle.
    pub fn forward(&self) -> DVec3 {
        self.forward
    }

    /// Where a vector of one metre in the middle points on the screen, in points of length `zoom` at most.
    pub fn direction(&self, axis: DVec3) -> Vec2 {
        Vec2::new(axis.dot(self.right) as f32, -axis.dot(self.up) as f32)
    }

    /// Where a point is seen; none behind the camera.
    pub fn project(&self, p: DVec3) -> Option<Spot> {
        let middle = self.rect.center();
        let q = p - self.eye;
        let depth = q.dot(self.forward);
        let scale = if self.camera.perspective {
            if depth < NEAR {
                return None;
            }
            self.focal / depth
        } else {
            self.camera.zoom
        };
        let pos = pos2(middle.x + (q.dot(self.right) * scale) as f32, middle.y - (q.dot(self.up) * scale) as f32);
        Some(Spot { pos, depth, scale })
    }

    /// How far along the line of sight a point is, in metres; as in [`Spot::depth`].
    pub fn depth(&self, p: DVec3) -> f64 {
        (p - self.eye).dot(self.forward)
    }

    /// Unit vector of the line of sight to a point.
    pub fn sight_to(&self, point: DVec3) -> DVec3 {
        if self.camera.perspective { (point - self.eye).normalize_or_zero() } else { self.forward }
    }

    /// Whether a surface through `point` with this normal shows its front.
    pub fn faces(&self, point: DVec3, normal: DVec3) -> bool {
        self.sight_to(point).dot(normal) < 0.0
    }

    /// Where the line of sight through a place on the screen is at depth 0, and its step per metre of depth.
    fn sight(&self, pos: Pos2) -> (DVec3, DVec3) {
        let d = pos - self.rect.center();
        let d = DVec2::new(f64::from(d.x), -f64::from(d.y));
        if self.camera.perspective {
            (self.eye, self.forward + self.right * (d.x / self.focal) + self.up * (d.y / self.focal))
        } else {
            (self.eye + (self.right * d.x + self.up * d.y) / self.camera.zoom, self.forward)
        }
    }

    /// The point under a place on the screen at a depth.
    pub fn at_depth(&self, pos: Pos2, depth: f64) -> DVec3 {
        let (from, step) = self.sight(pos);
        from + step * depth
    }

    /// The point of a plane under a place on the screen; none behind the camera or along the plane.
    pub fn on_plane(&self, pos: Pos2, through: DVec3, normal: DVec3) -> Option<DVec3> {
        let (from, step) = self.sight(pos);
        let slope = step.dot(normal);
        if slope.abs() < 1e-6 {
            return None;
        }
        let depth = (through - from).dot(normal) / slope;
        (!self.camera.perspective || depth > 0.0).then(|| from + step * depth)
    }

    /// The point at height `z` under a place on the screen; none above the horizon.
    pub fn at_height(&self, pos: Pos2, z: f64) -> Option<DVec3> {
        let p = self.on_plane(pos, DVec3::Z * z, DVec3::Z)?;
        Some(p.truncate().extend(z))
    }

    /// Where something new is put: the point of the ground under a place on the screen, none above the horizon. Views from a
    /// side see the ground edge on; there it is the point of the plane through the middle.
    pub fn ground(&self, pos: Pos2) -> Option<DVec3> {
        if self.is_sideways() { Some(self.at_depth(pos, 0.0)) } else { self.at_height(pos, 0.0) }
    }

    /// What is dragged from `last` follows the pointer: where it is now. It keeps its height; from a side it keeps its depth.
    /// With `upright` it moves vertically only. None above the horizon.
    pub fn drag(&self, pointer: Pos2, last: DVec3, upright: bool) -> Option<Dragged> {
        let now = if self.is_sideways() {
            self.on_plane(pointer, last, self.forward)?
        } else if upright && self.camera.perspective {
            self.on_plane(pointer, last, self.forward.truncate().extend(0.0))?
        } else {
            self.at_height(pointer, last.z)?
        };
        if self.camera.perspective && self.depth(now) > FARTHEST * self.focal / self.camera.zoom {
            return None;
        }
        let mut by = now - last;
        if self.is_sideways() {
            by -= self.forward * by.dot(self.forward);
        }
        if upright {
            by = DVec3::Z * by.z;
        }
        Some(Dragged { at: now, by })
    }

    /// Whether panning and zooming hold on to the height of the middle, not to the plane of the screen.
    fn holds_ground(&self, pos: Pos2) -> bool {
        if !self.camera.perspective {
            return self.camera.side == Side::Top;
        }
        let reach = 4.0 * self.focal / self.camera.zoom;
        self.camera.pitch > FLAT_SIGHT
            && self.at_height(pos, self.camera.center.z).is_some_and(|p| p.distance(self.eye) < reach)
    }

    fn held(&self, pos: Pos2, on_ground: bool) -> Option<DVec3> {
        if on_ground {
            return self.at_height(pos, self.camera.center.z);
        }
        Some(self.at_depth(pos, if self.camera.perspective { self.focal / self.camera.zoom } else { 0.0 }))
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

/// A step of a drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dragged {
    /// Where the pointer is now in the plane of the drag, in metres.
    pub at: DVec3,
    /// How far what is dragged moves, in metres.
    pub by: DVec3,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect() -> Rect {
        Rect::from_min_size(pos2(100.0, 50.0), Vec2::new(800.0, 500.0))
    }

    fn camera(look: Look) -> Camera {
        let mut camera = Camera { center: DVec3::new(3.0, -2.0, 1.5), ..Camera::default() };
        camera.take(look);
        camera
    }

    fn views() -> impl Iterator<Item = View> {
        Look::ALL.into_iter().map(|look| View::new(camera(look), rect()))
    }

    fn spot(view: &View, p: DVec3) -> Spot {
        view.project(p).expect("the point lies before the camera")
    }

    #[test]
    fn a_point_comes_back_from_screen_and_depth_in_every_view() {
        for view in views() {
            for p in [DVec3::ZERO, DVec3::new(5.0, 4.0, 2.0), DVec3::new(-3.0, 2.0, 7.0)] {
                let spot = spot(&view, p);
                let back = view.at_depth(spot.pos, spot.depth);
                assert!(back.distance(p) < 1e-3, "{:?}: {p} came back as {back}", view.camera.look());
                assert!((view.depth(p) - spot.depth).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_point_comes_back_from_the_screen_at_its_height_where_heights_are_planes() {
        for view in views().filter(|view| !view.is_sideways()) {
            for p in [DVec3::new(0.0, 1.0, 0.0), DVec3::new(5.0, 4.0, 2.0)] {
                let back = view.at_height(spot(&view, p).pos, p.z).expect("the plane is below");
                assert!(back.distance(p) < 1e-3, "{p} came back as {back}");
                assert_eq!(back.z, p.z);
            }
        }
        for view in views().filter(View::is_sideways) {
            assert_eq!(view.at_height(rect().center(), 1.0), None, "a height is a line there");
            assert!(view.ground(rect().center()).is_some_and(|p| p.distance(view.camera.center) < 1e-9));
        }
    }

    #[test]
    fn each_view_shows_its_axes_to_the_right_and_up() {
        let seen = |side: Side, axis: DVec3| {
            let view = View::new(camera(Look::Flat(side)), rect());
            spot(&view, view.camera.center + axis).pos - rect().center()
        };
        let zoom = Camera::default().zoom as f32;
        let (right, up, nothing) = (Vec2::new(zoom, 0.0), Vec2::new(0.0, -zoom), Vec2::ZERO);
        let wanted = [
            (Side::Top, [right, up, nothing]),
            (Side::Front, [right, nothing, up]),
            (Side::Right, [nothing, right, up]),
        ];
        for (side, axes) in wanted {
            for (axis, wanted) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().zip(axes) {
                let found = seen(side, axis);
                assert!((found - wanted).length() < 1e-3, "{side:?}: {axis} points to {found:?}");
            }
        }
    }

    #[test]
    fn what_stands_before_has_the_smaller_depth() {
        for (look, nearer) in [
            (Look::Flat(Side::Top), DVec3::Z),
            (Look::Flat(Side::Front), -DVec3::Y),
            (Look::Flat(Side::Right), DVec3::X),
        ] {
            let view = View::new(camera(look), rect());
            assert!(view.depth(nearer) < view.depth(DVec3::ZERO), "{look:?}");
        }
    }

    #[test]
    fn the_middle_has_the_zoom_asked_for_and_is_in_the_middle() {
        for view in views() {
            let spot = spot(&view, view.camera.center);
            assert!((spot.scale - view.camera.zoom).abs() < 1e-9);
            assert!(spot.pos.distance(rect().center()) < 1e-3);
        }
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer_in_every_view() {
        for look in Look::ALL {
            for factor in [1.7, 0.6] {
                let mut camera = camera(look);
                let pointer = pos2(320.0, 390.0);
                let view = View::new(camera, rect());
                let on_ground = view.holds_ground(pointer);
                let before = view.held(pointer, on_ground).expect("something is under the pointer");
                camera.zoom_at(rect(), pointer, factor);
                let after = spot(&View::new(camera, rect()), before);
                assert!(after.pos.distance(pointer) < 0.05, "{look:?}: it is at {:?}", after.pos);
            }
        }
    }

    #[test]
    fn panning_takes_along_what_is_under_the_pointer() {
        for look in Look::ALL {
            let mut camera = camera(look);
            let (from, to) = (pos2(420.0, 380.0), pos2(470.0, 350.0));
            let view = View::new(camera, rect());
            let held = view.held(from, view.holds_ground(from)).expect("something is under the pointer");
            camera.pan(rect(), from, to);
            let at = spot(&View::new(camera, rect()), held).pos;
            assert!(at.distance(to) < 0.05, "{look:?}: it is at {at:?}");
        }
    }

    #[test]
    fn fitting_brings_every_corner_into_view() {
        let (low, high) = (DVec3::new(-10.0, -4.0, 0.0), DVec3::new(30.0, 8.0, 12.0));
        for look in Look::ALL {
            let mut camera = camera(look);
            camera.fit(rect(), low, high);
            let view = View::new(camera, rect());
            for i in 0..8_u8 {
                let pick = |bit: u8, low: f64, high: f64| if i & bit == 0 { low } else { high };
                let corner = DVec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z));
                let at = spot(&view, corner).pos;
                assert!(rect().contains(at), "{look:?}: {corner} is at {at:?}");
            }
        }
    }

    #[test]
    fn a_drag_keeps_the_height_and_with_upright_everything_but_the_height() {
        for view in views() {
            let start = DVec3::new(4.0, -1.0, 2.5);
            let from = spot(&view, start).pos;
            let to = from + Vec2::new(60.0, -40.0);
            let flat = view.drag(to, start, false).expect("below the horizon");
            let wanted = spot(&view, start + flat.by).pos;
            assert!(wanted.distance(to) < 0.05, "{:?}: it lags behind the pointer", view.camera.look());
            if view.is_sideways() {
                assert_eq!(flat.by.dot(view.forward()), 0.0, "it stays in the plane of the view");
                assert!(flat.by.z > 0.1, "up on the screen is up");
            } else {
                assert_eq!(flat.by.z, 0.0, "it keeps its height");
            }
            let upright = view.drag(to, start, true).expect("below the horizon");
            assert_eq!(upright.by.truncate(), DVec2::ZERO);
            if view.solid() {
                let at = spot(&view, start + upright.by).pos;
                assert!((at.y - to.y).abs() < 4.0 && upright.by.z > 0.1, "{:?}: it is at {at:?}", view.camera.look());
            }
        }
    }

    #[test]
    fn above_the_horizon_nothing_is_dragged() {
        let view = View::new(Camera { pitch: 0.1, ..camera(Look::Perspective) }, rect());
        assert_eq!(view.drag(pos2(500.0, 60.0), DVec3::ZERO, false), None);
    }
}
