//! What the inspector shows of the agent that is picked.

use crate::sim::Avoid;

use super::core::Experiment;
use super::frame::{FieldView, ForceArrow, Inspected};
use super::view::key;

impl Experiment {
    pub(super) fn inspected_view(&mut self) -> Option<Inspected> {
        let id = self.inspected?;
        let Some(slot) = self.world.agents.find(id) else {
            self.inspected = None;
            return None;
        };
        let group = self.world.agents.group[slot].index();
        let mind = self.minds[group].inspect(&self.world, slot as u32);
        let unit = match self.minds[group].control() {
            crate::sim::Control::Acceleration => "m/s²",
            crate::sim::Control::Velocity => "m/s",
        };
        let state = self.minds[group].states().get(self.world.agents.state[slot] as usize).cloned();
        let memory = mind.memory.into_iter().map(|(name, value)| field(&name, value, "", ""));
        Some(Inspected {
            key: key(id),
            group: self.world.groups[group].name.clone(),
            behavior: self.groups[group].behavior.clone().unwrap_or_default(),
            state: state.unwrap_or_default(),
            fields: self.fields_of(slot),
            memory: memory.collect(),
            forces: mind.forces.into_iter().map(|(name, push)| ForceArrow { name, push, unit }).collect(),
            trace: self.passing.trace(id),
            stuck: self.is_stuck(slot),
        })
    }

    fn fields_of(&self, slot: usize) -> Vec<FieldView> {
        let world = &self.world;
        let agents = &world.agents;
        let vector = |v: glam::DVec3| format!("{:.3}, {:.3}, {:.3}", v.x, v.y, v.z);
        let degrees = |angle: f64| format!("{:.1}", angle.to_degrees());
        let mut fields = vec![
            field("position", vector(agents.position[slot]), "m", "true position"),
            field("velocity", vector(agents.velocity[slot]), "m/s", ""),
            field("speed", format!("{:.3}", agents.speed(slot)), "m/s", ""),
            field("heading", degrees(agents.heading[slot]), "°", "0 is +x, counter-clockwise"),
            field("radius", format!("{:.3}", agents.radius[slot]), "m", "radius of the body"),
            field("max_speed", format!("{:.2}", agents.max_speed[slot]), "m/s", ""),
            field("max_acceleration", format!("{:.2}", agents.max_acceleration[slot]), "m/s²", ""),
            field("turn_rate", format!("{:.2}", agents.turn_rate[slot]), "rad/s", ""),
            field("lag", format!("{:.3}", agents.lag[slot]), "s", "first-order lag"),
            field("dead_time", format!("{:.3}", agents.dead_time[slot]), "s", "command to effect"),
            field("avoid", avoid_text(world.group_of(slot).body.avoid), "", "from wanted to safe velocity"),
            field("latency", format!("{:.3}", world.latency(slot)), "s", "network and dead time"),
            field("clearance", number(world.clearance(slot)), "m", "to the nearest obstacle"),
        ];
        if let Some((period, wait)) = world.rhythm(slot) {
            fields.push(field("update", format!("{period:.3}"), "s", "time between two decisions"));
            fields.push(field("next update", format!("{wait:.3}"), "s", "until its next decision"));
        }
        let group = agents.group[slot].index();
        if let Some(link) = self.posting.link(group, agents.id(slot as u32)) {
            let seconds = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
            let trip = link.round_trip;
            fields.push(field("one_way", seconds(link.one_way), "s", "time that the last message took"));
            fields.push(field("round_trip", seconds(trip.smoothed), "s", "message and answer, smoothed"));
            let waits = trip.smoothed.map(|_| trip.wait(0.0, 1));
            fields.push(field(
                "waits",
                seconds(waits),
                "s",
                "then a message is sent again: round trip and 4 deviations",
            ));
            fields.push(field("offline", link.offline.to_string(), "", "it did not answer to the last send"));
        }
        let in_state = world.tick.saturating_sub(agents.state_since[slot]) as f64 * world.dt();
        fields.push(field("state_time", format!("{in_state:.2}"), "s", "since the last transition"));
        if let Some(place) = agents.place[slot] {
            let gap = world.offset(agents.position[slot], place.position);
            fields.push(field("slot", vector(place.position), "m", "its place"));
            fields.push(field("slot_error", format!("{:.4}", gap.length()), "m", "distance to its place"));
            fields.push(field("slot_velocity", vector(place.velocity), "m/s", "how its place moves"));
            fields.push(field("slot_heading", degrees(place.heading), "°", "where its place looks"));
            let turn = crate::sim::wrap_angle(place.heading - agents.heading[slot]);
            fields.push(field("slot_turn", degrees(turn), "°", "angle to go"));
            fields.push(field("slot_index", place.index.to_string(), "", "0 is the head"));
        }
        if let Some(goal) = agents.goal[slot].or_else(|| world.group_of(slot).goal) {
            fields.push(field("goal", vector(goal), "m", "where it wants to be"));
        }
        if let Some(stop) = agents.visit[slot].stop.and_then(|stop| world.stops.get(usize::from(stop))) {
            let visit = agents.visit[slot];
            let secs = world.tick.saturating_sub(visit.since) as f64 * world.dt();
            let about = if visit.there { "it is there" } else { "it is on its way there" };
            fields.push(field("stop", stop.clone(), "", about));
            fields.push(field("since", format!("{secs:.1}"), "s", "how long it is there, or on its way"));
            if let Some(place) = visit.place.filter(|_| visit.queues) {
                fields.push(field("queue_place", (place + 1).to_string(), "", "1 is the head"));
            }
        }
        if agents.quarantined[slot] {
            fields.push(field("quarantined", "yes".to_owned(), "", "its state was not finite"));
        }
        fields
    }
}

/// An avoidance in a line.
fn avoid_text(avoid: Option<Avoid>) -> String {
    let name = Avoid::name_of(avoid.as_ref());
    match avoid {
        None => name.to_owned(),
        Some(Avoid::Orca(orca)) => format!(
            "{name}: {} s, obstacles {} s, {} within {} m",
            orca.time_horizon_agents, orca.time_horizon_obstacles, orca.max_neighbors, orca.neighbor_distance
        ),
        Some(Avoid::Csm(csm)) => format!("{name}: {} s", csm.time_gap),
    }
}

fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:.3}") } else { "∞".to_owned() }
}

fn field(name: &str, value: String, unit: &str, about: &str) -> FieldView {
    FieldView { name: name.to_owned(), value, unit: unit.to_owned(), about: about.to_owned() }
}
