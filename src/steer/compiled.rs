//! Blends resolved for the run: which native forces act in each leaf state, and where each of their numbers comes from.
//!
//! What is added per tick from outside — slider values per group, memory-bound numbers and `scale` factors per member —
//! comes in as [`Bound`]; [`Blends::evaluate`] (in `evaluate`) adds the forces to the intents.

use super::force::crowd::contact::SOCIAL_FORCE_2000;
use super::force::crowd::load::{Loads, largest_radius};
use super::registry::{ForceSpec, Kind, NOBODY, force_named, group_code};
use super::sense::Kept;
use super::summing::{Sum, Summed, looks_at_few};
use super::{nearest::did_you_mean, param::Value, source::Source};
use crate::sim::{Control, Group, StateHash, World};
use glam::DVec3;

/// A native term of a leaf state, before it is compiled. Scripted terms are not listed here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermSpec {
    /// Key in the blend: terms of one key and force share what the force keeps per agent.
    pub key: String,
    /// Name of the native force.
    pub force: String,
    /// Factor on the force; 0 is off and costs nothing.
    pub weight: Source,
    /// Parameters that have a source; the others keep the force's defaults.
    pub params: Vec<(String, Source)>,
    /// Whether a further factor per agent comes in through [`Bound::rows`].
    pub scale: bool,
}

/// A leaf state with its native terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeafSpec {
    /// Dotted path for messages; empty for a plain behavior.
    pub path: String,
    /// What the sum means.
    pub control: Control,
    /// Native terms in key order.
    pub terms: Vec<TermSpec>,
}

/// Why a blend could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BlendError {
    /// Dotted path of the leaf state.
    pub leaf: String,
    /// Key of the term.
    pub key: String,
    /// What is wrong and what to try.
    pub message: String,
}

/// Why a force cannot act under that control; none if it can. `off` is a term with weight 0, which may stand anywhere.
pub fn unit_refusal(force: &ForceSpec, control: Control, state: &str) -> Option<String> {
    if !force.is_controller() || control == Control::Velocity {
        return None;
    }
    let state = if state.is_empty() { "the behavior".to_owned() } else { format!("state `{state}`") };
    Some(format!(
        "{} yields a velocity (m/s), but {state} is controlled by acceleration; add control = \"velocity\"",
        force.name
    ))
}

/// A memory field that a term reads: its numbers stand in every member's row of [`Bound::rows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Index of the memory field, as in [`Source::Memory`].
    pub memory: usize,
    /// First number of it in a member's row.
    pub at: usize,
    /// Numbers it takes: 3 for a vector, else 1 (a group's name as [`group_code`], a truth value as 0 or 1).
    pub width: usize,
}

/// What blends need from outside in one tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bound<'a> {
    /// One value per slider; [`Source::Slider`] indexes it.
    pub sliders: &'a [Value],
    /// [`Blends::stride`] numbers per member, in the order of the members: memory lanes, then the scale factors of the
    /// member's leaf. Lanes that its leaf does not use may hold anything. Empty when the stride is 0.
    pub rows: &'a [f64],
    /// Which members decide in this tick; empty for all. The others keep what their row holds.
    pub active: &'a [bool],
}

/// What one force does to one agent, for the inspector.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// Key of the term.
    pub key: String,
    /// Its share of the push, weight and scale included, m/s² or m/s.
    pub push: DVec3,
    /// Its share of the turn, rad/s; none if the force never turns.
    pub turn: Option<f64>,
}

/// Where a parameter's numbers come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Feed {
    /// The force's default.
    Default,
    /// A slider.
    Slider(usize),
    /// A place in the member's row.
    Row(usize),
}

/// A resolved term.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) key: String,
    pub(super) force: &'static ForceSpec,
    pub(super) weight: Feed,
    /// Place of the scale factor in the member's row.
    pub(super) scale: Option<usize>,
    /// Which sum of the vector kernel the force is made of.
    pub(super) sum: Option<Sum>,
    /// Feed of each parameter, in the force's order.
    pub(super) feeds: Vec<Feed>,
    /// Whether any parameter comes from the member's row.
    pub(super) personal: bool,
    /// Where its numbers begin in [`Blends::numbers`]; the weight stands before them.
    pub(super) at: usize,
    /// Plain numbers of its parameters.
    pub(super) width: usize,
    /// Place of the neighbor radius among them, for forces that look at neighbors.
    pub(super) radius: Option<usize>,
    /// Place of the group among them.
    pub(super) from: Option<usize>,
    /// Place of `max_neighbors` among them.
    pub(super) most: Option<usize>,
    /// Which of the kept values of an agent is its own.
    pub(super) kept: Option<usize>,
    /// Which of [`Blends::loads`] its agents share.
    pub(super) loads: Option<usize>,
    pub(super) enabled: bool,
}

