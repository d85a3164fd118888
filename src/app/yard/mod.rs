//! The yard: agents in the middle, what they should do drawn beside what they do.

pub mod bodies;
pub mod camera;
pub mod debug;
pub mod field;
pub mod fish;
pub mod flows;
pub mod gauges;
pub mod gestures;
pub mod ghosts;
pub mod ink;
pub mod labels;
pub mod layers;
pub mod lead;
pub mod legend;
pub mod look;
pub mod marks;
pub mod menu;
pub mod mesh;
pub mod scene3d;
pub mod scenery;
pub mod senses;
pub mod solid;
pub mod swim;
pub mod tool;
pub mod toolbar;
pub mod touch;
pub mod trails;
pub mod water;

use eframe::egui::{self, Align2, Color32, Painter, Pos2, Rect, Sense, StrokeKind, Ui, WidgetInfo, vec2};
use glam::DVec3;

use crate::experiment::command::ObstacleShape;
use crate::experiment::frame::{AgentKey, BodyShape, Frame};

use super::state::{ColorBy, Cx};
use bodies::{Scales, Shown};
use camera::{Camera, View};
use fish::{Build, Fish, Pose};
use gestures::{Drag, Hit};
use ink::Ink;
use layers::Layers;
use look::{Look, Side};
use scene3d::Stage;
use solid::Paint;
use swim::Swim;
use tool::Tool;
use trails::Trails;

/// What the yard remembers.
pub struct YardState {
    /// Where it is looked at from.
    pub camera: Camera,
    /// Keeps everything in view until the user moves the camera.
    pub auto_fit: bool,
    /// Keeps the picked agents in the middle until the user pans or lets go.
    pub following: bool,
    /// What a click does.
    pub tool: Tool,
    /// A drag that goes on.
    pub drag: Option<Drag>,
    /// Whether the debug layer is shown.
    pub debug: bool,
    /// Layers.
    pub layers: Layers,
    /// What agents are colored by.
    pub color_by: ColorBy,
    /// The part of the screen it had last.
    pub rect: Rect,
    scales: Scales,
    shown: Vec<Shown>,
    scene_seen: Option<String>,
    menu: Option<(Option<Hit>, DVec3)>,
    trails: Trails,
    leading: lead::Leading,
    swim: Swim,
    /// Corners of the last drawing: the next one will need about as many.
    corners: usize,
}

impl Default for YardState {
    fn default() -> Self {
        Self {
            camera: Camera::default(),
            auto_fit: true,
            following: false,
            tool: Tool::Select,
            drag: None,
            debug: false,
            layers: Layers::default(),
            color_by: ColorBy::Group,
            rect: Rect::NOTHING,
            scales: Scales::default(),
            shown: Vec::new(),
            scene_seen: None,
            menu: None,
            trails: Trails::default(),
            leading: lead::Leading::default(),
            swim: Swim::default(),
            corners: 0,
        }
    }
}

impl YardState {
    /// Bring everything into view, and keep it there.
    pub fn fit(&mut self, frame: &Frame) {
        self.auto_fit = true;
        self.following = false;
        self.approach(frame, 1.0);
    }

    /// Look from there, with everything in view; who is followed stays in the middle.
    pub fn take(&mut self, look: Look, frame: &Frame) {
        let (center, zoom) = (self.camera.center, self.camera.zoom);
        self.camera.take(look);
        if self.following {
            (self.camera.center, self.camera.zoom) = (center, zoom);
        } else {
            self.fit(frame);
        }
    }

    /// Keep the picked agents in the middle, or let go of them.
    pub fn toggle_following(&mut self, picked: &[AgentKey]) {
        self.following = !self.following && !picked.is_empty();
        self.auto_fit &= !self.following;
    }

    /// Let go of the tool or the drag, else of who is followed; false if there was nothing to let go of.
    pub fn let_go(&mut self) -> bool {
        let had = self.drag.is_some() || self.tool != Tool::Select;
        self.drag = None;
        self.tool = Tool::Select;
        let followed = !had && std::mem::take(&mut self.following);
        had || followed
    }

