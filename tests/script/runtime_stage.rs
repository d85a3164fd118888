//! Formations, metrics and directors, and what a reload keeps.

use std::sync::{Arc, Mutex};

use glam::DVec3;
use swarmyard::script::host::{Host, HostOptions};
use swarmyard::script::library::Natives;
use swarmyard::script::project::Scan;
use swarmyard::script::runtime::dry::{Extra, Rehearsal, Rehearsals, few};
use swarmyard::script::runtime::engine::ask;
use swarmyard::script::runtime::memory::Datum;
use swarmyard::script::runtime::request::{Direction, DirectorCommand, Leavings, Press};
use swarmyard::script::sources::Sources;
use swarmyard::sim::{SimCommand, Value};

use crate::stage::{Stage, mind};
use crate::support::{open, options};

fn shipped() -> Host {
    Host::open(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), options()).expect("a worker starts")
}

fn direct(stage: &Stage, presses: Vec<Press>) -> Direction {
    let world = Arc::clone(&stage.world);
    let answer = stage.host.call(move |live| ask(live, |live, runtime| runtime.direct(live, &world, &presses)));
    answer.expect("the machine lives").expect("it works")
}

fn seat(stage: &Stage, name: &str) {
    let wanted = vec![(name.to_owned(), Vec::new())];
    let seated = stage.host.call(move |live| ask(live, |live, runtime| runtime.seat_directors(live, &wanted, &[])));
    seated.expect("the machine lives").expect("it works");
}

fn points(host: &Host, name: &'static str, s: Vec<f64>, t: f64) -> Vec<DVec3> {
    let points = host.call(move |live| {
        ask(live, |live, runtime| {
            let mut out = Vec::new();
            runtime.curve(live, name, &[], t, &s, &mut out).expect("the curve is sound");
            Ok(out)
        })
    });
    points.expect("the machine lives").expect("it works")
}

#[test]
fn curves_of_scripts_are_those_of_their_formulas() {
    let host = shipped();
    let s: Vec<f64> = (0..200).map(|i| f64::from(i) * 0.1).collect();
    for (point, s) in points(&host, "s_wave_lua", s.clone(), 0.0).iter().zip(&s) {
        let wanted = DVec3::new(*s, 2.0 * (std::f64::consts::TAU * s / 8.0).sin(), 0.0);
        assert!((*point - wanted).length() < 1e-12);
    }
    for (point, s) in points(&host, "spiral_lua", s.clone(), 0.0).iter().zip(&s) {
        let r = 1.0 + 0.15 * s;
        assert!((*point - DVec3::new(r * s.cos(), r * s.sin(), 0.0)).length() < 1e-12);
    }
    let moving = points(&host, "carousel", vec![0.0], 2.0);
    assert!((moving[0] - DVec3::new(5.0 * 0.4_f64.cos(), 5.0 * 0.4_f64.sin(), 0.0)).length() < 1e-12);
}

