//! Orders to groups: a formation, a march. Who has heard of an order follows it, the others follow the one before.
//!
//! Without a network everybody hears at once. With one, an order is a message per agent: it carries the number of the order, and
//! an agent that already heard a later one drops it.

use std::sync::Arc;

use super::core::Experiment;
use super::forming::{Forming, March, Order};
use super::opening::stand_of;
use super::scripts::Made;
use super::trailing::{Stand, Trail};
use crate::formation::{self, Method, MethodUsed};
use crate::scene::problem::Problem;
use crate::sim::{AgentId, Event, SimCommand, Value};

impl Experiment {
    /// Orders a formation: slots, assignment, and the event `form_up` for each agent. A formation that has no places for
    /// so many is refused with a problem, and the one before holds.
    pub(super) fn form(
        &mut self,
        group: usize,
        name: &str,
        params: Vec<(String, Value)>,
        stand: Option<Stand>,
        by: &str,
    ) -> bool {
        let before = self.groups[group].forming.as_ref().map(Forming::stand);
        let stand = stand.or(before).unwrap_or_else(|| stand_of(&self.scene.groups[group].pose));
        let order = Order { name: name.to_owned(), params, stand, pose: stand.pose, tick: self.world.tick };
        if !self.hold(group, &order) {
            return false;
        }
        let forming = self.groups[group].forming.as_ref();
        let largest_move = forming.map_or(0.0, |forming| forming.largest_move);
        self.ordered(group, &format!("form {name}"), largest_move);
        self.announce(group, "form_up", None);
        self.log.info(self.world.time(), by, format!("{} forms {name}", self.world.groups[group].name));
        true
    }

    /// Sets the formation of a group in motion, or halts it: the frame walks on, its places with it. The event is
    /// `forward_march` with the speed, or `halt`. Without a formation only the event is sent.
    pub(super) fn march(&mut self, group: usize, march: March, by: &str) {
        let word = if march.speed > 0.0 { "forward_march" } else { "halt" };
        let text = if march.speed > 0.0 { format!("march {} m/s", march.speed) } else { word.to_owned() };
        let number = self.groups[group].orders + 1;
        if let Some(before) = self.groups[group].forming.clone() {
            let mut forming = before.clone();
            forming.number = number;
            forming.march = March { now: before.march.now, wheels: before.march.wheels, ..march };
            if march.speed == 0.0 {
                // Nobody turns about while he halts.
                forming.march = March { turn: 0.0, heading: before.march.heading, ..forming.march };
            }
            self.groups[group].orders = number;
            self.replace(group, forming);
            // The time that the frame itself takes to change its speed is no delay of its agents.
            let ramp = (march.speed - before.march.now).abs() / march.acceleration;
            let members = &self.world.groups[group].members;
            let speeds = members.iter().map(|slot| self.world.agents.max_speed[*slot as usize]);
            let free = crate::measure::FREE_MOVE_M + ramp * speeds.fold(f64::INFINITY, f64::min);
            self.ordered(group, &text, if free.is_finite() { free } else { 0.0 });
        }
        self.warn_of_wheel(group, march);
        let value = (march.speed > 0.0).then_some(Value::Number(march.speed));
        self.announce(group, word, value.as_ref());
        self.log.info(self.world.time(), by, format!("{}: {text}", self.world.groups[group].name));
    }

    /// Says so when the outermost place of a wheel is faster than its agent can be.
    fn warn_of_wheel(&mut self, group: usize, march: March) {
        let Some(forming) = self.groups[group].forming.as_ref().filter(|_| march.turn != 0.0) else { return };
        let mut steady = forming.clone();
        (steady.march.now, steady.march.wheels) = (march.speed, march.turn);
        steady.walk(0.0);
        let speeds = steady.holders.iter().filter_map(|(agent, place)| {
            let slot = self.world.agents.find(*agent)?;
            let place = steady.place((*place)?)?;
            Some((place.velocity.length(), self.world.agents.max_speed[slot]))
        });
        let worst = speeds.filter(|(speed, most)| speed > most).max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((speed, most)) = worst {
            let name = self.world.groups[group].name.clone();
            let message = format!(
                "the outer place of the wheel of `{name}` moves at {speed:.2} m/s, its agent at most at {most} m/s"
            );
            let problem = Problem::warning("too-fast", message).group(name).tick(self.world.tick);
            self.problems.add(problem.hint("a smaller `turn_deg`, or a lower speed"));
        }
    }