    /// Put the middle of the picked agents in the middle; they are where they are shown, between two frames.
    fn follow(&mut self, picked: &[AgentKey], frame: &Frame, shown: &[Shown]) {
        let rows = picked.iter().filter_map(|&key| frame.agents.row(key));
        let places = rows.map(|row| shown[row].position).filter(|place| place.is_finite());
        let (sum, count) = places.fold((DVec3::ZERO, 0.0), |(sum, count), place| (sum + place, count + 1.0));
        if count == 0.0 {
            self.following = false;
        } else {
            self.camera.center = sum / count;
        }
    }

    /// Take a step toward the camera that shows everything.
    fn approach(&mut self, frame: &Frame, share: f64) {
        let Some((low, high)) = bounds(frame).filter(|_| self.rect.is_positive()) else { return };
        let mut goal = self.camera;
        goal.fit(self.rect, low, high);
        self.camera.center = self.camera.center.lerp(goal.center, share);
        self.camera.zoom *= (goal.zoom / self.camera.zoom).powf(share);
    }

    /// A new scene is seen as it wants to be.
    fn meet(&mut self, frame: &Frame) {
        let key = frame.scene.path.clone().unwrap_or_else(|| frame.scene.title.clone());
        if self.scene_seen.as_ref() == Some(&key) || !self.rect.is_positive() {
            return;
        }
        let view = &frame.scene.view;
        self.camera.side = Side::Top;
        self.camera.perspective =
            view.perspective || (!frame.scene.planar && frame.agents.position.iter().any(|p| p.z.abs() > 1e-9));
        self.following = false;
        self.color_by = view.color_by.as_deref().and_then(ColorBy::from_text).unwrap_or_default();
        self.auto_fit = view.center.is_none() && view.zoom.is_none();
        self.approach(frame, 1.0);
        self.camera.center = view.center.unwrap_or(self.camera.center);
        self.camera.zoom = view.zoom.filter(|zoom| zoom.is_finite() && *zoom > 0.0).unwrap_or(self.camera.zoom);
        self.trails.clear();
        self.scene_seen = Some(key);
    }
}

/// The box that holds agents, places and obstacles; the scene's area if there is nothing.
fn bounds(frame: &Frame) -> Option<(DVec3, DVec3)> {
    let agents = frame.agents.position.iter().copied();
    let slots = frame.agents.slot.iter().flatten().map(|slot| slot.position);
    let obstacles = frame.obstacles.iter().flat_map(|o| o.outlines.iter().flatten().copied());
    let routes = frame.groups.iter().flat_map(|group| group.route.iter().copied());
    // Edges that do something to agents belong to the picture.
    let edges = frame.scene.area.filter(|_| frame.scene.edge != "Open").into_iter().flat_map(<[DVec3; 2]>::from);
    let ghosts = frame.ghosts.iter().flat_map(|ghost| ghost.position.iter().copied());
    let all = agents.chain(ghosts).chain(slots).chain(obstacles).chain(routes).chain(edges).filter(|p| p.is_finite());
    let found = all.fold(None, |found: Option<(DVec3, DVec3)>, p| {
        Some(found.map_or((p, p), |(low, high)| (low.min(p), high.max(p))))
    });
    found.or(frame.scene.area).map(|(low, high)| {
        let margin = DVec3::new(0.5, 0.5, 0.0);
        (low - margin, high + margin)
    })
}

