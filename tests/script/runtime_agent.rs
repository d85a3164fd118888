//! What a script may rely on: the agent, its queries, luck, public memory, and that numbers of threads never show.

use glam::DVec3;
use swarmyard::script::host::Host;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{BodySpec, SimCommand};

use crate::stage::Stage;
use crate::support::{open, options};

fn one(body: &str) -> String {
    format!("return yard.behavior {{\n{body}\n}}\n")
}

#[test]
fn neighbors_come_by_id_with_all_fields() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            &one("memory = { ids = '', sum = 0 }, step = function(agent)
                local words = {}
                for i, other in agent:neighbors(4.5) do
                  words[i] = tostring(other.id)
                  assert(other.group == agent.group and other.state == '' and other.radius == 0.2)
                  assert(vector.magnitude(other.position - agent.position - other.offset) < 1e-5)
                  assert(math.abs(vector.magnitude(other.direction) - 1) < 1e-5 and other.distance > 0 and other.speed >= 0)
                  assert(other.heading == 0 and other.forward == vector.create(1, 0, 0) and other.velocity ~= nil)
                end
                agent.memory.ids = table.concat(words, ',')
                local all, near = agent:neighbors(100, 'any'), agent:neighbors(2.5)
                agent.memory.sum = #all * 100 + #near
              end"),
        )],
        &[("them", "it", 5), ("others", "it", 2)],
    );
    stage.tick();
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!(stage.text(2, "ids"), "1,2,4,5");
    assert_eq!(stage.number(2, "sum"), 602.0);
}

/// What everybody asked for in the last tick is looked up before this one: it must be what asking would have given, also when
/// the radius changes, when only some ask, when one asks twice, and after a birth.
#[test]
fn foreseen_neighbors_are_those_that_asking_gives() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            &one("memory = { n = 0, seen = 0 }, control = 'velocity', step = function(agent)
                local tick = yard.tick
                local radius = if tick < 8 then 2.5 else 3.5
                if tick % 5 == 3 and agent.id % 2 == 0 then radius += 0.25 end
                local group = if tick % 7 == 6 then 'any' else nil
                local half = if tick % 4 == 2 then 1.2 else nil
                local asked = agent:neighbors(radius, group, half)
                local all = agent:neighbors(1000, group, half) -- never foreseen: half ask for it at most after another
                local n = 0
                for _, other in all do
                  if other.distance <= radius then
                    n += 1
                    local same = asked[n]
                    assert(same.id == other.id and same.offset == other.offset and same.velocity == other.velocity)
                    assert(same.distance == other.distance and same.direction == other.direction)
                    assert(same.position == other.position and same.state == other.state and same.group == other.group)
                  end
                end
                assert(n == #asked)
                agent.memory.n += 1
                agent.memory.seen += n
                return vector.create(math.sin(agent.id + tick), math.cos(3 * agent.id - tick))
              end"),
        )],
        &[("them", "it", 30), ("others", "it", 5)],
    );
    for tick in 0..24 {
        if tick == 12 {
            let spawn = SimCommand::Spawn {
                group: swarmyard::sim::GroupId(0),
                position: DVec3::new(1.5, 1.0, 0.0),
                heading: 0.0,
                velocity: DVec3::ZERO,
            };
            stage.world_mut().apply(spawn).expect("there is room");
        }
        stage.tick();
    }
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!(stage.number(2, "n"), 24.0);
    assert!(stage.number(2, "seen") > 24.0, "it had neighbors");
}

#[test]
fn find_nearest_obstacles_and_sight() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            &one("memory = { n = 0 }, step = function(agent)
                local near = agent:nearest('any', 10)
                assert(near.id == (if agent.id == 1 then 2 else 1))
                assert(agent:find(2).position.x == 2 and agent:find(99) == nil and agent:find(0) == nil)
                local walls = agent:obstacles(50)
                assert(#walls == 1 and walls[1].name == 'pillar')
                assert(math.abs(walls[1].distance - agent.clearance) < 1e-5)
                assert(vector.magnitude(walls[1].normal) > 0.99)
                assert(not agent:sees(vector.create(20, 0)) and agent:sees(vector.create(0, 5)))
                agent.memory.n = 1
              end"),
        )],
        &[("them", "it", 2)],
    );
    let shape = Shape::Disc { at: DVec3::new(10.0, 0.0, 0.0), radius: 1.0 };
    stage.world_mut().apply(SimCommand::AddObstacle("pillar".to_owned(), shape)).expect("it fits");
    stage.tick();
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!(stage.number(0, "n"), 1.0);
}

