//! Native equals Lua: every native force and behavior that has a twin in `scripts/` leads the same way as that; what is left is single
//! precision.

use glam::DVec3;
use swarmyard::script::host::Host;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{Area, Course, Edge, Integrator, PathState, Space, World};
use swarmyard::steer::registry::FORCES;

use crate::stage::Stage;
use crate::support::{open, options};

fn read(file: &str) -> String {
    let path = format!("{}/scripts/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Changes a world before it runs.
type Setting = fn(&mut World);

/// Runs twelve agents for `ticks` under one force that something else stirs, and gives where they end.
fn run(name: &str, twin: &str, params: &str, setting: Setting, ticks: usize) -> Vec<DVec3> {
    // Under a controller the sum is a velocity; it has no need to be stirred.
    let text = if twin == "csm_lua" {
        format!("return yard.behavior {{ control = \"velocity\", forces = {{ {name} = {{ {params} }} }} }}")
    } else {
        format!(
            "return yard.behavior {{ forces = {{ {name} = {{ {params} }}, stir = {{ force = \"wander\", weight = 0.3 }} }} }}"
        )
    };
    let host = open(&[
        ("scripts/behaviors/it.luau", &text),
        ("scripts/behaviors/other.luau", "return yard.behavior { forces = { wander = 1 } }"),
        (&format!("scripts/forces/{twin}.luau"), &read(&format!("forces/{twin}.luau"))),
        ("scripts/lib/flocking.luau", &read("lib/flocking.luau")),
        ("scripts/lib/walls.luau", &read("lib/walls.luau")),
        ("scripts/lib/noise.luau", &read("lib/noise.luau")),
        ("scripts/lib/crowd.luau", &read("lib/crowd.luau")),
    ]);
    let mut stage = Stage::with(host, &[("them", "it", 12), ("others", "other", 3)], 60.0, 1);
    let others = stage.world.groups[1].id;
    stage.world_mut().groups[0].leader = Some(others);
    setting(stage.world_mut());
    if !params.contains("goal") {
        for slot in 0..12 {
            stage.place(slot, DVec3::new(f64::from(slot), 5.0, 0.0));
        }
    }
    stage.ticks(ticks);
    assert_eq!(stage.problems(), Vec::<String>::new(), "{name}");
    stage.world.agents.position[..12].to_vec()
}

/// The largest distance between the ends of the native force and those of its twin; fails where the force did nothing.
fn apart(force: &str, params: &str, setting: Setting, ticks: usize) -> f64 {
    let twin = format!("{force}_lua");
    let native = run(force, &twin, params, setting, ticks);
    let scripted = run(&twin, &twin, params, setting, ticks);
    let idle = run(&twin, &twin, &format!("weight = 0, {params}"), setting, ticks);
    let most = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(most(&native, &idle) > 0.05, "{force} with {params} did nothing");
    most(&native, &scripted)
}

fn as_it_is(_: &mut World) {}

fn walls(world: &mut World) {
    let disc = |x: f64, y: f64, radius: f64| Shape::Disc { at: DVec3::new(x, y, 0.0), radius };
    for (name, shape) in [("a", disc(3.1, 1.0, 0.5)), ("b", disc(9.0, 3.2, 0.7)), ("c", disc(17.2, 1.4, 0.8))] {
        world.obstacles.insert(name, shape).expect("it is a disc");
    }
    let points = [(-1.5, -1.0), (21.0, -1.0), (21.0, 8.0)].map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
    world.obstacles.insert("fence", Shape::Polyline { points }).expect("it is a line");
}

fn bodies_with_delay(world: &mut World) {
    walls(world);
    for slot in 0..world.agents.slots() {
        (world.agents.lag[slot], world.agents.dead_time[slot]) = (0.1, 0.05);
        world.agents.velocity[slot] = DVec3::new(0.4, 1.5 - 0.1 * slot as f64, 0.0);
    }
}

fn goals_behind_a_trap(world: &mut World) {
    let points = [(-2.5, -1.0), (-2.5, 4.0), (22.0, 4.0), (22.0, -1.0)].map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
    world.obstacles.insert("trap", Shape::Polyline { points }).expect("it is a line");
    world.groups[0].goal = Some(DVec3::new(6.1, 9.0, 0.0));
}

fn a_goal_in_the_open(world: &mut World) {
    world.groups[0].goal = Some(DVec3::new(6.1, 9.0, 0.0));
}

/// Courses as a navigator leaves them, on slow ground.
fn courses(world: &mut World, state: PathState) {
    let points = [(0.0, 5.0), (8.0, 9.0), (14.0, 2.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
    for slot in 0..12 {
        // One goes to the end already, one has arrived.
        let next = if slot == 3 { 2 } else { 1 };
        world.agents.course[slot] = Course {
            state: if slot == 5 { PathState::Reached } else { state },
            target: (slot != 5).then_some(points[next]),
            then: points.get(next + 1).copied(),
            left: 20.0,
            speed: 0.6,
            path: Some(points.into()),
            next: next as u32,
        };
    }
}

fn a_course_round_a_corner(world: &mut World) {
    courses(world, PathState::Moving);
}

fn a_course_that_is_blocked(world: &mut World) {
    courses(world, PathState::Blocked);
}

fn area(world: &mut World, edge: Edge, depth: f64) {
    let area = Area { min: DVec3::new(-2.0, -3.0, -depth), max: DVec3::new(20.0, 12.0, depth) };
    world.settings.space = Space { area: Some(area), edge };
}

fn held(world: &mut World) {
    area(world, Edge::Clamp, 0.0);
}

fn deep(world: &mut World) {
    area(world, Edge::Turn, 4.0);
    world.settings.planar = false;
    world.agents.position[3].z = 3.0;
}

fn a_route(world: &mut World) {
    let points = [(0.0, 4.0), (8.0, 4.0), (8.0, 8.0), (8.0, 8.0), (1.0, 1.0)];
    world.groups[0].route = points.map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
}

fn a_route_round_the_seam(world: &mut World) {
    area(world, Edge::Wrap, 0.0);
    let points = [(18.0, 10.0), (1.0, 0.0), (18.0, 1.0)];
    world.groups[0].route = points.map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
}

/// In two rows that come towards each other, some within the other's reach.
fn two_rows(world: &mut World) {
    walls(world);
    world.groups[0].goal = Some(DVec3::new(6.1, 9.0, 0.0));
    for slot in 0..12 {
        let (file, row) = ((slot % 6) as f64, (slot / 6) as f64);
        world.agents.position[slot] = DVec3::new(1.3 * file + 0.21 * row, 4.0 + 1.1 * row, 0.0);
        world.agents.velocity[slot] = DVec3::new(0.2 - 0.1 * file, 0.6 - 1.2 * row, 0.0);
    }
}

/// Twelve that are pressed together.
fn a_heap(world: &mut World) {
    for slot in 0..12 {
        let (file, row) = ((slot % 4) as f64, (slot / 4) as f64);
        world.agents.position[slot] = DVec3::new(0.37 * file + 0.1 * row, 4.0 + 0.36 * row, 0.0);
        world.agents.velocity[slot] = DVec3::new(0.3 * row, 0.2 * file, 0.0);
        world.agents.max_acceleration[slot] = 1e3;
    }
}

const CASES: &[(&str, &str, Setting, usize)] = &[
    ("separation", "radius = 3", as_it_is, 90),
    ("separation", "radius = 4, half_angle = 1.2, soft = 0", as_it_is, 90),
    ("separation", "radius = 6, max_neighbors = 3", as_it_is, 90),
    ("alignment", "radius = 5", as_it_is, 90),
    ("alignment", "radius = 9, half_angle = 2, max_neighbors = 2", as_it_is, 90),
    ("cohesion", "radius = 5, strength = 3", as_it_is, 90),
    ("seek", "target = vector.create(9, 4, 0), speed = 2", as_it_is, 90),
    ("arrive", "target = vector.create(9, 4, 0)", as_it_is, 90),
    ("flee", "from = \"others\", radius = 40", as_it_is, 90),
    ("pursue", "from = \"others\", radius = 60", as_it_is, 90),
    ("evade", "from = \"others\", radius = 60, speed = 3", as_it_is, 90),
    ("food", "from = \"others\", radius = 60", as_it_is, 90),
    ("seek_slot", "", as_it_is, 90),
    ("transit", "gain = 3", as_it_is, 90),
    ("follow_leader", "behind = 2, aside = 1", as_it_is, 90),
    ("bounds", "range = 4", held, 90),
    ("bounds", "range = 3, strength = 2", deep, 90),
    ("obstacle", "", walls, 120),
    ("obstacle", "range = 1, tangent = 2, margin = 0.3", bodies_with_delay, 120),
    ("soft_wall", "radius = 2.5", as_it_is, 90),
    ("soft_wall", "radius = 1.5, from = \"\", slide = 2", walls, 120),
    ("wander", "speed = 2, spread = 2, change = 0.4", as_it_is, 120),
    ("wander", "spread = 1.5", deep, 120),
    ("current", "strength = 2, size = 4, change = 0.7, drift_x = 0.2", as_it_is, 120),
    ("current", "strength = 2, size = 3, change = 1, drift_y = -0.3", deep, 120),
    ("follow_route", "reach = 0.3, ahead = 2", a_route, 240),
    ("follow_route", "closed = false, speed = 3", a_route, 240),
    ("follow_route", "ahead = 0.5", a_route_round_the_seam, 240),
    ("follow_path", "speed = 2", a_goal_in_the_open, 90),
    ("follow_path", "cut = 0.2", a_course_round_a_corner, 60),
    ("follow_path", "dodge = 1.2", a_course_that_is_blocked, 240),
    ("seek_goal", "speed = 3", a_goal_in_the_open, 90),
    ("seek_goal", "patience = 0.5", goals_behind_a_trap, 300),
    ("seek_goal", "speed = 2", a_course_round_a_corner, 60),
    ("driving", "speed = 1.2, way = vector.create(1, 2, 0), herding = 0.4", as_it_is, 90),
    ("driving", "taper = 3 --[[goal]]", a_goal_in_the_open, 240),
    ("driving", "reach = 0.3, speed = 3", a_route, 240),
    ("driving", "closed = false, speed = 3", a_route, 300),
    ("driving", "speed = 2", a_course_round_a_corner, 60),
    ("companions", "radius = 5, size = 4, strength = 2", as_it_is, 90),
    ("attraction", "target = vector.create(9, 4, 0), range = 15, strength = 4", as_it_is, 120),
    ("social_force", "radius = 3", two_rows, 120),
    ("social_force", "radius = 3, half_angle = 1.5, behind = 0.2, tangent = 2, margin = 0.1", two_rows, 120),
    ("social_force", "A = 6, from = \"\", sight = false", two_rows, 120),
    // Two seconds ahead the ellipses are so long that rounding doubles in a fifth of a second.
    ("social_force_1995", "", two_rows, 60),
    ("social_force_1995", "step = 0.8", two_rows, 120),
    ("social_force_1995", "step = 0.8, half_angle = 3.15, sight = false", two_rows, 120),
    ("social_force_2000", "margin = 0.1", two_rows, 120),
    ("social_force_2000", "A = 200", a_heap, 90),
    ("moussaid_2009", "", two_rows, 120),
    ("moussaid_2009", "epsilon = -0.01, lambda = 1, radius = 4", two_rows, 120),
    ("csm", "", two_rows, 120),
    ("csm", "speed = 1", a_course_round_a_corner, 60),
    ("csm", "way = vector.create(1, 0.2, 0), time_gap = 0.5, patience = 0.3", two_rows, 240),
];

#[test]
fn the_forces_and_their_twins_agree() {
    for (force, params, setting, ticks) in CASES {
        let far = apart(force, params, *setting, *ticks);
        assert!(far < 2e-3, "{force} with {params}: {far} m");
    }
}

/// Of `track_slot` another test knows, `cucker_smale`, `flocking` and `vicsek` have behaviors for twins.
#[test]
fn no_native_force_is_without_a_twin() {
    for force in
        FORCES.iter().filter(|force| !["cucker_smale", "flocking", "track_slot", "vicsek"].contains(&force.name))
    {
        assert!(CASES.iter().any(|(name, ..)| *name == force.name), "{} is compared with no twin", force.name);
    }
}

/// Forty particles of the published set under both: the same noise, so the same paths until rounding decides who is near.
#[test]
fn vicsek_and_its_twin_walk_the_same_way() {
    let run = |name: &str, noise: f64| {
        let text =
            format!("return yard.behavior {{ control = 'velocity', forces = {{ vicsek = {{ noise = {noise} }} }} }}");
        let twin = read("behaviors/vicsek_lua.luau").replace("noise = { 1.0,", &format!("noise = {{ {noise},"));
        let host =
            open(&[("scripts/behaviors/vicsek_native.luau", &text), ("scripts/behaviors/vicsek_lua.luau", &twin)]);
        let mut stage = Stage::with(host, &[("them", name, 40)], 1.0, 1);
        let world = stage.world_mut();
        world.settings.integrator = Integrator::ExplicitEuler;
        let area = Area { min: DVec3::ZERO, max: DVec3::new(3.1, 3.1, 0.0) };
        world.settings.space = Space { area: Some(area), edge: Edge::Wrap };
        world.groups[0].body.drive = Some(swarmyard::sim::Drive::Velocity);
        for slot in 0..40 {
            let mut luck = swarmyard::sim::Stream::new(5, slot as u64, 0, swarmyard::sim::rng::Use::Spawn);
            world.agents.position[slot] = DVec3::new(luck.uniform(0.0, 3.1), luck.uniform(0.0, 3.1), 0.0);
            world.agents.heading[slot] = luck.uniform(-3.0, 3.0);
            world.agents.turn_rate[slot] = 1e3;
        }
        stage.ticks(60);
        assert_eq!(stage.problems(), Vec::<String>::new());
        (stage.world.agents.position.clone(), stage.world.agents.heading.clone())
    };
    // With more noise sums of headings come near zero, and single precision decides where they point.
    for noise in [0.0, 1.0, 4.0] {
        let ((native, ahead), (twin, its)) = (run("vicsek_native", noise), run("vicsek_lua", noise));
        for slot in 0..40 {
            let far = native[slot].distance(twin[slot]);
            assert!(far < 1e-5, "noise {noise}: {far} m");
            assert!(swarmyard::sim::wrap_angle(ahead[slot] - its[slot]).abs() < 1e-4, "noise {noise}");
        }
    }
}

#[test]
fn cucker_smale_and_its_twin_agree() {
    let run = |behavior: &str| {
        let text = "return yard.behavior { forces = { cucker_smale = { beta = 0.7, coupling = 3 } } }";
        let twin = read("behaviors/cucker_smale.luau").replace("coupling = { 1.0,", "coupling = { 3.0,");
        let twin = twin.replace("beta = { 1.0,", "beta = { 0.7,");
        let host = open(&[("scripts/behaviors/it.luau", text), ("scripts/behaviors/twin.luau", &twin)]);
        let mut stage = Stage::with(host, &[("them", behavior, 12), ("others", behavior, 3)], 60.0, 1);
        for slot in 0..15 {
            stage.world_mut().agents.velocity[slot] = DVec3::new(slot as f64 % 4.0 - 1.0, slot as f64 % 3.0 - 1.0, 0.0);
        }
        stage.ticks(200);
        assert_eq!(stage.problems(), Vec::<String>::new());
        stage.world.agents.position.clone()
    };
    let far = run("it").iter().zip(run("twin")).map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
    assert!(far < 1e-4, "{far}");
}

/// What the twins read of the world beside agents and walls.
#[test]
fn a_script_knows_the_area_and_numbers_that_stay() {
    let text = "return yard.behavior { memory = { low = vector.zero, high = vector.zero, edge = '', flat = true, first = 0, at = 0 },
      step = function(agent)
        local m = agent.memory
        local low, high, edge = yard.area()
        m.low, m.high, m.edge, m.flat = low or vector.zero, high or vector.zero, edge, yard.planar
        local number = yard.steady(3, -4, 5)
        assert(number >= -1 and number < 1 and number ~= yard.steady(3, -4, 6) and number ~= yard.steady(4, -4, 5))
        assert(yard.steady(3) == yard.steady(3, 0, 0) and (m.first == 0 or m.first == number))
        m.first = number
        m.at = vector.magnitude(agent:offset(vector.create(19, 0, 0), vector.create(-1, 0, 0)))
        assert(agent.max_acceleration == 20 and agent.lag == 0 and agent.dead_time == 0.5)
      end }";
    let mut stage = Stage::one(text);
    let world = stage.world_mut();
    world.agents.dead_time[0] = 0.5;
    stage.ticks(3);
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!((stage.text(0, "edge"), stage.number(0, "at")), ("open".to_owned(), 20.0));

    let host = open(&[("scripts/behaviors/it.luau", text)]);
    let mut stage = Stage::with(host, &[("them", "it", 2)], 10.0, 1);
    area(stage.world_mut(), Edge::Wrap, 0.0);
    stage.world_mut().agents.dead_time = vec![0.5, 0.5];
    stage.ticks(3);
    assert_eq!(stage.problems(), Vec::<String>::new());
    // Twenty-two meters round: the short way from -1 to 19 goes over the seam.
    assert_eq!((stage.text(0, "edge"), stage.number(0, "at")), ("wrap".to_owned(), 2.0));
    assert_eq!(stage.number(0, "first").to_bits(), stage.number(1, "first").to_bits());
    let wanted = swarmyard::sim::rng::steady(stage.world.settings.seed, [3, -4, 5]);
    assert_eq!(stage.number(0, "first").to_bits(), wanted.to_bits());
}

#[test]
fn every_twin_is_shipped_in_a_form_that_loads() {
    let host = Host::open(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), options()).expect("a worker starts");
    let names: Vec<String> = host.call(|live| live.files.keys().cloned().collect()).expect("an answer");
    for force in FORCES.iter().filter(|force| !["cucker_smale", "flocking", "vicsek"].contains(&force.name)) {
        let file = format!("scripts/forces/{}_lua.luau", force.name);
        assert!(names.contains(&file), "{file} is missing or does not load");
    }
}
