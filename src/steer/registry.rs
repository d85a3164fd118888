//! The table of native forces: name, help, source, unit, parameters and the function, in one place.
//!
//! Sliders, help, script types, checks and the manual read this table; a new force is one more entry.

use super::force::{self, Compute};
use super::param::{Choices, ParamSpec, Value};
use crate::sim::{GroupId, World};
use glam::DVec3;

/// One native force or controller.
#[derive(Clone, Copy, Debug)]
pub struct ForceSpec {
    /// Name as blends write it.
    pub name: &'static str,
    /// One line for lists and tooltips.
    pub about: &'static str,
    /// Where the rule comes from: paper, equation.
    pub source: &'static str,
    /// `"m/s2"`, or `"m/s"` for a controller, which only a velocity-controlled state can add.
    pub unit: &'static str,
    /// Whether it asks for a turn rate.
    pub turns: bool,
    /// Whether it keeps something per agent from tick to tick.
    pub keeps: bool,
    /// Parameters, in the order in which `compute` takes them apart.
    pub params: &'static [Param],
    /// The force itself.
    pub compute: Compute,
}

impl ForceSpec {
    /// Whether it yields a velocity.
    pub fn is_controller(&self) -> bool {
        self.unit == "m/s"
    }

    /// The parameters as every other room knows them.
    pub fn specs(&self) -> Vec<ParamSpec> {
        self.params.iter().map(Param::spec).collect()
    }
}

/// What a parameter of a native force holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number: default, least, most.
    Number(f64, f64, f64),
    /// Half the angle of a view cone, radians; the force gets its cosine, or −2 where it sees all round.
    Cone,
    /// The same for a field of view beyond which one still sees, only less: its default, radians.
    View(f64),
    /// A truth value.
    Switch(bool),
    /// The name of a group; the force gets its code, see [`group_code`].
    Group(&'static str),
    /// A point or vector; the force gets three numbers.
    Vector,
}

/// One parameter of a native force.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Name, a word as in Lua.
    pub name: &'static str,
    /// What it holds, with default and range.
    pub kind: Kind,
    /// Unit as printed; empty for a pure number.
    pub unit: &'static str,
    /// One line for the tooltip.
    pub about: &'static str,
}

impl Param {
    pub(super) const fn number(
        name: &'static str,
        default: f64,
        range: (f64, f64),
        unit: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, kind: Kind::Number(default, range.0, range.1), unit, about }
    }

    /// How many plain numbers the force gets for it.
    pub fn width(&self) -> usize {
        if self.kind == Kind::Vector { 3 } else { 1 }
    }

    /// The parameter as every other room knows it.
    pub fn spec(&self) -> ParamSpec {
        let (default, range): (Value, _) = match self.kind {
            Kind::Number(default, least, most) => (default.into(), Some((least, most))),
            Kind::Cone => (std::f64::consts::PI.into(), Some((0.0, 3.15))),
            Kind::View(default) => (default.into(), Some((0.0, 3.15))),
            Kind::Switch(on) => (on.into(), None),
            Kind::Group(name) => (name.into(), None),
            Kind::Vector => (DVec3::ZERO.into(), None),
        };
        ParamSpec {
            min: range.map(|range| range.0),
            max: range.map(|range| range.1),
            unit: self.unit.to_owned(),
            about: self.about.to_owned(),
            choices: if matches!(self.kind, Kind::Group(_)) { Choices::Groups } else { Choices::Any },
            ..ParamSpec::new(self.name, default)
        }
    }
}

/// Code of "the agent's own group" where a force takes a group.
pub const OWN: f64 = -1.0;
/// Code of "agents of any group".
pub const ANY: f64 = -2.0;
/// Code of a group that the scene lacks: empty.
pub const NOBODY: f64 = -3.0;

/// A group's name as the plain number that forces get: its index; [`OWN`] for no name, [`ANY`] for `"any"`, [`NOBODY`] for
/// a group that the scene lacks.
pub fn group_code(world: &World, name: &str) -> f64 {
    match name {
        "" => OWN,
        "any" => ANY,
        _ => world.group_named(name).map_or(NOBODY, |group| f64::from(group.id.0)),
    }
}

/// The group that a code of [`group_code`] means for an agent of `own`; outer none: nobody, inner none: any.
#[expect(clippy::option_option, reason = "nobody, everybody, or one group")]
pub fn group_of_code(code: f64, own: GroupId) -> Option<Option<GroupId>> {
    if code >= 0.0 {
        Some(Some(GroupId(code as u16)))
    } else if is_code(code, OWN) {
        Some(Some(own))
    } else if is_code(code, ANY) {
        Some(None)
    } else {
        None
    }
}

/// All native forces, in name order.
pub const FORCES: &[ForceSpec] = &[
    force::flock::ALIGNMENT,
    force::goal::ARRIVE,
    force::crowd::company::ATTRACTION,
    force::wall::BOUNDS,
    force::flock::COHESION,
    force::crowd::company::COMPANIONS,
    force::crowd::csm::CSM,
    force::cucker::CUCKER_SMALE,
    force::water::CURRENT,
    force::crowd::driving::DRIVING,
    force::chase::EVADE,
    force::chase::FLEE,
    force::rule::FLOCKING,
    force::path::FOLLOW_LEADER,
    force::course::FOLLOW_PATH,
    force::path::FOLLOW_ROUTE,
    force::chase::FOOD,
    force::crowd::heuristic::MOUSSAID_2009,
    force::obstacle::OBSTACLE,
    force::chase::PURSUE,
    force::goal::SEEK,
    force::goal::SEEK_GOAL,
    force::slot::SEEK_SLOT,
    force::flock::SEPARATION,
    force::crowd::social::SOCIAL_FORCE,
    force::crowd::ellipse::SOCIAL_FORCE_1995,
    force::crowd::contact::SOCIAL_FORCE_2000,
    force::wall::SOFT_WALL,
    force::slot::TRACK_SLOT,
    force::transit::TRANSIT,
    force::vicsek::VICSEK,
    force::wander::WANDER,
];

/// The native force of that name.
pub fn force_named(name: &str) -> Option<&'static ForceSpec> {
    FORCES.iter().find(|force| force.name == name)
}

/// Whether a number is this code; codes are whole numbers and never computed.
pub fn is_code(number: f64, code: f64) -> bool {
    number.to_bits() == code.to_bits()
}