#[test]
fn go_remove_waypoint_and_arrival() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            &one("control = 'velocity', step = function(agent)
                if yard.tick == 0 then agent:go(agent.position + vector.create(2, 0)) end
                if yard.tick == 30 and agent.id == 2 then agent:remove() end
                return yard.desired.arrive(agent, agent.waypoint)
              end"),
        )],
        &[("them", "it", 2)],
    );
    stage.ticks(120);
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert!((stage.world.agents.position[0].x - 2.0).abs() < 0.05, "{}", stage.world.agents.position[0]);
    assert_eq!(stage.world.agents.count(), 1);
}

#[test]
fn luck_depends_on_seed_agent_and_tick_only() {
    let text = one("memory = { a = function() return yard.uniform(0, 1) end, b = 0, c = 0 }, step = function(agent)
        agent.memory.b = yard.random()
        agent.memory.c = math.random(1, 6)
      end");
    let run = |count: usize| {
        let mut stage = Stage::new(&[("scripts/behaviors/it.luau", &text)], &[("them", "it", count)]);
        stage.ticks(3);
        assert_eq!(stage.problems(), Vec::<String>::new());
        (stage.number(1, "a"), stage.number(1, "b"), stage.number(1, "c"), stage.number(0, "a"))
    };
    let (few, many) = (run(2), run(9));
    assert_eq!(few, many, "more agents shift nobody's luck");
    assert_ne!(few.0, few.3);
    assert_ne!(few.0, few.1);
}

#[test]
fn public_memory_of_others_is_last_ticks() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            &one("memory = { n = 0, seen = -1, secret = 1 }, public = { 'n' }, step = function(agent)
                local other = agent:nearest('any', 100)
                agent.memory.seen = other.memory.n
                agent.memory.n += 1
                if yard.tick == 3 then agent.memory.seen = other.memory.secret end
              end"),
        )],
        &[("them", "it", 2)],
    );
    stage.ticks(3);
    assert_eq!((stage.number(0, "seen"), stage.number(1, "seen")), (2.0, 2.0), "the order of agents never shows");
    stage.tick();
    assert!(stage.problems()[0].contains("memory.secret of another agent is not public"), "{:?}", stage.problems());
}