/// A leaf state, resolved.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) control: Control,
    pub(super) terms: Vec<Term>,
    /// Terms that act in this tick, filled by `prepare`.
    pub(super) live: Vec<usize>,
    /// What all live terms need of the row of neighbors.
    pub(super) all: Needs,
    /// What is needed of it beside the terms that the vector kernel sums.
    pub(super) rest: Needs,
    /// The live terms that the vector kernel sums.
    pub(super) summed: Summed,
    /// Whether a live term asks for a turn rate.
    pub(super) turns: bool,
}

/// What terms need of the row of neighbors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// Largest neighbor radius of those that do not read memory, m; 0 for none.
    pub(super) reach: f64,
    /// Whether a radius comes from memory.
    pub(super) personal_reach: bool,
    /// Whether some look beyond the agent's own group.
    pub(super) others: bool,
    /// Whether some take only the nearest few, so that the row must come nearest first.
    pub(super) sorted: bool,
}

impl Needs {
    fn add(&mut self, term: &Term, radius: f64, own: bool, few: bool) {
        self.personal_reach |= term.personal;
        if !term.personal {
            self.reach = self.reach.max(radius);
        }
        self.others |= !own || term.personal;
        self.sorted |= few || term.personal;
    }
}

/// The native part of a mind: one blend per leaf state and what its forces keep per agent.
#[derive(Clone, Debug, Default)]
pub struct Blends {
    pub(super) leaves: Vec<Leaf>,
    lanes: Vec<Lane>,
    stride: usize,
    /// Per term: weight, then its parameters as plain numbers; filled each tick from the sliders.
    pub(super) numbers: Vec<f64>,
    /// Whether some force leads somewhere.
    pub(super) leads: bool,
    /// Kept values per agent.
    pub(super) keeps: usize,
    /// `keeps` values per slot.
    pub(super) kept: Vec<Kept>,
    /// The life of each slot that `kept` belongs to.
    pub(super) lives: Vec<u32>,
    /// Loads of pressed bodies, for each term that shares them.
    pub(super) loads: Vec<Loads>,
    pub(super) pass: super::evaluate::Pass,
}

