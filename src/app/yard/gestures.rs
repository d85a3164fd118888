//! What pointer and wheel do in the yard: pick, box-select, drag, draw, pan, zoom.

use eframe::egui::{self, Modifiers, MultiTouchInfo, PointerButton, Pos2, Rect, Response, Ui};
use glam::DVec3;

use crate::experiment::command::{Command, ObstacleShape, ObstacleSpec};
use crate::experiment::frame::{AgentKey, ObstacleView};

use super::super::state::Cx;
use super::bodies::Shown;
use super::camera::View;
use super::tool::Tool;
use super::{YardState, scenery, solid};

/// What lies under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// An agent; its row in the frame.
    Agent(usize),
    /// The ring round the head of the formation of a group.
    Formation(usize),
    /// The knob that turns it.
    Turn(usize),
    /// An obstacle; its index in the frame.
    Obstacle(usize),
}

/// A drag that goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Drag {
    /// Selecting by a box.
    Box {
        /// Where it began.
        from: Pos2,
    },
    /// Moving the picked agents.
    Agents {
        /// Who.
        agents: Vec<AgentKey>,
        /// Where the pointer was last, in metres.
        last: DVec3,
    },
    /// Moving a formation.
    Formation {
        /// Group.
        group: String,
        /// Where its origin is, in metres.
        at: DVec3,
        /// Where the pointer was last, in metres.
        last: DVec3,
        /// Turn in radians.
        turn: f64,
    },
    /// Turning a formation.
    Turn {
        /// Group.
        group: String,
        /// The head, about which it turns, in metres.
        head: DVec3,
        /// From the head to the frame's origin when the drag began, in metres.
        arm: DVec3,
        /// Turn of the frame when the drag began, in radians.
        before: f64,
    },
    /// Moving an obstacle.
    Obstacle {
        /// Id.
        id: u64,
        /// Where its anchor is, in metres.
        at: DVec3,
        /// Where the pointer was last, in metres.
        last: DVec3,
    },
    /// Drawing an obstacle.
    Draw {
        /// Where it began, in metres.
        from: DVec3,
    },
}

/// What is under a place, the topmost first.
pub fn hit(cx: &Cx<'_>, view: &View, shown: &[Shown], pointer: Pos2) -> Option<Hit> {
    for (index, group) in cx.frame.groups.iter().enumerate() {
        let Some((at, ahead)) = group.formation.as_ref().and_then(|f| scenery::handles(view, f)) else { continue };
        if scenery::turns(at, ahead) && ahead.distance(pointer) < 8.0 {
            return Some(Hit::Turn(index));
        }
        let rim = (at.distance(pointer) - 9.0).abs() < 4.0;
        if rim {
            return Some(Hit::Formation(index));
        }
    }
    let agent = agent_at(cx, view, shown, pointer);
    if !view.solid() {
        let obstacle = || cx.frame.obstacles.iter().rposition(|obstacle| scenery::hits(view, obstacle, pointer));
        return agent.map(|(row, _)| Hit::Agent(row)).or_else(|| obstacle().map(Hit::Obstacle));
    }
    let obstacle = solid::solid_at(view, &solid::solids(view, &cx.frame.obstacles), pointer);
    match (agent, obstacle) {
        (Some((_, depth)), Some((index, surface))) if surface < depth => Some(Hit::Obstacle(index)),
        (Some((row, _)), _) => Some(Hit::Agent(row)),
        (None, obstacle) => obstacle.map(|(index, _)| Hit::Obstacle(index)),
    }
}

/// The group whose ring a point lies in.
fn in_ring(cx: &Cx<'_>, view: &View, pointer: Pos2) -> Option<usize> {
    let inside = |formation| scenery::handles(view, formation).is_some_and(|(at, _)| at.distance(pointer) < 13.0);
    cx.frame.groups.iter().position(|group| group.formation.as_ref().is_some_and(inside))
}

/// So far beside a body the pointer still means it, in points.
const BESIDE: f32 = 3.0;