/// The pane.
pub fn yard_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    toolbar::toolbar_ui(ui, cx);
    super::notices::hints_ui(ui, cx);
    let strip = touch::height(cx, ui.available_width());
    let size = (ui.available_size() - vec2(0.0, strip)).max(vec2(40.0, 40.0));
    let (response, painter) = ui.allocate_painter(size, Sense::click_and_drag());
    let rect = response.rect;
    cx.state.yard.rect = rect;
    cx.state.yard.meet(cx.frame);
    if cx.state.yard.auto_fit && cx.state.yard.drag.is_none() {
        cx.state.yard.approach(cx.frame, 0.2);
    }
    cx.state.yard.scales.follow(&cx.frame.agents);
    cx.state.yard.trails.remember(cx.frame, cx.state.settings.overlays.trails);
    cx.state.yard.swim.follow(cx.frame);
    let mut shown = std::mem::take(&mut cx.state.yard.shown);
    bodies::interpolate(cx.previous, cx.frame, cx.alpha, &mut shown);

    gestures::look(ui, &response, cx, rect);
    if cx.state.yard.following {
        cx.state.yard.follow(&cx.state.picked, cx.frame, &shown);
    }
    let mut view = View::new(cx.state.yard.camera, rect);
    view.smallest = bodies::smallest(shown.len());
    let view = view;
    gestures::act(ui, &response, cx, &view, &shown);
    let pointer = response.hover_pos().filter(|_| response.contains_pointer());
    lead::lead(ui, cx, &view, pointer);
    let hovered = pointer.filter(|_| cx.state.yard.drag.is_none()).and_then(|p| gestures::hit(cx, &view, &shown, p));

    cx.state.yard.corners = draw(&painter, cx, &view, &shown, hovered);
    draw_drag(&painter, cx, &view, pointer.or_else(|| response.interact_pointer_pos()));
    let mut names =
        labels::Names { painter: &painter, tokens: cx.tokens, within: rect, labels: labels::Labels::default() };
    mesh::labels(&mut names, &view, cx.frame);
    if cx.state.yard.layers.measuring {
        gauges::labels(&mut names, &view, cx.frame);
    }
    gauges::heat_legend(&painter, cx.frame, rect, cx.tokens);
    if cx.state.yard.layers.flows {
        flows::labels(&mut names, &view, cx.frame);
    }
    scenery::scale_bar(&painter, &view, cx.tokens);
    marks::axes(&painter, &view, cx.tokens);
    legend::legend(&painter, cx, rect);
    marks::coordinates(&painter, &view, pointer, cx.tokens);
    if cx.frame.agents.is_empty() && cx.frame.obstacles.is_empty() {
        let text = "Nothing here. Open a scene on the left, or take the tool “+ Agent”.";
        painter.text(rect.center(), Align2::CENTER_CENTER, text, egui::FontId::proportional(13.0), cx.tokens.text_weak);
    }
    describe(&response, cx);
    cursor(ui, cx, hovered);
    menu::context_menu(&response, cx, &view, &shown);
    if let Some(text) = hovered.map(|hit| menu::hover_text(cx, hit)).filter(|_| !response.context_menu_opened()) {
        response.on_hover_text_at_pointer(text);
    }
    cx.state.yard.shown = shown;
    touch::strip_ui(ui, cx);
}

fn describe(response: &egui::Response, cx: &Cx<'_>) {
    let agents = cx.frame.agents.len();
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Canvas, true, format!("Yard with {agents} agents")));
}

fn cursor(ui: &Ui, cx: &Cx<'_>, hovered: Option<Hit>) {
    let icon = match (cx.state.yard.tool, hovered) {
        (Tool::Select, Some(Hit::Formation(_) | Hit::Obstacle(_))) => egui::CursorIcon::Grab,
        (Tool::Select, Some(Hit::Turn(_))) => egui::CursorIcon::Alias,
        (Tool::Select, Some(Hit::Agent(_))) => egui::CursorIcon::PointingHand,
        (Tool::Select, None) => return,
        _ if ui.rect_contains_pointer(cx.state.yard.rect) => egui::CursorIcon::Crosshair,
        _ => return,
    };
    ui.set_cursor_icon(icon);
}

