//! Paths per second on meshes of several sizes, and how long a mesh takes to build. `cargo bench --bench paths`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]

mod clock;

use std::hint::black_box;

use clock::least_secs;
use glam::{DVec2, DVec3, dvec2};
use swarmyard::navigate::{Finder, Mesh, Settings, Zone};
use swarmyard::sim::obstacle::{Obstacles, Shape};
use swarmyard::sim::{Stream, rng::Use};

/// A town: blocks, discs and walls by chance on a square of `half` m.
fn town(count: usize, half: f64) -> Obstacles {
    let mut luck = Stream::new(7, 0, 0, Use::Script);
    let mut obstacles = Obstacles::new();
    while obstacles.len() < count {
        let at = DVec3::new(luck.uniform(-half, half), luck.uniform(-half, half), 0.0);
        let size = DVec3::new(luck.uniform(0.5, 3.0), luck.uniform(0.5, 3.0), 0.0);
        let shape = match luck.integer(0, 3) {
            0 => Shape::Disc { at, radius: 0.4 * size.x },
            1 => Shape::Wall { from: at, to: at + size },
            _ => Shape::Box { min: at, max: at + size },
        };
        obstacles.insert("", shape).expect("a usable shape");
    }
    obstacles
}

fn measure(count: usize, half: f64, zones: Vec<Zone>) {
    let obstacles = town(count, half);
    let area = (DVec2::splat(-half), DVec2::splat(half));
    let settings = Settings { area, zones, ..Settings::default() };
    let mesh = Mesh::build(&settings, &obstacles, 0.25);
    let build = least_secs(|| drop(black_box(Mesh::build(&settings, &obstacles, 0.25))));
    let mut luck = Stream::new(8, 0, 0, Use::Script);
    let mut finder = Finder::default();
    let pairs: Vec<(DVec2, DVec2)> = (0..1000)
        .map(|_| {
            let mut at = || dvec2(luck.uniform(-half, half), luck.uniform(-half, half));
            (at(), at())
        })
        .collect();
    let mut all = || {
        let paths = pairs.iter().filter_map(|(from, to)| finder.path(&mesh, *from, *to, 0.3));
        paths.map(|path| path.stops.len()).sum::<usize>()
    };
    let found = all();
    let seconds = least_secs(|| {
        black_box(all());
    });
    println!(
        "{count} obstacles, {} polygons{}: built in {:.2} ms; {:.0} paths/s ({:.1} stops each)",
        mesh.len(),
        if settings.zones.is_empty() { "" } else { ", a zone" },
        1e3 * build,
        1e3 / seconds,
        found as f64 / 1e3,
    );
}

fn main() {
    measure(30, 12.0, Vec::new());
    measure(80, 20.0, Vec::new());
    let points = vec![dvec2(-6.0, -20.0), dvec2(6.0, -20.0), dvec2(6.0, 20.0), dvec2(-6.0, 20.0)];
    let zone = Zone { name: "mud".to_owned(), points, cost: 2.0, speed: 0.5 };
    measure(80, 20.0, vec![zone]);
    measure(300, 40.0, Vec::new());
}
