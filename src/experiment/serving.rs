//! What a program that drives the yard may ask for: orders, messages, values, agents away.
//!
//! Whoever asked hears a refusal as the answer; it changes nothing and is no problem of the run.

use glam::DVec3;

use super::core::Experiment;
use super::forming::March;
use super::frame::{Param, ParamValue};
use super::params::from_param;
use crate::formation::Pose;
use crate::scene::address::unknown_address;
use crate::scene::problem::Problem;
use crate::scene::ron::shortened;
use crate::scene::{Noun, suggestion};
use crate::sim::command::check_point;
use crate::sim::{AgentId, Event, Value, wrap_angle};
use crate::steer::param::ParamSpec;

/// A formation that is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormOrder {
    /// The group; none means the only one of the scene.
    pub group: Option<String>,
    /// Name of the formation.
    pub formation: String,
    /// Values of its parameters.
    pub params: Vec<(String, ParamValue)>,
    /// Origin of its frame in m; none leaves it where it is.
    pub at: Option<DVec3>,
    /// Turn of its frame in rad; none leaves it as it is.
    pub turn: Option<f64>,
}

/// The pace of a march that says none, m/s.
pub const MARCH_SPEED: f64 = 1.2;

/// A march that is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarchOrder {
    /// The group; none means the only one of the scene.
    pub group: Option<String>,
    /// m/s; 0 halts.
    pub speed: f64,
    /// The direction in rad from where the head looks, counter-clockwise.
    pub heading: f64,
    /// Wheeling of the frame in rad/s.
    pub turn: f64,
    /// How fast the speed changes, m/s².
    pub acceleration: f64,
}

/// Who is to hear a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Receiver {
    /// Everybody in a group.
    Group(String),
    /// One agent, by the number that scripts see.
    Agent(f64),
}

impl Experiment {
    /// Orders a formation; returns the index of the group.
    ///
    /// # Errors
    /// A group, formation or parameter that does not exist, a value that does not fit, or places that cannot be made; the
    /// formation before then holds on.
    pub fn order_formation(&mut self, order: &FormOrder) -> Result<usize, Problem> {
        let group = self.group_or_only(order.group.as_deref())?;
        let specs = self.formation_params_of(&order.formation)?;
        let params = order.params.iter().map(|(name, value)| checked(&order.formation, specs, name, from_param(value)));
        let params: Vec<(String, Value)> = params.collect::<Result<_, _>>()?;
        let pose = self.pose_asked(group, order)?;
        // An order is newer than what the same program set by address before.
        let name = &self.world.groups[group].name;
        let addresses = params.iter().map(|(param, _)| format!("{name}.formation.{param}"));
        let set: Vec<_> = addresses.filter_map(|address| self.user.remove_entry(&address)).collect();
        let refused = self.refused(|yard| Ok(yard.form(group, &order.formation, params, pose.map(Into::into), "user")));
        if refused.is_err() {
            self.user.extend(set);
        }
        refused.map(|()| group)
    }

    /// Sets the formation of a group in motion, or halts it; returns the index of the group.
    ///
    /// # Errors
    /// A group that does not exist or has no formation, a speed that is none.
    pub fn order_march(&mut self, order: &MarchOrder) -> Result<usize, Problem> {
        let group = self.group_or_only(order.group.as_deref())?;
        if !(0.0..=100.0).contains(&order.speed) {
            let message = format!("the speed is {} m/s", order.speed);
            return Err(Problem::error("bad-value", message).hint("from 0 (halt) to 100"));
        }
        if order.turn.abs() > std::f64::consts::TAU || order.acceleration.is_nan() || order.acceleration <= 0.0 {
            let message = "a wheel is at most a turn per second, and an acceleration above 0";
            return Err(Problem::error("bad-value", message));
        }
        if self.groups[group].forming.is_none() {
            let name = &self.world.groups[group].name;
            return Err(Problem::error("no-formation", format!("`{name}` has no formation to march in")));
        }
        let march = March {
            speed: order.speed,
            heading: order.heading,
            turn: order.turn,
            acceleration: order.acceleration,
            ..March::default()
        };
        self.march(group, march, "user");
        Ok(group)
    }

