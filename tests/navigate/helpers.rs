//! Grounds, obstacles by chance, and a world of points that go where their courses lead.

use glam::{DVec2, DVec3, Vec2Swizzles as _, dvec2};
use swarmyard::navigate::{Navigator, News, Settings};
use swarmyard::sim::obstacle::{Obstacles, Shape};
use swarmyard::sim::{
    AgentId, BodySpec, Group, GroupId, SimCommand, Stream, World, WorldSettings, command::Applied, rng::Use,
};

/// Plain ground of that size round the origin, m.
pub(crate) fn square(half: f64) -> Settings {
    Settings { area: (DVec2::splat(-half), DVec2::splat(half)), ..Settings::default() }
}

pub(crate) fn flat(x: f64, y: f64) -> DVec3 {
    DVec3::new(x, y, 0.0)
}

pub(crate) fn block(x: f64, y: f64, width: f64, height: f64) -> Shape {
    Shape::Box { min: flat(x, y), max: flat(x + width, y + height) }
}

pub(crate) fn set(shapes: &[Shape]) -> Obstacles {
    let mut obstacles = Obstacles::new();
    for shape in shapes {
        obstacles.insert("", shape.clone()).expect("a usable shape");
    }
    obstacles
}

/// Obstacles by chance in a square of `half` m: discs, boxes, walls, polylines and polygons that touch and overlap as they come.
pub(crate) fn random_obstacles(luck: &mut Stream, count: usize, half: f64) -> Obstacles {
    let mut obstacles = Obstacles::new();
    while obstacles.len() < count {
        let at = flat(luck.uniform(-half, half), luck.uniform(-half, half));
        // Half of them on whole numbers, so that edges meet and lie on each other.
        let at = if luck.integer(0, 1) == 0 { at.round() } else { at };
        let size = luck.uniform(0.3, 0.25 * half);
        let size = if luck.integer(0, 1) == 0 { size.ceil() } else { size };
        let to = at + flat(luck.uniform(-size, size), luck.uniform(-size, size));
        let shape = match luck.integer(0, 5) {
            0 => Shape::Disc { at, radius: 0.5 * size },
            1 | 2 => Shape::Box { min: at, max: at + flat(size, 0.5 * size + 0.2) },
            3 => Shape::Wall { from: at, to },
            4 => Shape::Polyline { points: vec![at, to, to + flat(0.7 * size, -0.4 * size)] },
            _ => Shape::Polygon {
                points: vec![at, at + flat(size, 0.0), at + flat(0.4 * size, 0.4 * size), at + flat(0.0, size)],
                holes: Vec::new(),
            },
        };
        // A shape without size is refused, which is another room's matter.
        drop(obstacles.insert("", shape));
    }
    obstacles
}

/// A wall across the square with a gap at the top, as wide as `gap` m.
pub(crate) fn barrier(gap: f64) -> Vec<Shape> {
    vec![block(-0.2, -8.0, 0.4, 16.0 - gap)]
}

/// A house: thin walls on a grid, each piece with a door somewhere or none, so that many borders lie on one line. Two of three
/// houses stand askew, where the numbers of such a line differ in their last digits.
pub(crate) fn house(luck: &mut Stream) -> Obstacles {
    let turn = DVec2::from_angle(if luck.integer(0, 2) == 0 { 0.0 } else { luck.uniform(-3.0, 3.0) });
    let mut obstacles = Obstacles::new();
    let mut wall = |upright: bool, line: f64, (a, b): (f64, f64)| {
        let corners = [dvec2(a, -0.05), dvec2(b, -0.05), dvec2(b, 0.05), dvec2(a, 0.05)];
        let placed = corners.map(|corner| {
            let at = corner + dvec2(0.0, line);
            turn.rotate(if upright { at.yx() } else { at }).extend(0.0)
        });
        let shape = Shape::Polygon { points: placed.to_vec(), holes: Vec::new() };
        obstacles.insert("", shape).expect("a usable shape");
    };
    for place in 0..3 * 4 * 2 {
        let (upright, line, piece) =
            (place % 2 == 0, f64::from(place / 2 % 3 - 1) * 4.0, f64::from(place / 6) * 4.0 - 8.0);
        let (door, width) = (piece + luck.uniform(0.2, 2.8), luck.uniform(0.7, 1.2));
        match luck.integer(0, 3) {
            0 => wall(upright, line, (piece, piece + 4.0)),
            1 => {}
            _ => [(piece, door), (door + width, piece + 4.0)].into_iter().for_each(|ends| wall(upright, line, ends)),
        }
    }
    obstacles
}