/// Draws everything, and tells how many corners that took.
fn draw(painter: &Painter, cx: &Cx<'_>, view: &View, shown: &[Shown], hovered: Option<Hit>) -> usize {
    let (frame, tokens, yard) = (cx.frame, cx.tokens, &cx.state.yard);
    painter.rect_filled(view.rect, 0.0, tokens.ground);
    let mut ink = Ink::default();
    ink.reserve(yard.corners + yard.corners / 8, yard.corners * 3 / 2);
    let water = swim::is_water(frame) && !view.is_sideways();
    if water {
        water::ground(&mut ink, view, frame, tokens);
    }
    if yard.layers.grid {
        // On water the grid is a hint of lines, so that it does not lie over the light.
        let lines = if water { tokens.line.gamma_multiply(0.35) } else { tokens.grid };
        scenery::grid(&mut ink, view, lines, tokens);
    }
    scenery::area(&mut ink, view, frame, tokens);
    if cx.state.settings.overlays.mesh {
        mesh::draw(&mut ink, view, frame, tokens);
    } else {
        mesh::ground(&mut ink, view, frame, tokens);
    }
    gauges::heat(&mut ink, view, frame, tokens);
    if yard.layers.measuring {
        gauges::draw(&mut ink, view, frame, tokens);
    }
    if yard.layers.flows {
        flows::draw(&mut ink, view, frame, tokens);
    }
    if yard.debug && yard.layers.cells {
        senses::cells(&mut ink, view, frame, tokens);
    }
    if water {
        water::shelves(&mut ink, view, frame, tokens);
    }
    if !view.solid() {
        for (index, obstacle) in frame.obstacles.iter().enumerate() {
            let picked = cx.state.picked_obstacle == Some(obstacle.id);
            scenery::obstacle(&mut ink, view, obstacle, picked, hovered == Some(Hit::Obstacle(index)), tokens);
        }
    }
    let overlays = cx.state.settings.overlays;
    if overlays.repulsion {
        field::repulsion(&mut ink, view, frame, shown, tokens);
    }
    yard.trails.draw(&mut ink, view, frame, shown, |row| color(cx, row));
    if overlays.base_lines {
        field::base_lines(&mut ink, view, frame, tokens);
    }
    for (index, group) in frame.groups.iter().enumerate() {
        let color = tokens.category(index);
        if yard.layers.ways && group.count > 0 {
            scenery::ways(&mut ink, view, group, color, frame.navigation.is_none());
        }
    }
    if yard.layers.ways {
        mesh::paths(&mut ink, view, frame, shown, &cx.state.picked, tokens);
    }
    places(&mut ink, cx, view, shown);
    if overlays.ghosts {
        ghosts::draw(&mut ink, cx, view);
    }
    if yard.debug {
        senses::circles(&mut ink, cx, view, shown);
        if yard.layers.links {
            senses::draw_links(&mut ink, cx, view, shown);
        }
    }
    if view.solid() {
        agents_in_space(&mut ink, cx, view, shown, hovered);
    } else {
        agents_from_above(&mut ink, cx, view, shown);
    }
    for &key in &cx.state.picked {
        let spot = frame.agents.row(key).and_then(|row| Some((row, view.project(shown[row].position)?)));
        let Some((row, spot)) = spot else { continue };
        let radius = ((f64::from(frame.agents.radius[row]) * spot.scale) as f32).max(view.smallest) * 1.35 + 2.0;
        ink.circle(spot.pos, radius, 1.6, tokens.picked);
    }
    for (index, group) in frame.groups.iter().enumerate() {
        let hot = matches!(hovered, Some(Hit::Formation(i) | Hit::Turn(i)) if i == index);
        if let Some(formation) = &group.formation {
            scenery::draw_handles(&mut ink, view, formation, tokens.accent, hot);
        }
    }
    if yard.debug {
        debug::arrows(&mut ink, cx, view, shown);
    }
    let corners = ink.corners();
    painter.add(ink.into_shape());
    if overlays.base_lines {
        field::base_line_label(painter, view, frame, tokens);
    }
    if yard.debug {
        debug::labels(painter, cx, view, shown);
    }
    corners
}

