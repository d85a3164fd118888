//! Whole walks through houses: whoever is alone arrives, through no wall, whatever drives it.

use swarmyard::navigate::{Finder, Mesh};
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{Avoid, BodySpec, Control, Csm, Drive, Orca, PathState, World};
use swarmyard::steer::blend::Term;

use crate::helpers::{house, luck, point, square};
use crate::street::Street;

/// Walks by chance, one by one, through houses by chance.
fn walk(name: &str, seeds: std::ops::Range<u64>, body: impl Fn(f64) -> BodySpec, terms: &[Term]) {
    let mut walks = 0;
    for seed in seeds {
        let mut luck = luck(seed);
        let obstacles = house(&mut luck);
        let shapes: Vec<Shape> = obstacles.iter().map(|obstacle| obstacle.shape.clone()).collect();
        // Radii for which there are meshes.
        let body = body(f64::from(luck.integer(1, 6) as i32) * 0.05);
        let mesh = Mesh::build(&square(8.0), &obstacles, body.radius);
        for _ in 0..3 {
            let (from, to) = (point(&mut luck, 7.0), point(&mut luck, 7.0));
            let on_mesh = mesh.locate(from).is_some() && mesh.locate(to).is_some();
            let Some(path) = Finder::default().path(&mesh, from, to, 0.0).filter(|_| on_mesh) else { continue };
            let mut street = Street::new(Some(square(8.0)), &shapes, seed);
            let group = street.group(body.clone(), Control::Acceleration, terms);
            let id = street.add(group, (from.x, from.y), Some((to.x, to.y)));
            let mut last = street.at(id);
            let look = |world: &World| {
                let at = world.agents.position[id.slot as usize];
                assert!(world.obstacles.sees(last, at), "{name}, seed {seed}: through a wall from {last} to {at}");
                last = at;
            };
            // Corners and walls cost time: who looks 3 s ahead goes slowly towards them.
            street.run(3.0 + 3.0 * path.length / 1.5, look);
            let (at, state) = (street.at(id), street.state(id));
            assert_eq!(state, PathState::Reached, "{name}, seed {seed}, {} m: at {at}, to {to}", body.radius);
            walks += 1;
        }
    }
    assert!(walks > 40, "{name}: {walks}");
}

fn walker(radius: f64, avoid: Option<Avoid>, max_acceleration: f64) -> BodySpec {
    BodySpec { radius, avoid, max_speed: 1.5, max_acceleration, ..BodySpec::default() }
}

#[test]
fn along_its_path() {
    let terms = [Term::native("follow_path", 1.0)];
    walk("quick to turn", 400..440, |radius| walker(radius, None, 50.0), &terms);
    walk("slow to turn", 400..440, |radius| walker(radius, None, 4.0), &terms);
    walk("fast", 440..480, |radius| BodySpec { max_speed: 4.0, ..walker(radius, None, 5.0) }, &terms);
}

#[test]
fn along_its_path_by_reciprocal_avoidance() {
    let terms = [Term::native("follow_path", 1.0)];
    let orca = Some(Avoid::Orca(Orca::default()));
    walk("ORCA", 480..540, |radius| walker(radius, orca, 50.0), &terms);
    walk("ORCA, slow to turn", 540..600, |radius| walker(radius, orca, 4.0), &terms);
    walk("ORCA, fast", 600..640, |radius| BodySpec { max_speed: 4.0, ..walker(radius, orca, 5.0) }, &terms);
    let far = Some(Avoid::Orca(Orca { time_horizon_obstacles: 3.0, ..Orca::default() }));
    walk("ORCA, horizon of 3 s", 640..680, |radius| walker(radius, far, 50.0), &terms);
}

#[test]
fn by_the_collision_free_speed() {
    let body = |radius| BodySpec {
        avoid: Some(Avoid::Csm(Csm::default())),
        drive: Some(Drive::Velocity),
        ..walker(radius, None, 50.0)
    };
    walk("CSM filter", 680..720, body, &[Term::native("follow_path", 1.0)]);
}