    /// Tells a group or an agent something; it is heard in the coming tick, or when the network of the group brings it.
    /// Returns how many are told.
    ///
    /// # Errors
    /// Nobody of that name or number lives.
    pub fn send_message(&mut self, to: &Receiver, name: &str, value: Option<&ParamValue>) -> Result<usize, Problem> {
        let value = value.map(from_param);
        match to {
            Receiver::Group(group) => {
                let group = self.group_named(group)?;
                self.tell_group(group, name, value.as_ref());
                Ok(self.world.groups[group].members.len())
            }
            Receiver::Agent(number) => {
                let to = self.living_agent(*number)?;
                self.tell(Event { to, name: name.to_owned(), value, from: None });
                Ok(1)
            }
        }
    }

    /// Sets a value by its whole address, as the console does.
    ///
    /// # Errors
    /// An address that nothing has, or a value that does not fit.
    pub fn assign_value(&mut self, address: &str, value: &ParamValue) -> Result<(), Problem> {
        let value = from_param(value);
        // Known as the user's beforehand: places of a formation are made from the user's values.
        let before = self.user.insert(address.to_owned(), value.clone());
        let done = match self.formation_param(address) {
            Some((group, name)) => self.assign_formation_value(group, name, (address, &value)),
            None => self.set_value(address, &value),
        };
        if done.is_err() {
            self.user.remove(address);
            self.user.extend(before.map(|before| (address.to_owned(), before)));
        }
        done
    }

    /// A value that makes no places is refused, and the places stay.
    fn assign_formation_value(
        &mut self,
        group: usize,
        name: &str,
        (address, value): (&str, &Value),
    ) -> Result<(), Problem> {
        let before = self.groups[group].formation_values.get(name).cloned();
        let done = self.refused(|yard| {
            let problems = yard.problems.changes();
            yard.set_value(address, value)?;
            Ok(yard.problems.changes() == problems)
        });
        if done.is_err() {
            let values = &mut self.groups[group].formation_values;
            values.remove(name);
            values.extend(before.map(|before| (name.to_owned(), before)));
        }
        done
    }

