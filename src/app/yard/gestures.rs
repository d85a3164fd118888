//! What pointer and wheel do in the yard: pick, box-select, drag, draw, pan, zoom.

use eframe::egui::{Modifiers, PointerButton, Pos2, Rect, Response, Ui};
use glam::DVec3;

use crate::experiment::command::{Command, ObstacleShape, ObstacleSpec};
use crate::experiment::frame::AgentKey;

use super::super::state::Cx;
use super::bodies::{SMALLEST, Shown};
use super::camera::View;
use super::scenery;
use super::tool::Tool;

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
        /// From the pointer to the origin, in metres.
        grab: DVec3,
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
        /// From the pointer to the anchor, in metres.
        grab: DVec3,
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
        if ahead.distance(pointer) < 8.0 {
            return Some(Hit::Turn(index));
        }
        let rim = (at.distance(pointer) - 9.0).abs() < 4.0;
        if rim {
            return Some(Hit::Formation(index));
        }
    }
    agent_at(cx, view, shown, pointer).map(Hit::Agent).or_else(|| {
        let obstacle = cx.frame.obstacles.iter().rposition(|obstacle| scenery::hits(view, obstacle, pointer));
        obstacle.map(Hit::Obstacle)
    })
}

/// The group whose ring a point lies in.
fn in_ring(cx: &Cx<'_>, view: &View, pointer: Pos2) -> Option<usize> {
    let inside = |formation| scenery::handles(view, formation).is_some_and(|(at, _)| at.distance(pointer) < 13.0);
    cx.frame.groups.iter().position(|group| group.formation.as_ref().is_some_and(inside))
}

fn agent_at(cx: &Cx<'_>, view: &View, shown: &[Shown], pointer: Pos2) -> Option<usize> {
    let mut best: Option<(f32, usize)> = None;
    for (row, agent) in shown.iter().enumerate() {
        let Some(spot) = view.project(agent.position) else { continue };
        let reach = ((f64::from(cx.frame.agents.radius[row]) * spot.scale) as f32).max(SMALLEST + 3.0);
        let distance = spot.pos.distance(pointer);
        if distance <= reach && best.is_none_or(|(nearest, _)| distance < nearest) {
            best = Some((distance, row));
        }
    }
    best.map(|(_, row)| row)
}

/// Pan, zoom and orbit.
pub fn look(ui: &Ui, response: &Response, cx: &mut Cx<'_>, rect: Rect) {
    let yard = &mut cx.state.yard;
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
    }
}

/// Clicks and drags of the primary button.
pub fn act(ui: &Ui, response: &Response, cx: &mut Cx<'_>, view: &View, shown: &[Shown]) {
    let modifiers = ui.input(|input| input.modifiers);
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
        go_on(cx, view, pointer, false);
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
                cx.send(Command::SpawnAgents { group, at, count: 1 });
            }
        }
        (Tool::Disc, Some(at)) => add(cx, ObstacleShape::Disc { at, radius: 0.5 }),
        (Tool::Box, Some(at)) => add(cx, ObstacleShape::Box { min: at - HALF_BOX, max: at + HALF_BOX }),
        (Tool::Select, _) => pick(cx, hit(cx, view, shown, pointer), modifiers),
        _ => {}
    }
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
        return view.ground(origin).map(|from| Drag::Draw { from });
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
            let last = view.at_height(origin, cx.frame.agents.position[row].z)?;
            Some(Drag::Agents { agents: cx.state.picked.clone(), last })
        }
        Some(Hit::Obstacle(index)) => {
            let obstacle = &cx.frame.obstacles[index];
            cx.state.picked.clear();
            cx.state.picked_obstacle = Some(obstacle.id);
            let at = view.at_height(origin, obstacle.anchor.z)?;
            Some(Drag::Obstacle { id: obstacle.id, grab: obstacle.anchor - at })
        }
        Some(Hit::Formation(index)) => {
            let group = &cx.frame.groups[index];
            let formation = group.formation.as_ref()?;
            let at = view.at_height(origin, formation.head.z)?;
            Some(Drag::Formation { group: group.name.clone(), grab: formation.origin - at, turn: formation.turn })
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

fn go_on(cx: &mut Cx<'_>, view: &View, pointer: Pos2, last: bool) {
    let Some(mut drag) = cx.state.yard.drag.take() else { return };
    match &mut drag {
        Drag::Agents { agents, last: before } => {
            if let Some(now) = view.at_height(pointer, before.z) {
                cx.send(Command::MoveAgents { agents: agents.clone(), by: now - *before, last });
                *before = now;
            }
        }
        Drag::Formation { group, grab, turn } => {
            if let Some(now) = view.ground(pointer) {
                cx.send(Command::MoveFormation { group: group.clone(), at: now + *grab, turn: *turn, last });
            }
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
        Drag::Obstacle { id, grab } => {
            if let Some(now) = view.ground(pointer) {
                cx.send(Command::MoveObstacle { id: *id, to: now + *grab, last });
            }
        }
        Drag::Box { .. } | Drag::Draw { .. } => {}
    }
    cx.state.yard.drag = Some(drag);
}

fn end(cx: &mut Cx<'_>, view: &View, shown: &[Shown], pointer: Pos2, modifiers: Modifiers) {
    go_on(cx, view, pointer, true);
    match cx.state.yard.drag.take() {
        Some(Drag::Box { from }) => box_select(cx, view, shown, Rect::from_two_pos(from, pointer), modifiers),
        Some(Drag::Draw { from }) => {
            let shape = view.ground(pointer).and_then(|to| drawn(cx.state.yard.tool, from, to));
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