#[test]
fn slots_and_range_of_scripts() {
    let host = shipped();
    let answer = host.call(|live| {
        ask(live, |live, runtime| {
            let listed = runtime.slots(live, "block", &[("gap".to_owned(), Value::Number(4.0))], 0.0, 3);
            let range = runtime.range(live, "carousel", &[]);
            let none = runtime.range(live, "spiral_lua", &[]);
            Ok((listed.expect("sound"), range.expect("sound"), none.expect("sound")))
        })
    });
    let (listed, range, none) = answer.expect("the machine lives").expect("it works");
    assert_eq!(listed[2].position, DVec3::new(-1.0, 2.0, 0.0));
    assert!((listed[1].heading.expect("it has one") - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    assert_eq!((range, none), (Some((0.0, std::f64::consts::TAU)), None));
}

#[test]
fn a_curve_that_returns_a_vector_or_fails_says_where() {
    let host = open(&[
        ("scripts/formations/a.luau", "return yard.formation {\n curve = function(s) return vector.create(s, 0) end }"),
        (
            "scripts/formations/b.luau",
            "return yard.formation {\n curve = function(s, p)\n  return s, p.heigth end,\n params = { height = 1 } }",
        ),
        ("scripts/formations/c.luau", "return yard.formation {\n slots = function(n) while true do end end }"),
    ]);
    let fault = |name: &'static str, slots: bool| {
        let answer = host.call(move |live| {
            ask(live, |live, runtime| {
                Ok(if slots {
                    runtime.slots(live, name, &[], 0.0, 3).expect_err("it fails").to_string()
                } else {
                    runtime.curve(live, name, &[], 0.0, &[0.0], &mut Vec::new()).expect_err("it fails").to_string()
                })
            })
        });
        answer.expect("the machine lives").expect("it works")
    };
    assert!(
        fault("a", false)
            .starts_with("scripts/formations/a.luau:2: curve returned a vector; return numbers: return x, y")
    );
    assert!(fault("b", false).contains("b.luau:3:") && fault("b", false).contains("did you mean `height`?"));
    assert!(fault("c", true).contains("ran over its 5 ms at line 2"), "{}", fault("c", true));
}

#[test]
fn a_metric_measures_and_keeps_memory() {
    let text = "return yard.metric { unit = 'm', params = { k = 2 }, memory = { calls = 0 },
      compute = function(group, p)
        group.memory.calls += 1
        if group.count == 0 then return nil end
        local sum = 0
        for _, a in group.agents do sum += a.position.x end
        return p.k * sum / group.count + group.memory.calls
      end }";
    let still = "return yard.behavior {}";
    let stage = Stage::new(
        &[("scripts/metrics/mean_x.luau", text), ("scripts/behaviors/it.luau", still)],
        &[("them", "it", 3), ("none", "it", 0)],
    );
    let ask_it = |of: Vec<usize>| {
        let world = Arc::clone(&stage.world);
        let answer = stage.host.call(move |live| {
            ask(live, |live, runtime| {
                let mut leavings = Leavings::default();
                let value = runtime.measure(live, &world, "mean_x", &of, &[], &mut leavings)?;
                Ok((value, leavings))
            })
        });
        answer.expect("the machine lives").expect("it works")
    };
    let (value, leavings) = ask_it(vec![0]);
    assert_eq!((value, leavings.problems.len()), (Some(5.0), 0), "{:?}", leavings.problems);
    assert_eq!(ask_it(vec![0]).0, Some(6.0), "memory stays");
    assert_eq!(ask_it(vec![1]).0, None, "a gap");
    assert_eq!(ask_it(vec![0, 1]).0, Some(5.0), "other groups, other memory");
}

#[test]
fn a_director_orders_in_turn_and_knows_the_ids_of_its_spawns() {
    let text = "return yard.director { params = { size = 2 }, memory = { ids = { 0, 0 } },
      start = function(world, p) world:close('door') end,
      tick = function(world, p)
        if yard.tick ~= 0 then return end
        world:remove(2)
        local ids = world:spawn('them', { count = p.size, at = vector.create(5, 0), radius = 1 })
        world.memory.ids = ids
        world:send(ids[1], 'hello', 3)
        world:set('them.k', 2)
        world:form('them', 'line', { spacing = 2 })
        world:place('pillar', { kind = 'disc', at = vector.create(1, 2), radius = 0.5 })
        world:move('pillar', vector.create(2, 2))
        assert(world:group('them').count == 3 and world:group('them').agents[3].id == 3)
      end,
      on = { panic = function(world, p, event) world:send('them', 'flee', event.value) end } }";
    let mut stage = Stage::new(
        &[("scripts/directors/boss.luau", text), ("scripts/behaviors/it.luau", "return yard.behavior {}")],
        &[("them", "it", 3)],
    );
    seat(&stage, "boss");
    let direction = direct(&stage, Vec::new());
    assert_eq!(direction.leavings.problems.iter().map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
    assert_eq!(direction.commands.len(), 8);
    assert_eq!(direction.commands[0].command, DirectorCommand::Close("door".to_owned()));
    let DirectorCommand::Spawn { ids, at, .. } = &direction.commands[2].command else {
        panic!("{:?}", direction.commands[2])
    };
    assert_eq!(*at, DVec3::new(5.0, 0.0, 0.0));
    let group = stage.world.groups[0].id;
    let removed = stage.id(1);
    let world = stage.world_mut();
    world.apply(SimCommand::Remove(removed)).expect("it lives");
    for id in ids {
        let spawn = SimCommand::Spawn { group, position: *at, heading: 0.0, velocity: DVec3::ZERO };
        let made = world.apply(spawn).expect("there is room");
        assert_eq!(made, swarmyard::sim::command::Applied::Agent(*id), "ids are those that the core gives");
    }
    stage.tick();
    let press = Press { director: String::new(), name: "panic".to_owned(), value: Some(Value::Number(4.0)) };
    let direction = direct(&stage, vec![press]);
    assert_eq!(direction.commands.len(), 1, "start is called once: {:?}", direction.commands);
}

