//! Flows without minds: whoever has a goal walks there in a straight line, so that each rule is seen alone.

mod exits;
mod journeys;
mod sources;

use std::sync::Arc;

use glam::{DVec2, DVec3};
use swarmyard::flow::{
    Area, ExitSpec, Flow, Left, News, QueueSpec, Settings, SourceSpec, Spread, StopKind, StopSpec, WaitingSpec,
    WaypointSpec,
};
use swarmyard::sim::{BodySpec, Group, GroupId, Leg, SimCommand, World, WorldSettings};

const RADIUS: f64 = 0.25;
const SPEED: f64 = 1.4;

/// A world, its flows, and what happened.
struct Run {
    world: World,
    flow: Flow,
    news: Vec<(f64, News)>,
    left: Vec<Left>,
    walks: bool,
}

impl Run {
    fn new(settings: Settings, seed: u64) -> Self {
        let mut world = World::new(WorldSettings { seed, ..WorldSettings::default() });
        world.add_group(Group::new(GroupId(0), "people", BodySpec { radius: RADIUS, ..BodySpec::default() }));
        world.stops = settings.stops.iter().map(|stop| stop.name.clone()).collect();
        Self { flow: Flow::new(settings, seed), world, news: Vec::new(), left: Vec::new(), walks: true }
    }

    fn with(mut self, places: &[(f64, f64)]) -> Self {
        for (x, y) in places {
            let position = DVec3::new(*x, *y, 0.0);
            let spawn = SimCommand::Spawn { group: GroupId(0), position, heading: 0.0, velocity: DVec3::ZERO };
            self.world.apply(spawn).expect("a finite place");
        }
        self
    }

    /// One tick: flows, then everybody takes a step to its goal, then who touched an exit leaves.
    fn tick(&mut self) {
        let (mut news, mut left) = (Vec::new(), Vec::new());
        self.flow.step(&mut self.world, &mut news);
        let time = self.world.time();
        self.news.extend(news.into_iter().map(|news| (time, news)));
        self.flow.remember(&self.world);
        let step = SPEED * self.world.dt();
        for slot in 0..self.world.agents.slots() {
            if let Some(goal) = self.world.agents.goal[slot].filter(|_| self.walks && self.world.agents.alive[slot]) {
                let at = self.world.agents.position[slot];
                self.world.agents.position[slot] = at + (goal - at).clamp_length_max(step);
            }
        }
        self.world.tick += 1;
        self.flow.cross(&mut self.world, &mut left);
        for gone in &left {
            self.world.apply(SimCommand::Remove(gone.agent)).expect("it lives");
        }
        self.left.extend(left);
    }

    fn run(&mut self, secs: f64) {
        let until = self.world.tick + (secs * self.world.settings.tick_hz).round() as u64;
        while self.world.tick < until {
            self.tick();
        }
    }

    /// What one agent heard: names, with the text or number that came along.
    fn heard(&self, slot: u32) -> Vec<String> {
        let own = self.news.iter().filter(|(_, news)| news.agent.slot == slot);
        own.map(|(_, news)| match &news.value {
            Some(value) => format!("{} {value}", news.name),
            None => news.name.to_owned(),
        })
        .collect()
    }
}

fn stop(name: &str, kind: StopKind) -> StopSpec {
    StopSpec { name: name.to_owned(), open: true, kind }
}

fn waypoint(name: &str, x: f64, y: f64) -> StopSpec {
    stop(name, StopKind::Waypoint(WaypointSpec { at: DVec3::new(x, y, 0.0), distance: 0.5 }))
}

fn queue(name: &str, x: f64, service: f64, most: Option<usize>) -> StopSpec {
    let points = vec![DVec3::new(x, 0.0, 0.0), DVec3::new(x, 5.0, 0.0)];
    stop(name, StopKind::Queue(QueueSpec { points, spacing: 0.7, service: (service, service), most }))
}

fn exit(name: &str, from: (f64, f64), to: (f64, f64), rate: Option<f64>) -> StopSpec {
    let area = Area::Line(DVec2::new(from.0, from.1), DVec2::new(to.0, to.1));
    stop(name, StopKind::Exit(ExitSpec { area, groups: Vec::new(), rate }))
}

fn waiting(name: &str, spots: &[(f64, f64)], stay: Option<(f64, f64)>) -> StopSpec {
    let spots = spots.iter().map(|(x, y)| DVec3::new(*x, *y, 0.0)).collect();
    let spec = WaitingSpec { spots, in_order: true, area: None, stay };
    StopSpec { name: name.to_owned(), open: stay.is_some(), kind: StopKind::Waiting(spec) }
}

fn source(rate: f64, spread: Spread) -> SourceSpec {
    SourceSpec {
        name: "street".to_owned(),
        group: 0,
        area: Area::Box(DVec2::ZERO, DVec2::splat(60.0)),
        spread,
        rates: vec![(0.0, rate)],
        most: None,
        batch: 1,
        heading: None,
        speed: 0.0,
        open: true,
    }
}

fn settings(stops: Vec<StopSpec>, journey: Vec<Leg>) -> Settings {
    Settings { sources: Vec::new(), stops, journeys: vec![Arc::from(journey)] }
}