    /// The contract of a group is judged anew from here.
    pub(super) fn ordered(&mut self, group: usize, command: &str, largest_move: f64) {
        self.measuring.ordered(group, &self.world, command, largest_move);
        self.counting.ordered(group, self.world.tick, command);
    }

    /// Makes the places of an order and gives them out.
    fn hold(&mut self, group: usize, order: &Order) -> bool {
        let n = self.world.groups[group].members.len();
        let params = self.formation_params(group, order);
        let made = self.slots_of(order, &params, n, 0.0);
        // Who goes on behind the same leader goes on in the frame as it has turned.
        let turned = self.groups[group].forming.as_ref().and_then(|before| before.trail);
        let start = Trail::start(order.stand, &self.world, group);
        let trail = start.map(|start| turned.map_or(start, |turned| start.as_turned(turned)));
        let carried = trail.and_then(|trail| trail.carried(&self.world, group));
        let order = &Order { pose: carried.map_or(order.pose, |(pose, ..)| pose), ..order.clone() };
        let made = made.and_then(|made| {
            let before = self.groups[group].forming.as_ref().filter(|before| before.order.name == order.name);
            let before = before.map(|before| (before, self.scene.groups[group].reassign.threshold));
            Forming::new(&self.world, group, order.clone(), (made.slots, made.moving), before)
                .map_err(|text| Problem::error("no-assignment", text))
        });
        match made {
            Ok(mut forming) => {
                let state = &mut self.groups[group];
                state.orders += 1;
                forming.number = state.orders;
                // Who marches goes on marching in the new formation.
                forming.march = state.forming.as_ref().map(|before| before.march).unwrap_or_default();
                forming.trail = trail;
                if trail.is_some() {
                    forming.take_along(&self.world, group);
                }
                self.replace(group, forming);
                self.update_motion(group, None);
                self.write_places(group);
                self.note_assignment(group);
                true
            }
            Err(problem) => {
                let name = self.world.groups[group].name.clone();
                self.faulted = true;
                self.problems.add(problem.group(name).tick(self.world.tick));
                false
            }
        }
    }

    /// The places of an order for `n` agents at that time since it.
    fn slots_of(&self, order: &Order, params: &[(String, Value)], n: usize, time: f64) -> Result<Made, Problem> {
        let frame = order.stand.frame;
        let mut made = self.scripts.slots(&order.name, params, frame.count(n), time)?;
        frame.fit(&mut made.slots);
        Ok(made)
    }

    /// The new order is in force; the one before is kept for those who have not heard.
    fn replace(&mut self, group: usize, forming: Forming) {
        let state = &mut self.groups[group];
        if let Some(before) = state.forming.replace(forming)
            && self.posting.carries(group)
        {
            state.earlier.push(before);
        }
        let (heard, agents) = (&mut state.heard, &self.world.agents);
        heard.retain(|agent, _| agents.find(*agent).is_some());
        // Kept as long as somebody follows it, or may still hear of it.
        let posting = &mut self.posting;
        posting.forget_lost_orders();
        let followed = |number: u64| heard.values().any(|heard| *heard == number);
        state.earlier.retain(|earlier| followed(earlier.number) || posting.is_ordering(group, earlier.number));
        if !self.posting.carries(group) {
            self.write_places(group);
        }
    }

    /// Tells every agent of a group of the order in force.
    fn announce(&mut self, group: usize, name: &str, value: Option<&Value>) {
        let ids: Vec<_> = self.world.groups[group].members.iter().map(|slot| self.world.agents.id(*slot)).collect();
        let number = self.groups[group].orders;
        for to in ids {
            let event = Event { to, name: name.to_owned(), value: value.cloned(), from: None };
            // Where the message is under way when an order after it comes, the order is kept for it.
            if let Some(message) = self.tell(event) {
                self.posting.note_order(message, group, number);
            }
        }
    }

    /// An agent hears of an order; false if it heard a later one before.
    pub(super) fn hear_order(&mut self, agent: AgentId, group: usize, number: u64) -> bool {
        let Some(state) = self.groups.get_mut(group) else { return false };
        let last = state.heard.entry(agent).or_insert(0);
        if *last > number {
            return false;
        }
        *last = number;
        self.write_place(group, agent);
        true
    }