pub(crate) fn luck(seed: u64) -> Stream {
    Stream::new(seed, 0, 0, Use::Script)
}

/// Points that go straight to where their courses lead, at their full speed: whatever goes wrong is the navigator's.
pub(crate) struct Walkers {
    pub(crate) world: World,
    pub(crate) navigator: Navigator,
    pub(crate) news: Vec<(u64, News)>,
}

impl Walkers {
    pub(crate) fn new(settings: Settings, shapes: &[Shape]) -> Self {
        let mut world = World::new(WorldSettings::default());
        world.obstacles = set(shapes);
        world.add_group(Group::new(
            GroupId(0),
            "walkers",
            BodySpec { radius: 0.25, max_speed: 1.5, ..BodySpec::default() },
        ));
        Self { world, navigator: Navigator::new(settings), news: Vec::new() }
    }

    pub(crate) fn add(&mut self, x: f64, y: f64) -> AgentId {
        let spawn = SimCommand::Spawn { group: GroupId(0), position: flat(x, y), heading: 0.0, velocity: DVec3::ZERO };
        match self.world.apply(spawn) {
            Ok(Applied::Agent(id)) => id,
            other => panic!("no agent: {other:?}"),
        }
    }

    pub(crate) fn go(&mut self, id: AgentId, x: f64, y: f64) {
        self.world.apply(SimCommand::SetGoal(id, Some(flat(x, y)))).expect("a living agent");
    }

    /// Plans without moving.
    pub(crate) fn plan(&mut self) {
        let mut news = Vec::new();
        self.navigator.step(&mut self.world, &mut news);
        let tick = self.world.tick;
        self.news.extend(news.into_iter().map(|news| (tick, news)));
    }

    pub(crate) fn tick(&mut self) {
        self.plan();
        let dt = self.world.dt();
        for slot in 0..self.world.agents.slots() {
            let step = self.world.agents.max_speed[slot] * self.world.agents.course[slot].speed * dt;
            let at = self.world.agents.position[slot];
            if let Some(target) = self.world.agents.course[slot].target {
                let way = target - at;
                let length = way.length();
                self.world.agents.position[slot] = if length <= step { target } else { at + way * (step / length) };
            }
        }
        self.world.tick += 1;
    }

    pub(crate) fn run(&mut self, seconds: f64) {
        let until = self.world.tick + (seconds * self.world.settings.tick_hz) as u64;
        while self.world.tick < until {
            self.tick();
        }
    }

    pub(crate) fn at(&self, id: AgentId) -> DVec2 {
        self.world.agents.position[id.slot as usize].truncate()
    }

    pub(crate) fn state(&self, id: AgentId) -> &'static str {
        self.world.agents.course[id.slot as usize].state.word()
    }

    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.news.iter().map(|(_, news)| news.name).collect()
    }

    /// Numbers of the waypoints that were reached, in order.
    pub(crate) fn waypoints(&self) -> Vec<f64> {
        let reached = self.news.iter().filter(|(_, news)| news.name == "waypoint_reached");
        reached.filter_map(|(_, news)| news.value.as_ref()?.number()).collect()
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        self.news.iter().filter(|(_, news)| news.name == name).count()
    }
}

/// A point by chance.
pub(crate) fn point(luck: &mut Stream, half: f64) -> DVec2 {
    dvec2(luck.uniform(-half, half), luck.uniform(-half, half))
}
