//! A small world with scripted groups, run tick by tick.

use std::sync::Arc;

use glam::DVec3;
use swarmyard::machine::program::Program;
use swarmyard::scene::problem::Problem;
use swarmyard::script::host::Host;
use swarmyard::script::runtime::memory::Datum;
use swarmyard::script::runtime::mind::{Outbox, ScriptMind};
use swarmyard::script::runtime::request::Leavings;
use swarmyard::sim::tick::{self, TickScratch};
use swarmyard::sim::{
    AgentId, BodySpec, Event, Group, GroupId, Place, SimCommand, TickReport, Value, Way, Workers, World, WorldSettings,
};

use crate::support::open;

/// A world, its minds, and what scripts left.
pub(crate) struct Stage {
    pub host: Host,
    pub world: Arc<World>,
    #[expect(clippy::vec_box, reason = "the tick takes boxed minds")]
    pub minds: Vec<Box<ScriptMind>>,
    pub outbox: Outbox,
    pub left: Leavings,
    pub report: TickReport,
    workers: Workers,
    scratch: TickScratch,
}

impl Stage {
    /// Groups `(name, program, count)` in a world of one tick per 0.1 s, ten agents a row, two metres apart.
    pub(crate) fn new(texts: &[(&str, &str)], groups: &[(&str, &str, usize)]) -> Self {
        Self::with(open(texts), groups, 10.0, 1)
    }

    pub(crate) fn with(host: Host, groups: &[(&str, &str, usize)], tick_hz: f64, threads: usize) -> Self {
        let mut world = World::new(WorldSettings { seed: 7, tick_hz, ..WorldSettings::default() });
        let outbox = Outbox::default();
        for (name, _, count) in groups {
            let body = BodySpec { radius: 0.2, max_speed: 5.0, max_acceleration: 20.0, ..BodySpec::default() };
            let group = world.add_group(Group::new(GroupId(0), *name, body));
            for index in 0..*count {
                let row = f64::from(group.0) * 30.0 + (index / 10) as f64 * 2.0;
                let position = DVec3::new((index % 10) as f64 * 2.0, row, 0.0);
                let command = SimCommand::Spawn { group, position, heading: 0.0, velocity: DVec3::ZERO };
                world.apply(command).expect("there is room");
            }
        }
        let minds = groups
            .iter()
            .enumerate()
            .map(|(index, (name, program, _))| Box::new(mind(&host, &outbox, index, name, program)))
            .collect();
        Self {
            host,
            world: Arc::new(world),
            minds,
            outbox,
            left: Leavings::default(),
            report: TickReport::default(),
            workers: Workers::new(threads),
            scratch: TickScratch::default(),
        }
    }

    /// One agent of one behavior or machine.
    pub(crate) fn one(text: &str) -> Self {
        Self::new(&[("scripts/behaviors/it.luau", text)], &[("them", "it", 1)])
    }

    pub(crate) fn tick(&mut self) {
        let mut acts = std::mem::take(&mut self.report.acts);
        tick::perform(Arc::make_mut(&mut self.world), &mut acts);
        tick::tick(&mut self.world, &mut self.minds, &self.workers, &mut self.scratch, &mut self.report, &mut ());
        self.left.append(self.outbox.take());
        assert_eq!(Arc::strong_count(&self.world), 1, "the machine gave the world back");
    }

    pub(crate) fn ticks(&mut self, count: usize) {
        for _ in 0..count {
            self.tick();
        }
    }

    pub(crate) fn world_mut(&mut self) -> &mut World {
        Arc::make_mut(&mut self.world)
    }

    pub(crate) fn tell(&mut self, slot: u32, name: &str, value: Option<Value>) {
        let to = self.world.agents.id(slot);
        let event = Event { to, name: name.to_owned(), value, from: None };
        self.world_mut().apply(SimCommand::Tell(event)).expect("it lives");
    }

    pub(crate) fn place(&mut self, slot: u32, position: DVec3) {
        let id = self.world.agents.id(slot);
        // All of them set out now.
        let way = Way { from: self.world.agents.position[slot as usize], began: self.world.tick, secs: 1.2 };
        let place = Place { index: slot, position, velocity: DVec3::ZERO, heading: 0.0, turn_rate: 0.0, way };
        self.world_mut().apply(SimCommand::SetPlace(id, Some(place))).expect("it lives");
    }

    /// The state that an agent was in when it last acted.
    pub(crate) fn state(&self, slot: usize) -> String {
        let group = self.world.agents.group[slot].index();
        use swarmyard::sim::Mind as _;
        self.minds[group].states()[usize::from(self.world.agents.state[slot])].clone()
    }

    pub(crate) fn memory(&self, slot: u32, field: &str) -> Datum {
        let group = self.world.agents.group[slot as usize].index();
        let memory = self.minds[group].inspect(&self.world, slot).expect("the machine lives");
        let found = memory.into_iter().find(|(_, name, _)| name == field).map(|(_, _, datum)| datum);
        found.unwrap_or_else(|| panic!("no memory field {field}"))
    }

    pub(crate) fn number(&self, slot: u32, field: &str) -> f64 {
        match self.memory(slot, field) {
            Datum::One(Value::Number(number)) => number,
            other => panic!("{field} is {other:?}"),
        }
    }

    pub(crate) fn text(&self, slot: u32, field: &str) -> String {
        match self.memory(slot, field) {
            Datum::One(Value::Text(text)) => text,
            other => panic!("{field} is {other:?}"),
        }
    }

    pub(crate) fn hash(&mut self) -> u64 {
        use swarmyard::sim::Mind as _;
        let mut digests = vec![0; self.world.agents.slots()];
        for (mind, group) in self.minds.iter_mut().zip(&self.world.groups) {
            let mut numbers = Vec::new();
            mind.digest(&self.world, group, &mut numbers);
            for (slot, number) in group.members.iter().zip(numbers) {
                digests[*slot as usize] = number;
            }
        }
        self.world.hash(&digests)
    }

    /// The messages of all problems so far, with their places.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.left.problems.iter().map(|problem| problem.to_string().replace("scripts/behaviors/", "")).collect()
    }

    pub(crate) fn only_problem(&self) -> &Problem {
        assert_eq!(self.left.problems.len(), 1, "{:#?}", self.problems());
        &self.left.problems[0]
    }

    pub(crate) fn id(&self, slot: u32) -> AgentId {
        self.world.agents.id(slot)
    }
}

pub(crate) fn mind(host: &Host, outbox: &Outbox, index: usize, name: &str, program: &str) -> ScriptMind {
    let library = host.library();
    let problems: Vec<String> = host.problems().iter().map(ToString::to_string).collect();
    let program: Arc<Program> =
        Arc::clone(library.program(program).unwrap_or_else(|| panic!("{program} does not load: {problems:#?}")));
    let values = program.defaults();
    ScriptMind::new(host.door(), outbox.clone(), index, name, program, values).expect("the machine takes it")
}