    /// Parameters of an order: the group's for formations, then the order's own, then the user's.
    fn formation_params(&self, group: usize, order: &Order) -> Vec<(String, Value)> {
        let Some(entry) = self.scripts.library().formations.get(&order.name) else { return order.params.clone() };
        let name = &self.world.groups[group].name;
        let mut params: Vec<(String, Value)> = Vec::new();
        for spec in &entry.params {
            let user = self.user.get(&format!("{name}.formation.{}", spec.name));
            let own = order.params.iter().rev().find(|(key, _)| *key == spec.name).map(|(_, value)| value);
            let of_group = self.groups[group].formation_values.get(&spec.name);
            if let Some(value) = user.or(own).or(of_group) {
                params.push((spec.name.clone(), value.clone()));
            }
        }
        params
    }

    /// Makes the places of a group's formation anew after a change of its parameters, its pose or its code; who has which
    /// place stays.
    pub(super) fn reshape_formation(&mut self, group: usize) {
        let Some(forming) = &self.groups[group].forming else { return };
        let order = forming.order.clone();
        let n = forming.holders.len();
        let params = self.formation_params(group, &order);
        let time = self.formation_time(&order);
        match self.slots_of(&order, &params, n, time) {
            Ok(made) => {
                if let Some(forming) = &mut self.groups[group].forming {
                    forming.slots = made.slots;
                    forming.moving = made.moving;
                    forming.depart(&self.world);
                }
                self.update_motion(group, None);
                self.write_places(group);
                self.note_assignment(group);
                let largest = self.largest_gap(group);
                self.ordered(group, &format!("change {}", order.name), largest);
            }
            Err(problem) => {
                let name = self.world.groups[group].name.clone();
                self.problems.add(problem.group(name).tick(self.world.tick));
            }
        }
    }

    pub(super) fn largest_gap(&self, group: usize) -> f64 {
        let Some(forming) = &self.groups[group].forming else { return 0.0 };
        let gap = |(id, place): &(AgentId, Option<usize>)| {
            let slot = self.world.agents.find(*id)?;
            let place = forming.place((*place)?)?;
            Some(self.world.offset(self.world.agents.position[slot], place.position).length())
        };
        forming.holders.iter().filter_map(gap).fold(0.0, f64::max)
    }

    /// Writes the places of all agents of a group, each by the order that it follows.
    pub(super) fn write_places(&mut self, group: usize) {
        if self.posting.carries(group) {
            let agents: Vec<AgentId> = self.groups[group].heard.keys().copied().collect();
            for agent in agents {
                self.write_place(group, agent);
            }
        } else if let Some(forming) = &self.groups[group].forming {
            forming.place_agents(Arc::make_mut(&mut self.world));
        }
    }

    /// Writes the place of one agent by the order that it heard last; one that heard of none has no place.
    fn write_place(&mut self, group: usize, agent: AgentId) {
        let state = &self.groups[group];
        let Some(number) = state.heard.get(&agent) else { return };
        let mut orders = state.forming.iter().chain(&state.earlier);
        let Some(followed) = orders.find(|forming| forming.number == *number) else { return };
        let place = followed.place_held_by(agent);
        // An agent that left in the meantime has no place any more.
        drop(Arc::make_mut(&mut self.world).apply(SimCommand::SetPlace(agent, place)));
    }

    fn formation_time(&self, order: &Order) -> f64 {
        (self.world.tick.saturating_sub(order.tick)) as f64 * self.world.dt()
    }

    /// Agents came or went: places for the number there is now.
    pub(super) fn refit_formations(&mut self) {
        for group in 0..self.groups.len() {
            self.refit_formation(group);
        }
    }

    pub(super) fn refit_formation(&mut self, group: usize) {
        let Some(forming) = &self.groups[group].forming else { return };
        let members = &self.world.groups[group].members;
        let same = forming.holders.len() == members.len()
            && forming.holders.iter().zip(members).all(|((id, _), slot)| *id == self.world.agents.id(*slot));
        if same {
            return;
        }
        let order = forming.order.clone();
        if self.hold(group, &order) {
            let largest = self.groups[group].forming.as_ref().map_or(0.0, |forming| forming.largest_move);
            self.ordered(group, &format!("refit {}", order.name), largest);
            self.announce(group, "form_up", None);
        }
    }

