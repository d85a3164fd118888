//! Worlds for measuring: a flock at a density of twelve neighbors, and fields of obstacles.

use glam::DVec3;
use swarmyard::sim::obstacle::{Obstacles, Shape};
use swarmyard::sim::{Area, BodySpec, Edge, Group, GroupId, SimCommand, Space, World, WorldSettings};

/// Radius within which an agent of the flock has twelve neighbors on average, m.
pub(crate) const REACH: f64 = 2.0;

/// Neighbors on average.
pub(crate) const NEIGHBORS: f64 = 12.0;

/// A small generator of numbers in 0–1, so that a benchmark needs no crate for it (xorshift, Marsaglia 2003).
pub(crate) struct Luck(u64);

impl Luck {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn point(&mut self, low: DVec3, high: DVec3) -> DVec3 {
        low + (high - low) * DVec3::new(self.next(), self.next(), self.next())
    }
}

/// Side of the square (or cube) that gives `count` agents their twelve neighbors, m.
pub(crate) fn side(count: usize, planar: bool) -> f64 {
    let pi = std::f64::consts::PI;
    if planar {
        (count as f64 * pi * REACH * REACH / NEIGHBORS).sqrt()
    } else {
        (count as f64 * 4.0 / 3.0 * pi * REACH.powi(3) / NEIGHBORS).cbrt()
    }
}

/// A wrapped world with `count` agents strewn evenly, moving every way.
pub(crate) fn flock(count: usize, planar: bool) -> World {
    let side = side(count, planar);
    let high = DVec3::new(side, side, if planar { 0.0 } else { side });
    let area = Area { min: DVec3::ZERO, max: high };
    let mut world = World::new(WorldSettings {
        space: Space { area: Some(area), edge: Edge::Wrap },
        planar,
        ..WorldSettings::default()
    });
    world.cell_side = REACH;
    let group = world.add_group(Group::new(GroupId(0), "flock", BodySpec::default()));
    let mut luck = Luck::new(7);
    for _ in 0..count {
        let position = luck.point(DVec3::ZERO, high);
        let heading = luck.next() * std::f64::consts::TAU;
        let (sin, cos) = heading.sin_cos();
        let velocity = DVec3::new(cos, sin, if planar { 0.0 } else { luck.next() - 0.5 });
        let spawn = SimCommand::Spawn { group, position, heading, velocity };
        world.apply(spawn).expect("a finite place");
    }
    world
}

/// `count` mixed obstacles, one per 16 m².
pub(crate) fn field(count: usize) -> (Obstacles, f64) {
    let side = (count as f64 * 16.0).sqrt();
    let mut luck = Luck::new(3);
    let mut set = Obstacles::new();
    for index in 0..count {
        let at = luck.point(DVec3::ZERO, DVec3::new(side, side, 0.0));
        let size = 0.2 + luck.next();
        let turn = luck.next() * std::f64::consts::TAU;
        let along = DVec3::new(turn.cos(), turn.sin(), 0.0) * size;
        let corner = |i: i32| {
            let angle = turn + f64::from(i) * std::f64::consts::FRAC_PI_3;
            at + DVec3::new(angle.cos(), angle.sin(), 0.0) * size
        };
        let shape = match index % 4 {
            0 => Shape::Disc { at, radius: size },
            1 => Shape::Box { min: at, max: at + DVec3::new(size, size, 0.0) },
            2 => Shape::Wall { from: at - along, to: at + along },
            _ => Shape::Polygon { points: (0..6).map(corner).collect(), holes: Vec::new() },
        };
        set.insert("", shape).expect("a sound shape");
    }
    (set, side)
}