    fn formation_param<'a>(&self, address: &'a str) -> Option<(usize, &'a str)> {
        let (group, below) = address.split_once('.')?;
        Some((self.group_named(group).ok()?, below.strip_prefix("formation.")?))
    }

    /// A parameter by its whole address.
    ///
    /// # Errors
    /// An address that nothing has.
    pub fn param(&self, address: &str) -> Result<Param, Problem> {
        let params = self.params();
        let found = params.iter().find(|param| param.address == address).cloned();
        found.ok_or_else(|| unknown_address(address, params.iter().map(|param| param.address.as_str())))
    }

    /// Takes agents out by number; all of them or, if one does not live, none. Returns how many.
    ///
    /// # Errors
    /// A number that is no living agent's.
    pub fn remove_numbered(&mut self, agents: &[f64]) -> Result<usize, Problem> {
        let ids = agents.iter().map(|number| self.living_agent(*number));
        let mut ids: Vec<AgentId> = ids.collect::<Result<_, _>>()?;
        ids.sort_unstable();
        ids.dedup();
        self.remove_agents(&ids);
        Ok(ids.len())
    }

    /// The index of a group.
    ///
    /// # Errors
    /// No group has the name.
    pub fn group_named(&self, name: &str) -> Result<usize, Problem> {
        let groups = &self.world.groups;
        groups.iter().position(|group| group.name == name).ok_or_else(|| {
            let message = format!("there is no group `{}`", shortened(name));
            let hint = suggestion(name, groups.iter().map(|group| group.name.as_str()));
            Problem::error("unknown-group", message).maybe_hint(hint)
        })
    }

    fn group_or_only(&self, name: Option<&str>) -> Result<usize, Problem> {
        let groups = &self.world.groups;
        match (name, groups.len()) {
            (Some(name), _) => self.group_named(name),
            (None, 1) => Ok(0),
            (None, count) => {
                let message = format!("`group` is missing, and the scene has {count} groups");
                let hint = suggestion("", groups.iter().map(|group| group.name.as_str()));
                Err(Problem::error("missing-field", message).maybe_hint(hint))
            }
        }
    }

    fn living_agent(&self, number: f64) -> Result<AgentId, Problem> {
        let living = AgentId::from_number(number).filter(|id| self.world.agents.find(*id).is_some());
        living.ok_or_else(|| {
            let problem = Problem::error("unknown-agent", format!("no agent with the number {number} lives"));
            problem.hint("`agents` lists the numbers of all that live")
        })
    }

    fn formation_params_of(&self, name: &str) -> Result<&[ParamSpec], Problem> {
        let library = self.library();
        if let Some(entry) = library.formations.get(name) {
            return Ok(&entry.params);
        }
        if library.broken.contains(&(Noun::Formation, name.to_owned())) {
            return Err(Problem::error("broken-formation", format!("the file of the formation `{name}` has problems")));
        }
        let problem = Problem::error("unknown-formation", format!("there is no formation `{}`", shortened(name)));
        Err(problem.maybe_hint(suggestion(name, library.formations.keys().map(String::as_str))))
    }

    /// Where the frame is to stand; none where the order does not say.
    fn pose_asked(&self, group: usize, order: &FormOrder) -> Result<Option<Pose>, Problem> {
        if order.at.is_none() && order.turn.is_none() {
            return Ok(None);
        }
        let scene = &self.scene.groups[group].pose;
        let held = self.groups[group].forming.as_ref().map(|forming| forming.order.pose);
        let held = held.unwrap_or(Pose { at: scene.at, turn: scene.turn });
        let at = order.at.unwrap_or(held.at);
        check_point("`at`", at).map_err(|error| Problem::error("bad-value", error.to_string()))?;
        if self.world.settings.planar && at.z != 0.0 {
            return Err(Problem::error("bad-value", "`at` must have z = 0 in a scene that is flat"));
        }
        Ok(Some(Pose { at, turn: order.turn.map_or(held.turn, wrap_angle) }))
    }

    /// Does what may leave its refusal (false) on the list of problems, and takes that off again: it is the answer.
    fn refused(&mut self, act: impl FnOnce(&mut Self) -> Result<bool, Problem>) -> Result<(), Problem> {
        let before: Vec<(u64, u32)> = self.problems.entries().map(|(id, problem)| (id, problem.count)).collect();
        let faulted = self.faulted;
        if act(self)? {
            return Ok(());
        }
        self.faulted = faulted;
        let is_fresh = |(id, problem): &(u64, &Problem)| !before.contains(&(*id, problem.count));
        let fresh = self.problems.entries().find(is_fresh).map(|(id, problem)| (id, problem.clone()));
        let Some((id, problem)) = fresh else { return Err(Problem::error("refused", "this cannot be done")) };
        if before.iter().all(|(known, _)| *known != id) {
            self.problems.dismiss(id);
        }
        Err(problem)
    }
}

/// A parameter of a formation with a value of its kind. The ends of its slider are no limits: the formation itself says what
/// it can do.
fn checked(formation: &str, specs: &[ParamSpec], name: &str, value: Value) -> Result<(String, Value), Problem> {
    let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
        let message = format!("formation `{formation}` has no parameter `{}`", shortened(name));
        let hint = suggestion(name, specs.iter().map(|spec| spec.name.as_str()));
        return Err(Problem::error("unknown-parameter", message).maybe_hint(hint));
    };
    match (ParamSpec { min: None, max: None, ..spec.clone() }).refusal(&value) {
        Some(refusal) => Err(Problem::error("bad-value", refusal)),
        None => Ok((name.to_owned(), value)),
    }
}