    /// Formations that take time or march: what was next is now, and the way to what is next then is the speed of the places.
    pub(super) fn move_formations(&mut self) {
        let dt = self.world.dt();
        for group in 0..self.groups.len() {
            let state = &mut self.groups[group];
            let mut moved = false;
            for forming in state.forming.iter_mut().chain(&mut state.earlier) {
                moved |= forming.moves();
                if let Some(next) = forming.next.take() {
                    forming.slots = next;
                }
                match forming.trail {
                    Some(_) => forming.go_with(&self.world, group, dt),
                    None => forming.walk(dt),
                }
            }
            if !moved {
                continue;
            }
            self.update_motion(group, None);
            for earlier in 0..self.groups[group].earlier.len() {
                self.update_motion(group, Some(earlier));
            }
            self.write_places(group);
        }
    }

    /// Keeps what the last order came to, for report and panel.
    fn note_assignment(&mut self, group: usize) {
        let run = self.groups[group].forming.as_ref().map(|forming| self.assignment_run(group, forming));
        self.groups[group].assignment = run.map(Arc::new);
    }

    /// Looks whether agents at rest in their order would gain by other places, as often as the scene says. Not where a network
    /// carries orders: who does not hear of a change would share a place.
    pub(super) fn reassign_formations(&mut self) {
        for group in 0..self.groups.len() {
            let rule = self.scene.groups[group].reassign;
            let every = rule.every.map(|secs| ((secs * self.world.settings.tick_hz).round() as u64).max(1));
            let due = every.is_some_and(|every| self.world.tick > 0 && self.world.tick.is_multiple_of(every));
            if !due || self.posting.carries(group) {
                continue;
            }
            let Some(forming) = self.groups[group].forming.as_ref() else { continue };
            let (mut agents, mut current) = (Vec::new(), Vec::new());
            for (agent, place) in &forming.holders {
                let Some(slot) = self.world.agents.find(*agent) else { continue };
                agents.push(self.world.agents.position[slot]);
                current.push(*place);
            }
            let places: Vec<_> = (0..forming.slots.len()).filter_map(|at| Some(forming.place(at)?.position)).collect();
            let found = formation::reassign(&current, &agents, &places, Method::Optimal, rule.threshold);
            let Ok(found) = found else { continue };
            let same = found.slot_of.len() == forming.holders.len();
            let state = &mut self.groups[group];
            if found.method_used == MethodUsed::Kept || !same {
                state.reassigned.1 += 1;
            } else if let Some(forming) = &mut state.forming {
                state.reassigned.0 += 1;
                for ((_, place), new) in forming.holders.iter_mut().zip(&found.slot_of) {
                    *place = *new;
                }
                forming.largest_move = found.largest_move(&agents, &places);
                forming.assignment = found;
                forming.depart(&self.world);
                self.write_places(group);
                let text = format!("{}: places exchanged, that gains enough", self.world.groups[group].name);
                self.log.info(self.world.time(), "formation", text);
            }
            self.note_assignment(group);
        }
    }

    fn version(&mut self, group: usize, earlier: Option<usize>) -> Option<&mut Forming> {
        let state = &mut self.groups[group];
        match earlier {
            None => state.forming.as_mut(),
            Some(index) => state.earlier.get_mut(index),
        }
    }

    /// The speed of the places of a formation that takes time: to where they are one tick later.
    fn update_motion(&mut self, group: usize, earlier: Option<usize>) {
        let Some(forming) = self.version(group, earlier).filter(|forming| forming.moving) else { return };
        let (order, n) = (forming.order.clone(), forming.holders.len());
        let dt = self.world.dt();
        let params = self.formation_params(group, &order);
        let later = self.slots_of(&order, &params, n, self.formation_time(&order) + dt);
        let Some(forming) = self.version(group, earlier) else { return };
        match later {
            Ok(later) => {
                forming.slots.motion_to(&later.slots, dt, &mut forming.motion);
                forming.next = Some(later.slots);
            }
            Err(problem) => {
                forming.moving = false;
                forming.motion.clear();
                self.faulted = true;
                let name = self.world.groups[group].name.clone();
                self.problems.add(problem.group(name).tick(self.world.tick));
            }
        }
    }
}
