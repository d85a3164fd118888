//! Worlds and minds for tests.

use std::sync::Arc;

use glam::DVec3;
use swarmyard::sim::tick::TickScratch;
use swarmyard::sim::{
    BodySpec, Control, Group, GroupId, Intents, Mind, SimCommand, TickReport, Workers, World, WorldSettings, tick,
};

/// A mind that asks every agent the same closure: (world, slot) → push.
pub(crate) struct Ask<F> {
    pub push: F,
    pub control: Control,
    pub turn: Option<f64>,
    states: [String; 1],
}

impl<F> Ask<F> {
    pub(crate) fn new(control: Control, push: F) -> Self {
        Self { push, control, turn: None, states: [String::new()] }
    }
}

impl<F: Fn(&World, usize) -> DVec3 + Send> Mind for Ask<F> {
    fn decide(&mut self, world: &Arc<World>, group: GroupId, _: &Workers, out: &mut Intents) {
        for (row, slot) in out.rows.iter_mut().zip(&world.groups[group.index()].members) {
            row.push = (self.push)(world, *slot as usize);
            row.control = self.control;
            row.turn = self.turn;
        }
    }
    fn digest(&mut self, _: &Arc<World>, group: &Group, out: &mut Vec<u64>) {
        out.resize(group.members.len(), 0);
    }
    fn states(&self) -> &[String] {
        &self.states
    }
    fn turns(&self) -> bool {
        self.turn.is_some()
    }
    fn control(&self) -> Control {
        self.control
    }
}

/// A world that ticks by hand.
pub(crate) struct Bench {
    pub world: Arc<World>,
    pub minds: Vec<Box<dyn Mind>>,
    pub workers: Workers,
    pub report: TickReport,
    scratch: TickScratch,
}

impl Bench {
    pub(crate) fn new(settings: WorldSettings) -> Self {
        Self {
            world: Arc::new(World::new(settings)),
            minds: Vec::new(),
            workers: Workers::default(),
            report: TickReport::default(),
            scratch: TickScratch::default(),
        }
    }

    pub(crate) fn world(&mut self) -> &mut World {
        Arc::make_mut(&mut self.world)
    }

    pub(crate) fn group(&mut self, body: BodySpec, mind: Box<dyn Mind>, at: &[DVec3]) -> GroupId {
        let id = GroupId(self.world.groups.len() as u16);
        let id = self.world().add_group(Group::new(id, format!("group_{}", id.0), body));
        self.minds.push(mind);
        for position in at {
            self.spawn(id, *position, DVec3::ZERO);
        }
        id
    }

    pub(crate) fn spawn(&mut self, group: GroupId, position: DVec3, velocity: DVec3) {
        let spawn = SimCommand::Spawn { group, position, heading: 0.0, velocity };
        self.world().apply(spawn).expect("a finite agent is accepted");
    }

    pub(crate) fn run(&mut self, ticks: usize) {
        for _ in 0..ticks {
            tick(&mut self.world, &mut self.minds, &self.workers, &mut self.scratch, &mut self.report, &mut ());
        }
    }
}

/// A body without limits that does what it is told at once.
pub(crate) fn free_body() -> BodySpec {
    BodySpec { max_speed: 1e6, max_acceleration: 1e9, turn_rate: 1e6, ..BodySpec::default() }
}