/// Row and depth of the agent under the pointer: of those whose bodies are under it the nearest to the eye, else the one that it
/// just misses by the least.
fn agent_at(cx: &Cx<'_>, view: &View, shown: &[Shown], pointer: Pos2) -> Option<(usize, f64)> {
    // Sorted by: missed, then depth or what it is missed by, then distance from the middle.
    let mut best: Option<((bool, f64, f32), usize, f64)> = None;
    for (row, agent) in shown.iter().enumerate() {
        let Some(spot) = view.project(agent.position) else { continue };
        let radius = ((f64::from(cx.frame.agents.radius[row]) * spot.scale) as f32).max(view.smallest);
        let distance = spot.pos.distance(pointer);
        if distance.is_nan() || distance > radius + BESIDE {
            continue;
        }
        let missed = distance > radius;
        let rank = (missed, if missed { f64::from(distance - radius) } else { spot.depth }, distance);
        if best.is_none_or(|(known, ..)| rank < known) {
            best = Some((rank, row, spot.depth));
        }
    }
    best.map(|(_, row, depth)| (row, depth))
}

/// Pan, zoom and orbit.
pub fn look(ui: &Ui, response: &Response, cx: &mut Cx<'_>, rect: Rect) {
    let yard = &mut cx.state.yard;
    if let Some(fingers) = fingers(ui, rect) {
        two_fingers(yard, &fingers, rect);
        return;
    }
    if let Some(pointer) = response.hover_pos().filter(|_| response.contains_pointer()) {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = f64::from(pinch) * f64::from(scroll * 0.004).exp();
        if (factor - 1.0).abs() > 1e-6 {
            yard.camera.zoom_at(rect, pointer, factor);
            yard.auto_fit = false;
        }
    }
    let delta = response.drag_delta();
    let Some(pointer) = response.interact_pointer_pos().filter(|_| delta.length_sq() > 0.0) else { return };
    let orbit = yard.camera.perspective && response.dragged_by(PointerButton::Secondary);
    if orbit {
        yard.camera.orbit(delta);
    } else if response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary) {
        yard.camera.pan(rect, pointer - delta, pointer);
        yard.auto_fit = false;
        yard.following = false;
    }
}

/// Two or more fingers that work in the yard.
fn fingers(ui: &Ui, rect: Rect) -> Option<MultiTouchInfo> {
    ui.input(egui::InputState::multi_touch).filter(|fingers| rect.contains(fingers.center_pos))
}

/// Fingers that move together pan, that move apart zoom, that turn orbit; whoever is followed stays followed while they only zoom.
fn two_fingers(yard: &mut YardState, fingers: &MultiTouchInfo, rect: Rect) {
    // What the first finger began alone was not meant.
    yard.drag = None;
    yard.auto_fit = false;
    yard.camera.zoom_at(rect, fingers.center_pos, f64::from(fingers.zoom_delta));
    if yard.camera.perspective {
        yard.camera.yaw += f64::from(fingers.rotation_delta);
    }
    if fingers.translation_delta.length_sq() > 0.0 {
        yard.camera.pan(rect, fingers.center_pos - fingers.translation_delta, fingers.center_pos);
    }
    if fingers.translation_delta.length() > LET_GO {
        yard.following = false;
    }
}

/// Fingers that move together by more than this in one pass let go of who is followed, in points.
const LET_GO: f32 = 3.0;

/// Clicks and drags of the primary button.
pub fn act(ui: &Ui, response: &Response, cx: &mut Cx<'_>, view: &View, shown: &[Shown]) {
    let modifiers = ui.input(|input| input.modifiers);
    if fingers(ui, view.rect).is_some() {
        return;
    }
    if response.is_pointer_button_down_on() {
        // Whoever works in the yard wants it to stay where it is; the button Fit lets the view follow again.
        cx.state.yard.auto_fit = false;
    }
    if response.clicked()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        click(cx, view, shown, pointer, modifiers);
    }
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ui.input(|input| input.pointer.press_origin()).or_else(|| response.interact_pointer_pos());
        cx.state.yard.drag = origin.and_then(|origin| begin(cx, view, shown, origin, modifiers));
    }
    let Some(pointer) = response.interact_pointer_pos() else { return };
    if response.dragged_by(PointerButton::Primary) && response.drag_delta().length_sq() > 0.0 {
        go_on(cx, view, pointer, modifiers, false);
    }
    if response.drag_stopped_by(PointerButton::Primary) {
        end(cx, view, shown, pointer, modifiers);
    }
}