#[test]
fn a_director_that_fails_is_off_and_half_a_plan_is_not_done() {
    let text = "return yard.director { tick = function(world)\n  world:open('door')\n  world:spawn('theem', { count = 1 })\nend }";
    let stage = Stage::new(
        &[("scripts/directors/boss.luau", text), ("scripts/behaviors/it.luau", "return yard.behavior {}")],
        &[("them", "it", 1)],
    );
    seat(&stage, "boss");
    let direction = direct(&stage, Vec::new());
    assert!(direction.commands.is_empty());
    let text = direction.leavings.problems[0].to_string();
    assert!(
        text.contains("boss.luau:3") && text.contains("the scene has no group `theem`; did you mean `them`?"),
        "{text}"
    );
    assert_eq!(direct(&stage, Vec::new()).leavings.faults, 0);
}

const OLD: &str = "return yard.machine { params = { k = 1 }, memory = { n = 0, gone = 5, kind = 1 }, initial = 'a',
  step = function(agent) agent.memory.n += 1 end,
  states = { a = {}, b = { enter = function(agent) agent.memory.kind = 2 end }, c = {} },
  transitions = { { from = 'a', to = 'b', on = 'b' }, { from = 'a', to = 'c', on = 'c' }, { from = { 'b', 'c' }, to = 'a', on = 'a' } } }";

const NEW: &str = "return yard.machine { params = { k = 1 }, renamed = { b = 'bee' }, initial = 'a',
  memory = { n = 0, kind = 'x', fresh = function() return 7 end, entered = '' },
  step = function(agent) agent.memory.n += 100 end,
  states = { a = { enter = function(agent) agent.memory.entered = 'a' end }, bee = { enter = function(agent) agent.memory.entered = 'bee' end } },
  transitions = { { from = 'a', to = 'bee', on = 'b' }, { from = 'bee', to = 'a', on = 'a' } } }";

fn scan_of(text: &str) -> Scan {
    Scan { sources: Sources::from_texts([("scripts/machines/it.luau", text)]), ..Scan::default() }
}

#[test]
fn a_reload_keeps_states_and_memory_by_the_rules() {
    let mut stage = Stage::new(&[("scripts/machines/it.luau", OLD)], &[("them", "it", 3)]);
    stage.tick();
    stage.tell(1, "b", None);
    stage.tell(2, "c", None);
    stage.ticks(2);
    let kept = stage.minds[0].export(&stage.world).expect("the machine lives").expect("it is bound");
    stage.host.begin_reload(scan_of(NEW)).expect("a thread starts");
    let candidate = stage.host.finish_reload().expect("it builds");
    assert_eq!(candidate.outcome.problems, Vec::new());
    stage.host.take_over(candidate);
    *stage.minds[0] = mind(&stage.host, &stage.outbox, 0, "them", "it");
    let report = stage.minds[0].import(&stage.world, kept).expect("the machine lives");
    assert_eq!((report.kept, report.moved.clone()), (2, vec![("c".to_owned(), "a".to_owned(), 1)]));
    stage.tick();
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!([stage.state(0), stage.state(1), stage.state(2)], ["a", "bee", "a"]);
    assert_eq!(stage.number(0, "n"), 103.0, "the same type is kept");
    assert_eq!(stage.text(0, "kind"), "x", "another type gets its default");
    assert_eq!(stage.number(0, "fresh"), 7.0);
    assert_eq!(
        [stage.text(0, "entered"), stage.text(1, "entered"), stage.text(2, "entered")],
        ["", "", "a"],
        "enter only where the state was gone"
    );
}

