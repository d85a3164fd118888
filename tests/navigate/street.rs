//! A world with native minds, bodies and a navigator, for tests of people who find their way.

use glam::DVec3;
use std::sync::Arc;
use swarmyard::navigate::{Navigator, News, Settings};
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::tick::{TickScratch, perform};
use swarmyard::sim::{
    AgentId, Avoid, BodySpec, Control, Drive, Group, GroupId, PathState, SimCommand, TickReport, Workers, World,
    WorldSettings, command::Applied, tick,
};
use swarmyard::steer::NativeMind;
use swarmyard::steer::behavior::behavior_named;
use swarmyard::steer::blend::Term;

/// A person of 0.2 m that walks as its force wants.
pub(crate) fn person() -> BodySpec {
    BodySpec { radius: 0.2, max_speed: 2.0, max_acceleration: 30.0, ..BodySpec::default() }
}

/// The same, with an avoidance.
pub(crate) fn shy(avoid: Avoid) -> BodySpec {
    BodySpec { avoid: Some(avoid), drive: Some(Drive::Velocity), ..person() }
}

pub(crate) struct Street {
    pub(crate) world: Arc<World>,
    #[expect(clippy::vec_box, reason = "the tick takes boxed minds")]
    minds: Vec<Box<NativeMind>>,
    pub(crate) navigator: Option<Navigator>,
    pub(crate) news: Vec<News>,
    workers: Workers,
    scratch: TickScratch,
    report: TickReport,
}

impl Street {
    pub(crate) fn new(navigation: Option<Settings>, shapes: &[Shape], seed: u64) -> Self {
        let mut world = World::new(WorldSettings { seed, ..WorldSettings::default() });
        for shape in shapes {
            world.obstacles.insert("", shape.clone()).expect("a usable shape");
        }
        Self {
            world: Arc::new(world),
            minds: Vec::new(),
            navigator: navigation.map(Navigator::new),
            news: Vec::new(),
            workers: Workers::new(1),
            scratch: TickScratch::default(),
            report: TickReport::default(),
        }
    }

    pub(crate) fn world(&mut self) -> &mut World {
        Arc::make_mut(&mut self.world)
    }

    pub(crate) fn group(&mut self, body: BodySpec, control: Control, terms: &[Term]) -> GroupId {
        self.minds.push(Box::new(NativeMind::of_terms(control, terms).expect("native terms")));
        self.world().add_group(Group::new(GroupId(0), "people", body))
    }

    /// A group under a behavior of the catalogue, or under one force of that name.
    pub(crate) fn people(&mut self, name: &str, body: BodySpec) -> GroupId {
        match behavior_named(name) {
            Some(behavior) => self.group(body, behavior.control, &(behavior.terms)()),
            None => self.group(body, Control::Acceleration, &[Term::native(name, 1.0)]),
        }
    }

    pub(crate) fn add(&mut self, group: GroupId, from: (f64, f64), to: Option<(f64, f64)>) -> AgentId {
        let position = DVec3::new(from.0, from.1, 0.0);
        let spawn = SimCommand::Spawn { group, position, heading: 0.0, velocity: DVec3::ZERO };
        let id = match self.world().apply(spawn) {
            Ok(Applied::Agent(id)) => id,
            other => panic!("no agent: {other:?}"),
        };
        if let Some((x, y)) = to {
            self.send(id, x, y);
        }
        id
    }

    pub(crate) fn send(&mut self, id: AgentId, x: f64, y: f64) {
        let goal = SimCommand::SetGoal(id, Some(DVec3::new(x, y, 0.0)));
        self.world().apply(goal).expect("a living agent");
    }

    pub(crate) fn step(&mut self) {
        if let Some(navigator) = &mut self.navigator {
            navigator.step(Arc::make_mut(&mut self.world), &mut self.news);
        }
        tick(&mut self.world, &mut self.minds, &self.workers, &mut self.scratch, &mut self.report, &mut ());
        drop(perform(Arc::make_mut(&mut self.world), &mut self.report.acts));
        assert!(self.report.quarantined.is_empty(), "{:?}", self.report.quarantined);
    }

    /// Runs for so long, and calls `look` after every tick.
    pub(crate) fn run(&mut self, secs: f64, mut look: impl FnMut(&World)) {
        for _ in 0..(secs * self.world.settings.tick_hz) as u64 {
            self.step();
            look(&self.world);
        }
    }

    pub(crate) fn at(&self, id: AgentId) -> DVec3 {
        self.world.agents.position[id.slot as usize]
    }

    pub(crate) fn velocity(&self, id: AgentId) -> DVec3 {
        self.world.agents.velocity[id.slot as usize]
    }

    pub(crate) fn state(&self, id: AgentId) -> PathState {
        self.world.agents.course[id.slot as usize].state
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        self.news.iter().filter(|news| news.name == name).count()
    }
}

/// How many are stuck.
pub(crate) fn stuck(world: &World) -> usize {
    world.groups.iter().map(|group| world.agents.stuck_among(&group.members, world.dt())).sum()
}

/// The least distance of two, m.
pub(crate) fn nearest(world: &World) -> f64 {
    let positions = &world.agents.position;
    let pairs = (0..positions.len()).flat_map(|a| (0..a).map(move |b| positions[a].distance(positions[b])));
    pairs.fold(f64::INFINITY, f64::min)
}