fn click(cx: &mut Cx<'_>, view: &View, shown: &[Shown], pointer: Pos2, modifiers: Modifiers) {
    let ground = view.ground(pointer);
    match (cx.state.yard.tool, ground) {
        (Tool::Agent, Some(at)) => {
            if let Some(group) = group_for_new(cx) {
                let at = if cx.frame.scene.planar { on_ground(at) } else { at };
                cx.send(Command::SpawnAgents { group, at, count: 1 });
            }
        }
        (Tool::Disc, Some(at)) => add(cx, ObstacleShape::Disc { at: on_ground(at), radius: 0.5 }),
        (Tool::Box, Some(at)) => {
            let at = on_ground(at);
            add(cx, ObstacleShape::Box { min: at - HALF_BOX, max: at + HALF_BOX });
        }
        (Tool::Select, _) => pick(cx, hit(cx, view, shown, pointer), modifiers),
        _ => {}
    }
}

/// The point of the ground below.
fn on_ground(at: DVec3) -> DVec3 {
    at.truncate().extend(0.0)
}

/// Half of a box that a click makes, in metres.
const HALF_BOX: DVec3 = DVec3::new(0.5, 0.5, 0.0);

/// The group that a new agent joins: that of the picked one, or the first.
pub fn group_for_new(cx: &Cx<'_>) -> Option<String> {
    let picked = cx.state.picked.first().and_then(|&key| cx.frame.agents.row(key));
    let index = picked.map_or(0, |row| usize::from(cx.frame.agents.group[row]));
    cx.frame.groups.get(index).map(|group| group.name.clone())
}

fn pick(cx: &mut Cx<'_>, hit: Option<Hit>, modifiers: Modifiers) {
    match hit {
        Some(Hit::Agent(row)) => {
            let key = cx.frame.agents.key[row];
            if modifiers.shift { cx.state.toggle(key) } else { cx.state.pick(key) }
        }
        Some(Hit::Obstacle(index)) => {
            cx.state.picked.clear();
            cx.state.picked_obstacle = Some(cx.frame.obstacles[index].id);
        }
        Some(Hit::Formation(_) | Hit::Turn(_)) => {}
        None if modifiers.shift => {}
        None => {
            cx.state.picked.clear();
            cx.state.picked_obstacle = None;
        }
    }
}

fn begin(cx: &mut Cx<'_>, view: &View, shown: &[Shown], origin: Pos2, modifiers: Modifiers) -> Option<Drag> {
    if matches!(cx.state.yard.tool, Tool::Disc | Tool::Box | Tool::Wall) {
        return view.ground(origin).map(|from| Drag::Draw { from: on_ground(from) });
    }
    if cx.state.yard.tool == Tool::Lead {
        return None;
    }
    // Inside of the ring a click picks the agent there, and a drag takes the formation.
    let found = hit(cx, view, shown, origin);
    let ring = if matches!(found, Some(Hit::Turn(_))) { None } else { in_ring(cx, view, origin) };
    match ring.map(Hit::Formation).or(found) {
        Some(Hit::Agent(row)) => {
            let key = cx.frame.agents.key[row];
            if !cx.state.is_picked(key) {
                if modifiers.shift { cx.state.toggle(key) } else { cx.state.pick(key) }
            }
            let last = view.drag(origin, cx.frame.agents.position[row], false)?.at;
            Some(Drag::Agents { agents: cx.state.picked.clone(), last })
        }
        Some(Hit::Obstacle(index)) => {
            let obstacle = &cx.frame.obstacles[index];
            cx.state.picked.clear();
            cx.state.picked_obstacle = Some(obstacle.id);
            let last = view.drag(origin, grip(view, origin, obstacle), false)?.at;
            Some(Drag::Obstacle { id: obstacle.id, at: obstacle.anchor, last })
        }
        Some(Hit::Formation(index)) => {
            let group = &cx.frame.groups[index];
            let formation = group.formation.as_ref()?;
            let last = view.drag(origin, formation.head, false)?.at;
            let turn = formation.turn;
            Some(Drag::Formation { group: group.name.clone(), at: formation.origin, last, turn })
        }
        Some(Hit::Turn(index)) => {
            let group = &cx.frame.groups[index];
            let formation = group.formation.as_ref()?;
            let arm = formation.origin - formation.head;
            Some(Drag::Turn { group: group.name.clone(), head: formation.head, arm, before: formation.turn })
        }
        None => Some(Drag::Box { from: origin }),
    }
}

/// Where an obstacle is taken: at the height at which the pointer meets it, so that it does not run ahead of the pointer.
fn grip(view: &View, origin: Pos2, obstacle: &ObstacleView) -> DVec3 {
    let solids = if view.camera.perspective { solid::solids(view, std::slice::from_ref(obstacle)) } else { Vec::new() };
    let met = solid::solid_at(view, &solids, origin);
    met.map_or(obstacle.anchor, |(_, depth)| view.at_depth(origin, depth))
}