#[test]
fn an_import_into_the_same_code_is_as_if_nothing_was() {
    let mut stage = Stage::new(&[("scripts/machines/it.luau", OLD)], &[("them", "it", 3)]);
    stage.tick();
    stage.tell(1, "b", None);
    stage.ticks(2);
    let before = stage.hash();
    let kept = stage.minds[0].export(&stage.world).expect("the machine lives").expect("it is bound");
    *stage.minds[0] = mind(&stage.host, &stage.outbox, 0, "them", "it");
    stage.minds[0].import(&stage.world, kept).expect("the machine lives");
    assert_eq!(stage.hash(), before);
}

#[test]
fn the_dry_run_holds_back_code_that_fails_on_the_agents_of_the_scene() {
    let rehearsals = Rehearsals::default();
    let options =
        HostOptions { natives: Natives::built_in(), dry_run: Some(rehearsals.dry_run()), ..HostOptions::default() };
    let host = Host::open_texts(scan_of(OLD).sources, options).expect("a worker starts");
    let mut stage = Stage::with(host, &[("them", "it", 30)], 10.0, 1);
    stage.tick();
    let seen = Arc::new(Mutex::new(0));
    let world = few(&stage.world);
    *seen.lock().expect("nobody panicked") = world.groups[0].members.len();
    assert_eq!(*seen.lock().expect("nobody panicked"), 16);
    let state = stage.minds[0].export(&world).expect("the machine lives");
    let extra = Extra {
        group: 0,
        name: "them".to_owned(),
        program: Arc::clone(stage.minds[0].program()),
        values: stage.minds[0].values().to_vec(),
        state,
    };
    rehearsals.set(Some(Rehearsal { world, groups: vec![extra], directors: Default::default(), metrics: Vec::new() }));
    let bad = OLD.replace("agent.memory.n += 1", "agent.position = vector.zero");
    stage.host.begin_reload(scan_of(&bad)).expect("a thread starts");
    let candidate = stage.host.finish_reload().expect("it builds");
    let said = candidate.outcome.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(candidate.outcome.held_back, ["scripts/machines/it.luau"]);
    assert!(said.contains("agent.position is read-only: the world is frozen while agents decide"), "{said}");
    let good = OLD.replace("n += 1", "n += 2");
    stage.host.begin_reload(scan_of(&good)).expect("a thread starts");
    assert_eq!(stage.host.finish_reload().expect("it builds").outcome.problems, Vec::new());
}

#[test]
fn nested_tables_and_lists_survive_the_export() {
    let text = "return yard.behavior { memory = { t = { a = 1, b = { c = 'x' } }, list = { vector.one, vector.zero } }, step = function(agent) agent.memory.t.a += 1 end }";
    let mut stage = Stage::one(text);
    stage.ticks(2);
    assert_eq!(stage.problems(), Vec::<String>::new());
    let Datum::Table(fields) = stage.memory(0, "t") else { panic!("a table") };
    assert_eq!(fields["a"], Datum::One(Value::Number(3.0)));
    let kept = stage.minds[0].export(&stage.world).expect("the machine lives").expect("it is bound");
    *stage.minds[0] = mind(&stage.host, &stage.outbox, 0, "them", "it");
    stage.minds[0].import(&stage.world, kept).expect("the machine lives");
    stage.tick();
    let Datum::Table(fields) = stage.memory(0, "t") else { panic!("a table") };
    assert_eq!(fields["a"], Datum::One(Value::Number(4.0)));
}