impl Blends {
    /// Resolves the blends of all leaf states.
    ///
    /// # Errors
    /// All unknown forces and parameters. A controller in a state that is controlled by acceleration is off at run time;
    /// [`unit_refusal`] says so before the run.
    pub fn new(leaves: &[LeafSpec]) -> Result<Self, Vec<BlendError>> {
        let mut blends = Self::default();
        let mut errors = Vec::new();
        let mut keepers: Vec<(String, &'static str)> = Vec::new();
        for spec in leaves {
            let mut leaf = Leaf {
                control: spec.control,
                terms: Vec::new(),
                live: Vec::new(),
                all: Needs::default(),
                rest: Needs::default(),
                summed: Summed::default(),
                turns: false,
            };
            for term in &spec.terms {
                match blends.resolve(term, &mut keepers) {
                    Ok(term) => leaf.terms.push(term),
                    Err(message) => {
                        errors.push(BlendError { leaf: spec.path.clone(), key: term.key.clone(), message });
                    }
                }
            }
            leaf.live.reserve(leaf.terms.len());
            blends.leaves.push(leaf);
        }
        let leads = |term: &Term| super::force::LEADING.contains(&term.force.name);
        blends.leads = blends.leaves.iter().flat_map(|leaf| &leaf.terms).any(leads);
        blends.keeps = keepers.len();
        let lanes: usize = blends.lanes.iter().map(|lane| lane.width).sum();
        let mut most = 0;
        for (leaf, spec) in blends.leaves.iter_mut().zip(leaves) {
            let mut scales = 0;
            for term in &mut leaf.terms {
                if spec.terms.iter().any(|spec| spec.key == term.key && spec.scale) {
                    term.scale = Some(lanes + scales);
                    scales += 1;
                }
            }
            most = most.max(scales);
        }
        blends.stride = lanes + most;
        if errors.is_empty() { Ok(blends) } else { Err(errors) }
    }

    fn resolve(&mut self, spec: &TermSpec, keepers: &mut Vec<(String, &'static str)>) -> Result<Term, String> {
        let Some(force) = force_named(&spec.force) else {
            let near = did_you_mean(&spec.force, super::registry::FORCES.iter().map(|force| force.name));
            return Err(format!("no native force is called `{}`{near}", spec.force));
        };
        for (name, _) in &spec.params {
            if !force.params.iter().any(|param| param.name == name) {
                let near = did_you_mean(name, force.params.iter().map(|param| param.name));
                return Err(format!("force `{}` has no parameter `{name}`{near}", force.name));
            }
        }
        let weight = self.feed(Some(spec.weight), 1);
        let mut feeds = Vec::with_capacity(force.params.len());
        let mut width = 0;
        let mut places = [None; 3];
        for param in force.params {
            let source = spec.params.iter().find(|(name, _)| name == param.name).map(|(_, source)| *source);
            feeds.push(self.feed(source, param.width()));
            for (place, name) in places.iter_mut().zip(["radius", "from", "max_neighbors"]) {
                if param.name == name {
                    *place = Some(width);
                }
            }
            width += param.width();
        }
        let kept = force.keeps.then(|| {
            let known = keepers.iter().position(|(key, name)| *key == spec.key && *name == force.name);
            known.unwrap_or_else(|| {
                keepers.push((spec.key.clone(), force.name));
                keepers.len() - 1
            })
        });
        let at = self.numbers.len();
        self.numbers.resize(at + 1 + width, 0.0);
        let personal = feeds.iter().any(|feed| matches!(feed, Feed::Row(_)));
        let loads = (force.name == SOCIAL_FORCE_2000.name && !personal).then(|| {
            self.loads.push(Loads::default());
            self.loads.len() - 1
        });
        Ok(Term {
            key: spec.key.clone(),
            force,
            weight,
            scale: None,
            sum: Sum::of(force, &feeds),
            personal,
            feeds,
            at,
            width,
            radius: places[0],
            from: places[1],
            most: places[2],
            kept,
            loads,
            enabled: true,
        })
    }

    fn feed(&mut self, source: Option<Source>, width: usize) -> Feed {
        match source {
            None => Feed::Default,
            Some(Source::Slider(slider)) => Feed::Slider(slider),
            Some(Source::Memory(memory)) => {
                let known = self.lanes.iter().find(|lane| lane.memory == memory);
                Feed::Row(known.map(|lane| lane.at).unwrap_or_else(|| {
                    let at = self.lanes.iter().map(|lane| lane.width).sum();
                    self.lanes.push(Lane { memory, at, width });
                    at
                }))
            }
        }
    }

    /// Memory fields that terms read, with their place in a member's row.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Numbers per member in [`Bound::rows`].
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Terms of a leaf that take a scale factor: key and place in the member's row.
    pub fn scales(&self, leaf: usize) -> impl Iterator<Item = (&str, usize)> {
        self.leaves
            .get(leaf)
            .into_iter()
            .flat_map(|leaf| leaf.terms.iter().filter_map(|term| Some((term.key.as_str(), term.scale?))))
    }

    /// Whether no leaf has a native term.
    pub fn is_empty(&self) -> bool {
        self.leaves.iter().all(|leaf| leaf.terms.is_empty())
    }

    /// Whether a term asks for a turn rate.
    pub fn turns(&self) -> bool {
        self.leaves.iter().flat_map(|leaf| &leaf.terms).any(|term| term.force.turns)
    }

    /// Switches the force of that key on or off, in one leaf or in all; its weight stays. False if there is none.
    pub fn set_enabled(&mut self, leaf: Option<usize>, key: &str, enabled: bool) -> bool {
        let mut found = false;
        for (index, own) in self.leaves.iter_mut().enumerate() {
            if leaf.is_some_and(|leaf| leaf != index) {
                continue;
            }
            for term in own.terms.iter_mut().filter(|term| term.key == key) {
                term.enabled = enabled;
                found = true;
            }
        }
        found
    }

    /// Whether the force of that key is switched on in a leaf; none if there is none.
    pub fn enabled(&self, leaf: usize, key: &str) -> Option<bool> {
        self.leaves.get(leaf)?.terms.iter().find(|term| term.key == key).map(|term| term.enabled)
    }

    /// Takes over what agents keep (integrators, legs of a route) from the blends that ran before a reload.
    pub fn adopt(&mut self, before: &Self) {
        if self.keeps == before.keeps {
            self.kept.clone_from(&before.kept);
            self.lives.clone_from(&before.lives);
        }
    }

    /// Hashes what the forces keep for an agent; nothing to hash counts as nothing.
    pub fn digest(&self, world: &World, slot: u32, hash: &mut StateHash) {
        let at = slot as usize;
        if self.keeps == 0 || self.lives.get(at) != world.agents.generation.get(at) {
            return;
        }
        for kept in &self.kept[at * self.keeps..(at + 1) * self.keeps] {
            hash.vector(kept.vector);
            hash.number(kept.number);
            hash.integer(u64::from(kept.tag));
            for vector in kept.more {
                hash.vector(vector);
            }
        }
    }

    /// Turns sliders into plain numbers and finds out which terms act in this tick.
    pub(super) fn prepare(&mut self, world: &World, group: &Group, sliders: &[Value]) {
        if !self.loads.is_empty() {
            let largest = largest_radius(&world.agents);
            self.loads.iter_mut().for_each(|loads| loads.begin(world.agents.slots(), largest));
        }
        for leaf in &mut self.leaves {
            leaf.live.clear();
            (leaf.all, leaf.rest, leaf.summed) = (Needs::default(), Needs::default(), Summed::default());
            leaf.turns = false;
            for (index, term) in leaf.terms.iter().enumerate() {
                let numbers = &mut self.numbers[term.at..=term.at + term.width];
                numbers[0] = match term.weight {
                    Feed::Slider(slider) => sliders.get(slider).and_then(Value::number).unwrap_or(0.0),
                    Feed::Default | Feed::Row(_) => 1.0,
                };
                let barred = term.force.is_controller() && leaf.control == Control::Acceleration;
                if numbers[0] == 0.0 || !term.enabled || barred {
                    continue;
                }
                fill(&mut numbers[1..], term, world, sliders);
                let numbers = &numbers[1..];
                leaf.live.push(index);
                leaf.turns |= term.force.turns;
                let (Some(radius), Some(from)) = (term.radius, term.from) else {
                    continue;
                };
                let few = term.most.is_some_and(|most| numbers[most] >= 1.0);
                if !few && !term.personal && looks_at_few(world, group, numbers[from]) {
                    continue;
                }
                let own = super::registry::is_code(numbers[from], super::registry::OWN);
                leaf.all.add(term, numbers[radius], own, few);
                if few || !leaf.summed.takes(index, term, group, numbers[from]) {
                    leaf.rest.add(term, numbers[radius], own, few);
                }
            }
        }
    }

    /// The largest neighbor radius that the sliders ask for, m; neighbor cells are laid after it.
    pub fn reach(&self, sliders: &[Value]) -> f64 {
        let number = |slider: usize| sliders.get(slider).and_then(Value::number);
        let radius = |term: &Term| {
            let off = matches!(term.weight, Feed::Slider(slider) if number(slider).unwrap_or(0.0) == 0.0);
            if off || !term.enabled || term.from.is_none() {
                return None;
            }
            let at = term.force.params.iter().position(|param| param.name == "radius")?;
            match (term.feeds[at], term.force.params[at].kind) {
                (Feed::Slider(slider), _) => number(slider),
                (Feed::Default, Kind::Number(default, _, _)) => Some(default),
                _ => None,
            }
        };
        self.leaves.iter().flat_map(|leaf| &leaf.terms).filter_map(radius).fold(0.0, f64::max)
    }

    /// The leaf of an intent's state; none where the index is beyond the list.
    pub(super) fn leaf(&self, state: u16) -> Option<&Leaf> {
        self.leaves.get(usize::from(state))
    }
}

/// Writes the parameters of a term that come from sliders and defaults.
fn fill(numbers: &mut [f64], term: &Term, world: &World, sliders: &[Value]) {
    let mut at = 0;
    for (param, feed) in term.force.params.iter().zip(&term.feeds) {
        let value = if let Feed::Slider(slider) = feed { sliders.get(*slider) } else { None };
        let number = value.and_then(Value::number);
        match param.kind {
            Kind::Number(default, _, _) => numbers[at] = number.unwrap_or(default),
            Kind::Cone => numbers[at] = cosine(number.unwrap_or(std::f64::consts::PI)),
            Kind::View(default) => numbers[at] = cosine(number.unwrap_or(default)),
            Kind::Switch(default) => {
                numbers[at] = f64::from(u8::from(value.and_then(Value::bool).unwrap_or(default)));
            }
            Kind::Group(default) => {
                numbers[at] = group_code(world, value.and_then(Value::text).unwrap_or(default));
            }
            Kind::Vector => {
                let vector = value.and_then(Value::vector).unwrap_or_default();
                numbers[at..at + 3].copy_from_slice(&vector.to_array());
            }
        }
        at += param.width();
    }
}

/// Overwrites the parameters that come from the member's row.
pub(super) fn fill_personal(numbers: &mut [f64], term: &Term, row: &[f64]) {
    let mut at = 0;
    for (param, feed) in term.force.params.iter().zip(&term.feeds) {
        let width = param.width();
        if let Feed::Row(from) = *feed {
            for offset in 0..width {
                let number = row.get(from + offset).copied().unwrap_or(0.0);
                numbers[at + offset] = match param.kind {
                    Kind::Cone | Kind::View(_) => cosine(number),
                    Kind::Group(_) if number.is_nan() => NOBODY,
                    _ => number,
                };
            }
        }
        at += width;
    }
}

/// Cosine of a half angle of view, radians; −2 (below every cosine) where it goes all round.
fn cosine(half_angle: f64) -> f64 {
    if half_angle >= std::f64::consts::PI { -2.0 } else { libm::cos(half_angle.max(0.0)) }
}