/// Hollow places and thin lines from agents to them.
fn places(ink: &mut Ink, cx: &Cx<'_>, view: &View, shown: &[Shown]) {
    let (frame, tokens, layers) = (cx.frame, cx.tokens, cx.state.yard.layers);
    let outlines: Vec<_> = frame.groups.iter().map(|group| bodies::outline(group.shape)).collect();
    for (row, slot) in frame.agents.slot.iter().enumerate() {
        let Some(slot) = slot else { continue };
        let group = usize::from(frame.agents.group[row]);
        let color = scenery::mix(tokens.category(group), tokens.ground, 0.35);
        if layers.errors {
            scenery::line(ink, view, shown[row].position, slot.position, 0.6, color.gamma_multiply(0.6));
        }
        let Some(outline) = outlines.get(group).filter(|_| layers.slots) else { continue };
        let at = Shown { position: slot.position, heading: slot.heading };
        if let Some(body) = bodies::place(view, outline, at, frame.agents.radius[row], 0.0) {
            ink.polyline(&body.corners, true, 1.0, color);
        }
    }
}

fn agents_from_above(ink: &mut Ink, cx: &Cx<'_>, view: &View, shown: &[Shown]) {
    let frame = cx.frame;
    let outlines: Vec<_> = frame.groups.iter().map(|group| bodies::outline(group.shape)).collect();
    let least = least_length(cx, view);
    for (row, &agent) in shown.iter().enumerate() {
        let group = usize::from(frame.agents.group[row]);
        let Some(outline) = outlines.get(group) else { continue };
        if swim::swims(frame.groups[group].shape) {
            swimmer(ink, cx, view, row, agent, least);
        } else if let Some(body) = bodies::place(view, outline, agent, frame.agents.radius[row], 0.0) {
            bodies::fill(ink, &body, color(cx, row), false);
        }
    }
}

/// The length below which no fish is drawn, in points.
fn least_length(cx: &Cx<'_>, view: &View) -> f32 {
    let fish = cx.frame.groups.iter().filter(|group| swim::swims(group.shape)).map(|group| group.count).sum();
    fish::least_length(view.rect.size(), fish)
}

/// Predators are drawn at least this much longer than the shortest fish.
const PREDATOR_LENGTH: f32 = 2.2;

fn swimmer(ink: &mut Ink, cx: &Cx<'_>, view: &View, row: usize, shown: Shown, least: f32) {
    let (frame, yard) = (cx.frame, &cx.state.yard);
    let agents = &frame.agents;
    let predator = frame.groups[usize::from(agents.group[row])].shape == BodyShape::Predator;
    let least = if predator { least * PREDATOR_LENGTH } else { least };
    let climb = bodies::climb(agents.velocity[row]);
    let Some(pose) = Pose::seen(view, shown, agents.radius[row], climb, least) else { return };
    let stroke = yard.swim.stroke(frame, row, &shown, cx.alpha);
    Fish { pose, stroke, build: Build::of(agents.key[row]), predator, color: color(cx, row) }.draw(ink, cx.tokens);
}

fn color(cx: &Cx<'_>, row: usize) -> Color32 {
    bodies::color_of(cx.frame, row, cx.state.yard.color_by, cx.state.yard.scales, cx.tokens)
}

