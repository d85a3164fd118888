//! A small world with native minds, for tests.

use glam::DVec3;
use std::sync::Arc;
use swarmyard::sim::tick::{TickScratch, perform, sense};
use swarmyard::sim::{
    AgentId, BodySpec, Control, Fault, Group, GroupId, Intent, Intents, Mind as _, Place, SimCommand, TickReport, Way,
    Workers, World, WorldSettings, command::Applied, tick,
};
use swarmyard::steer::NativeMind;
use swarmyard::steer::behavior::behavior_named;
use swarmyard::steer::blend::Term;

pub(crate) fn at(x: f64, y: f64) -> DVec3 {
    DVec3::new(x, y, 0.0)
}

/// World, minds and all that a run needs.
pub(crate) struct Yard {
    pub(crate) world: Arc<World>,
    #[expect(clippy::vec_box, reason = "the tick takes boxed minds")]
    pub(crate) minds: Vec<Box<NativeMind>>,
    pub(crate) workers: Workers,
    scratch: TickScratch,
    pub(crate) report: TickReport,
}

impl Yard {
    pub(crate) fn new(settings: WorldSettings) -> Self {
        Self {
            world: Arc::new(World::new(settings)),
            minds: Vec::new(),
            workers: Workers::new(1),
            scratch: TickScratch::default(),
            report: TickReport::default(),
        }
    }

    pub(crate) fn plain() -> Self {
        Self::new(WorldSettings::default())
    }

    pub(crate) fn world(&mut self) -> &mut World {
        Arc::make_mut(&mut self.world)
    }

    pub(crate) fn group(&mut self, name: &str, body: BodySpec, control: Control, terms: &[Term]) -> GroupId {
        let mind = NativeMind::of_terms(control, terms).expect("the terms are native and known");
        self.minds.push(Box::new(mind));
        self.world().add_group(Group::new(GroupId(0), name, body))
    }

    pub(crate) fn behavior(&mut self, name: &str, body: BodySpec) -> GroupId {
        let behavior = behavior_named(name).expect("a behavior of the catalogue");
        self.group(name, body, behavior.control, &(behavior.terms)())
    }

    pub(crate) fn spawn(&mut self, group: GroupId, position: DVec3, velocity: DVec3) -> AgentId {
        let heading = swarmyard::sim::angle::angle_of(velocity);
        let command = SimCommand::Spawn { group, position, heading, velocity };
        match self.world().apply(command).expect("a legal agent") {
            Applied::Agent(id) => id,
            other => panic!("spawned {other:?}"),
        }
    }

    pub(crate) fn obstacle(&mut self, shape: swarmyard::sim::obstacle::Shape) {
        self.world().apply(SimCommand::AddObstacle(String::new(), shape)).expect("a legal obstacle");
    }

    pub(crate) fn place(&mut self, id: AgentId, index: u32, position: DVec3, heading: f64) {
        let place = Place { index, position, velocity: DVec3::ZERO, heading, turn_rate: 0.0, way: Way::default() };
        self.world().apply(SimCommand::SetPlace(id, Some(place))).expect("a legal place");
    }

    pub(crate) fn step(&mut self) {
        tick(&mut self.world, &mut self.minds, &self.workers, &mut self.scratch, &mut self.report, &mut ());
        let lost = perform(Arc::make_mut(&mut self.world), &mut self.report.acts);
        assert!(lost.is_empty(), "{lost:?}");
    }

    pub(crate) fn run(&mut self, ticks: usize) {
        for _ in 0..ticks {
            self.step();
        }
    }

    /// What the minds would want now: intents of one group, and faults.
    pub(crate) fn intents(&mut self, group: GroupId) -> (Vec<Intent>, Vec<Fault>) {
        sense(self.world());
        let mut out = Intents::default();
        out.reset(self.world.groups[group.index()].members.len());
        self.minds[group.index()].decide(&self.world, group, &self.workers, &mut out);
        (out.rows, out.faults)
    }

    /// The push on one agent.
    pub(crate) fn push(&mut self, id: AgentId) -> DVec3 {
        let group = self.world.agents.group[id.slot as usize];
        let member = self.world.groups[group.index()].members.binary_search(&id.slot).expect("a member");
        self.intents(group).0[member].push
    }

    pub(crate) fn hash(&mut self) -> u64 {
        let mut digests = vec![0; self.world.agents.slots()];
        for (group, mind) in self.world.groups.iter().zip(&mut self.minds) {
            let mut own = Vec::new();
            mind.digest(&self.world, group, &mut own);
            for (slot, digest) in group.members.iter().zip(own) {
                digests[*slot as usize] = digest;
            }
        }
        self.world.hash(&digests)
    }

    pub(crate) fn position(&self, id: AgentId) -> DVec3 {
        self.world.agents.position[id.slot as usize]
    }

    pub(crate) fn velocity(&self, id: AgentId) -> DVec3 {
        self.world.agents.velocity[id.slot as usize]
    }

    pub(crate) fn all_finite(&self) -> bool {
        let agents = &self.world.agents;
        (0..agents.slots()).all(|slot| {
            agents.position[slot].is_finite()
                && agents.velocity[slot].is_finite()
                && agents.heading[slot].is_finite()
                && !agents.quarantined[slot]
        })
    }
}

pub(crate) fn close(a: DVec3, b: DVec3, within: f64) {
    assert!((a - b).length() <= within, "{a} is not {b} within {within}");
}

/// Points that look random and are the same everywhere, in [0, 1)³.
pub(crate) fn scatter(seed: u64, index: u64) -> DVec3 {
    let mut luck = swarmyard::sim::Stream::new(seed, index, 0, swarmyard::sim::rng::Use::Spawn);
    DVec3::new(luck.unit(), luck.unit(), luck.unit())
}