#[test]
fn every_and_at_are_true_on_their_ticks() {
    let mut stage = Stage::one(&one("memory = { n = 0, at = -1, time = 0 }, step = function(agent)
        if yard.every(0.5) then agent.memory.n += 1 end
        if yard.at(1.2) then agent.memory.at = yard.tick end
        agent.memory.time = yard.time
        assert(yard.dt == 0.1)
      end"));
    stage.ticks(21);
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!((stage.number(0, "n"), stage.number(0, "at")), (5.0, 12.0));
    assert!((stage.number(0, "time") - 2.0).abs() < 1e-12);
}

#[test]
fn helpers_do_what_their_names_say() {
    let mut stage = Stage::one(&one("step = function(agent)
        local near = function(a, b) return vector.magnitude(a - b) < 1e-5 end
        assert(yard.unit(vector.zero) == vector.zero and near(yard.unit(vector.create(3, 4)), vector.create(0.6, 0.8)))
        assert(near(yard.limit(vector.create(3, 4), 1), vector.create(0.6, 0.8)) and near(yard.limit(vector.one, 9), vector.one))
        assert(near(yard.rotate(vector.create(1, 0), math.pi / 2), vector.create(0, 1)))
        assert(math.abs(yard.angle(vector.create(0, 2)) - math.pi / 2) < 1e-6 and near(yard.direction(math.pi), vector.create(-1, 0)))
        assert(math.abs(yard.wrap(7) - (7 - 2 * math.pi)) < 1e-12)
        assert(math.abs(yard.noise(0.3, 1.7)) <= 1 and yard.noise(0.3) == yard.noise(0.3))
        yard.plot('x', 1) yard.log('hello', 1, vector.zero) yard.draw.line(vector.zero, vector.one)
        assert(agent.goal == nil and agent.leader == nil and #agent.route == 0 and not agent.has_slot)
        assert(agent.slot == agent.position and agent.slot_error == 0 and agent.clearance == math.huge)
      end"));
    stage.tick();
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!(stage.left.plots, [("x".to_owned(), 1.0)]);
    assert_eq!(stage.left.log[0].text, "hello 1 0, 0, 0");
    assert!(stage.left.log[0].place.ends_with("it.luau:10"), "{}", stage.left.log[0].place);
}

#[test]
fn forces_scale_and_bound_weights_are_summed() {
    let mut stage = Stage::one(
        "return yard.behavior { params = { k = 2 }, memory = { w = 3 },
           forces = {
             a = { weight = 'memory.w', compute = function() return vector.create(1, 0) end },
             b = { weight = 'p.k', scale = function() return 0.5 end, compute = function() return vector.create(0, 1) end },
             off = { weight = 0, compute = function() error('never called') end } },
           step = function() return vector.create(0, 4) end }",
    );
    stage.tick();
    assert_eq!(stage.problems(), Vec::<String>::new());
    let v = stage.world.agents.velocity[0];
    assert!((v - DVec3::new(0.3, 0.5, 0.0)).length() < 1e-6, "{v}");
}

#[test]
fn a_state_may_be_another_behavior_with_its_own_memory_and_parameters() {
    let mut stage = Stage::new(
        &[
            ("scripts/behaviors/walk.luau", "return yard.behavior { params = { speed = 1 }, memory = { steps = 0 }, step = function(agent, p) agent.memory.steps += p.speed end }"),
            (
                "scripts/machines/it.luau",
                "return yard.machine { memory = { pace = 3 }, step = function(agent) agent.memory.pace += 1 end, initial = 'w',
                   states = { w = { behavior = 'walk', params = { speed = 'memory.pace' } } }, transitions = {} }",
            ),
        ],
        &[("them", "it", 1)],
    );
    stage.ticks(2);
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!((stage.number(0, "pace"), stage.number(0, "steps")), (5.0, 9.0));
}

#[test]
fn the_number_of_threads_never_shows() {
    let run = |threads| {
        let host = Host::open(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), options()).expect("a worker starts");
        let mut stage = Stage::with(host, &[("fish", "fish", 60), ("sharks", "bird", 3)], 60.0, threads);
        let mut hashes = Vec::new();
        for _ in 0..12 {
            stage.tick();
            hashes.push(stage.hash());
        }
        assert_eq!(stage.left.faults, 0, "{:#?}", stage.problems());
        hashes
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(8));
}

#[test]
fn every_shipped_behavior_runs_ten_ticks_without_a_fault() {
    let host = Host::open(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), options()).expect("a worker starts");
    let names: Vec<String> = host.library().programs.keys().cloned().collect();
    for name in names {
        let host = Host::open(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), options()).expect("a worker starts");
        let mut stage = Stage::with(host, &[("them", &name, 12)], 60.0, 1);
        stage.place(3, DVec3::new(4.0, 1.0, 0.0));
        stage.tell(3, "form_up", None);
        stage.ticks(10);
        assert_eq!(stage.left.faults, 0, "{name}: {:#?}", stage.problems());
        assert!(stage.world.agents.velocity.iter().all(|v| v.is_finite()), "{name}");
    }
}

#[test]
fn the_slot_controller_and_its_twin_agree() {
    let texts = |force: &str| format!("return yard.behavior {{ control = 'velocity', forces = {{ {force} = 1 }} }}");
    let twin = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/forces/track_slot_lua.luau"))
        .expect("it is shipped");
    let run = |force: &str| {
        let host = open(&[("scripts/behaviors/it.luau", &texts(force)), ("scripts/forces/track_slot_lua.luau", &twin)]);
        let mut stage = Stage::with(host, &[("them", "it", 3)], 60.0, 1);
        for slot in 0..3 {
            stage.place(slot, DVec3::new(f64::from(slot) * 1.2, 3.0, 0.0));
        }
        stage.ticks(120);
        assert_eq!(stage.problems(), Vec::<String>::new());
        stage.world.agents.position.clone()
    };
    let far = run("track_slot").iter().zip(run("track_slot_lua")).map(|(a, b)| (*a - b).length()).fold(0.0, f64::max);
    assert!(far < 1e-4, "{far}");
    assert!(BodySpec::default().radius > 0.0);
}