/// Obstacles and agents in space, far ones first.
fn agents_in_space(ink: &mut Ink, cx: &Cx<'_>, view: &View, shown: &[Shown], hovered: Option<Hit>) {
    let stage = Stage { frame: cx.frame, shown, view, tokens: cx.tokens };
    stage.shadows(ink, |row| cx.state.is_picked(cx.frame.agents.key[row]));
    let solids = solid::solids(view, &cx.frame.obstacles);
    let paint = |index: usize| {
        let picked = cx.state.picked_obstacle == Some(cx.frame.obstacles[index].id);
        let edge = match (picked, hovered == Some(Hit::Obstacle(index))) {
            (true, _) => cx.tokens.picked,
            (false, true) => cx.tokens.accent,
            (false, false) => cx.tokens.obstacle_edge.gamma_multiply(0.7),
        };
        Paint { edge, width: if picked { 1.8 } else { 0.8 } }
    };
    let outlines: Vec<_> = cx.frame.groups.iter().map(|group| bodies::outline(group.shape)).collect();
    let least = least_length(cx, view);
    stage.draw(ink, &solids, paint, |ink, row| {
        let group = usize::from(cx.frame.agents.group[row]);
        let Some(outline) = outlines.get(group) else { return };
        if swim::swims(cx.frame.groups[group].shape) {
            swimmer(ink, cx, view, row, shown[row], least);
        } else {
            stage.body(ink, outline, row, color(cx, row));
        }
    });
}

/// What the current drag would do.
fn draw_drag(painter: &Painter, cx: &Cx<'_>, view: &View, pointer: Option<Pos2>) {
    let (Some(drag), Some(pointer)) = (&cx.state.yard.drag, pointer) else { return };
    let stroke = egui::Stroke::new(1.4, cx.tokens.accent);
    let fill = cx.tokens.accent.gamma_multiply(0.15);
    match drag {
        Drag::Box { from } => {
            painter.rect(Rect::from_two_pos(*from, pointer), 0.0, fill, stroke, StrokeKind::Middle);
        }
        Drag::Draw { from } => {
            let (Some(a), Some(to)) = (view.project(*from), view.ground(pointer)) else { return };
            let text = match gestures::drawn(cx.state.yard.tool, *from, to) {
                Some(ObstacleShape::Disc { radius, .. }) => {
                    painter.circle(a.pos, (radius * a.scale) as f32, fill, stroke);
                    format!("radius {radius:.2} m")
                }
                Some(ObstacleShape::Box { min, max }) => {
                    painter.rect(Rect::from_two_pos(a.pos, pointer), 0.0, fill, stroke, StrokeKind::Middle);
                    format!("{:.2} × {:.2} m", max.x - min.x, max.y - min.y)
                }
                Some(ObstacleShape::Wall { from, to }) => {
                    painter.line_segment([a.pos, pointer], stroke);
                    format!("{:.2} m", from.distance(to))
                }
                _ => return,
            };
            scenery::halo_text(painter, pointer + vec2(12.0, 12.0), Align2::LEFT_TOP, &text, cx.tokens.text, cx.tokens);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_followed_is_in_the_middle_between_two_frames_too() {
        let frame = |x: f64, z: f64| {
            let mut frame = Frame::default();
            for slot in 0..2 {
                frame.agents.key.push(AgentKey::new(slot, 0));
                frame.agents.position.push(DVec3::new(x, f64::from(slot), z));
                frame.agents.heading.push(0.0);
            }
            frame
        };
        let (before, after) = (frame(0.0, 1.0), frame(2.0, 3.0));
        let mut yard = YardState { following: true, ..YardState::default() };
        let mut shown = Vec::new();
        for alpha in [0.0_f32, 0.25, 0.5, 1.0] {
            bodies::interpolate(&before, &after, alpha, &mut shown);
            yard.follow(&[AgentKey::new(0, 0)], &after, &shown);
            let way = f64::from(alpha) * 2.0;
            assert_eq!(yard.camera.center, DVec3::new(way, 0.0, 1.0 + way));
            yard.follow(&[AgentKey::new(0, 0), AgentKey::new(1, 0)], &after, &shown);
            assert_eq!(yard.camera.center, DVec3::new(way, 0.5, 1.0 + way));
        }
        yard.follow(&[AgentKey::new(7, 0)], &after, &shown);
        assert!(!yard.following, "there is nobody left to follow");
    }
}