fn go_on(cx: &mut Cx<'_>, view: &View, pointer: Pos2, modifiers: Modifiers, last: bool) {
    let Some(mut drag) = cx.state.yard.drag.take() else { return };
    // From above nobody sees what a vertical drag would do.
    let upright = view.solid() && (modifiers.shift || modifiers.alt);
    let planar = cx.frame.scene.planar;
    let step = |before: &mut DVec3, flat: bool| {
        let Some(dragged) = view.drag(pointer, *before, upright) else { return DVec3::ZERO };
        *before = dragged.at;
        if flat { on_ground(dragged.by) } else { dragged.by }
    };
    match &mut drag {
        Drag::Agents { agents, last: before } => {
            let by = step(before, planar);
            cx.send(Command::MoveAgents { agents: agents.clone(), by, last });
        }
        Drag::Formation { group, at, last: before, turn } => {
            *at += step(before, planar);
            cx.send(Command::MoveFormation { group: group.clone(), at: *at, turn: *turn, last });
        }
        Drag::Turn { group, head, arm, before } => {
            if let Some(to) = view.at_height(pointer, head.z) {
                let d = to - *head;
                let turn = (-d.x).atan2(d.y);
                // The head stays where it is, the rest goes round it.
                let (sin, cos) = (turn - *before).sin_cos();
                let at = *head + DVec3::new(arm.x * cos - arm.y * sin, arm.x * sin + arm.y * cos, arm.z);
                cx.send(Command::MoveFormation { group: group.clone(), at, turn, last });
            }
        }
        Drag::Obstacle { id, at, last: before } => {
            // All but a ball stand on the ground.
            let flies = cx.frame.obstacles.iter().any(|obstacle| obstacle.id == *id && obstacle.kind == "sphere");
            *at += step(before, !flies);
            cx.send(Command::MoveObstacle { id: *id, to: *at, last });
        }
        Drag::Box { .. } | Drag::Draw { .. } => {}
    }
    cx.state.yard.drag = Some(drag);
}

fn end(cx: &mut Cx<'_>, view: &View, shown: &[Shown], pointer: Pos2, modifiers: Modifiers) {
    go_on(cx, view, pointer, modifiers, true);
    match cx.state.yard.drag.take() {
        Some(Drag::Box { from }) => box_select(cx, view, shown, Rect::from_two_pos(from, pointer), modifiers),
        Some(Drag::Draw { from }) => {
            let shape = view.ground(pointer).and_then(|to| drawn(cx.state.yard.tool, from, on_ground(to)));
            if let Some(shape) = shape {
                add(cx, shape);
            }
        }
        _ => {}
    }
}

fn box_select(cx: &mut Cx<'_>, view: &View, shown: &[Shown], rect: Rect, modifiers: Modifiers) {
    let inside = |agent: &Shown| view.project(agent.position).is_some_and(|spot| rect.contains(spot.pos));
    let rows = shown.iter().enumerate().filter(|(_, agent)| inside(agent)).map(|(row, _)| row);
    let mut picked: Vec<AgentKey> = rows.map(|row| cx.frame.agents.key[row]).collect();
    if modifiers.shift {
        picked.extend_from_slice(&cx.state.picked);
    }
    picked.sort_unstable();
    picked.dedup();
    cx.state.picked = picked;
    cx.state.picked_obstacle = None;
}

/// The obstacle that a tool draws between two points; none if it would have no size.
pub fn drawn(tool: Tool, from: DVec3, to: DVec3) -> Option<ObstacleShape> {
    if from.distance(to) < 0.05 {
        return None;
    }
    match tool {
        Tool::Disc => Some(ObstacleShape::Disc { at: from, radius: from.distance(to) }),
        Tool::Box => {
            let (min, max) = (from.min(to), from.max(to));
            let thin = (max - min).truncate().min_element() < 0.02;
            (!thin).then_some(ObstacleShape::Box { min, max })
        }
        Tool::Wall => Some(ObstacleShape::Wall { from, to }),
        Tool::Select | Tool::Agent | Tool::Lead => None,
    }
}

fn add(cx: &mut Cx<'_>, shape: ObstacleShape) {
    cx.send(Command::AddObstacle(ObstacleSpec { name: String::new(), shape }));
    cx.state.yard.tool = Tool::Select;
}
