//! Faults: what a person reads, and that everything else acts on.

use swarmyard::sim::Value;

use crate::stage::Stage;

fn behavior(body: &str) -> String {
    format!("return yard.behavior {{\n{body}\n}}\n")
}

/// The only problem of one agent after three ticks.
fn problem(body: &str) -> String {
    let mut stage = Stage::one(&behavior(body));
    stage.ticks(3);
    stage.only_problem().to_string().replace("scripts/behaviors/", "")
}

#[test]
fn fields_parameters_and_memory_name_the_nearest() {
    assert!(problem("step = function(agent)\n return agent.velocty end").starts_with("it.luau:3"));
    for (body, said) in [
        ("step = function(agent) return agent.velocty end", "agent has no field `velocty`; did you mean `velocity`?"),
        (
            "params = { speed = 1 }, step = function(agent, p) return vector.one * p.sped end",
            "p has no parameter `sped`; did you mean `speed`?",
        ),
        ("step = function(agent) return yard.unti(agent.velocity) end", "yard has no `unti`; did you mean `unit`?"),
        (
            "step = function(agent) agent.memory.count += 1 end",
            "agent.memory.count is not declared; add memory = { count = … }",
        ),
        (
            "step = function(agent) return agent.neighbors(2) end",
            "`neighbors` is a method: call it with a colon, agent:neighbors(…)",
        ),
        ("step = function(agent) agent.speeed = 1 end", "agent has no field `speeed` to write to"),
    ] {
        let found = problem(body);
        assert!(found.contains(said), "{found}");
    }
}

#[test]
fn results_are_checked() {
    for (body, said) in [
        (
            "step = function(agent) return 4 end",
            "step returned a number; return a vector, then if you like a turn rate: return v, turn",
        ),
        (
            "forces = { shy = { weight = 1, compute = function(agent) end } }",
            "compute of `shy` returned nothing, not a vector (vector.zero for none)",
        ),
        (
            "forces = { shy = { weight = 1, compute = function(agent) return vector.normalize(vector.zero) end } }",
            "force `shy` is not a number (nan, nan, nan) for agent 1 at tick 0; vector.normalize of a zero vector does that, yard.unit does not",
        ),
        (
            "forces = { separation = { weight = 1, scale = function(agent) end } }",
            "scale of `separation` must return a number, got nil",
        ),
        (
            "memory = { n = 1 }, step = function(agent)\n agent.memory.n = 'x' end",
            "agent.memory.n is a number and became a string",
        ),
    ] {
        let found = problem(body);
        assert!(found.contains(said), "{found}");
    }
}

/// Every function of scripts that takes a number says so at its line if it gets none that it can use.
#[test]
fn numbers_that_are_none_are_refused_where_they_are_given() {
    let calls = [
        ("yard.steady(0 / 0)", "is nan"),
        ("yard.steady(1, 0 / 0)", "is nan"),
        ("yard.steady(1, 2, 1 / 0)", "must be finite"),
        ("yard.noise(0 / 0)", "is nan"),
        ("yard.noise(1, 0 / 0)", "is nan"),
        ("yard.noise(1, 2, -1 / 0)", "must be finite"),
        ("yard.noise(1, 'x')", "must be a number, got string"),
        ("yard.uniform(0, 0 / 0)", "is nan"),
        ("yard.normal(0, 1 / 0)", "must be finite"),
        ("yard.random(0 / 0)", "is nan"),
        ("yard.random(1, 0 / 0)", "is nan"),
        ("yard.wrap(1 / 0)", "must be finite"),
        ("yard.direction(0 / 0)", "is nan"),
        ("yard.rotate(vector.one, 0 / 0)", "is nan"),
        ("yard.limit(vector.one, 0 / 0)", "is nan"),
        ("yard.every(0 / 0)", "is nan"),
        ("yard.at(0 / 0)", "is nan"),
        ("agent:neighbors(0 / 0)", "is nan"),
        ("agent:neighbors(-1)", "must be 0 or above"),
        ("agent:neighbors(1, 'any', -0.5)", "must be 0 or above"),
        ("agent:neighbors(1, 'any', 0 / 0)", "is nan"),
        ("agent:nearest('any', -1)", "must be 0 or above"),
        ("agent:nearest('any', 0 / 0)", "is nan"),
        ("agent:obstacles(-1)", "must be 0 or above"),
        ("agent:obstacles(0 / 0)", "is nan"),
        ("agent:find(0 / 0)", "is nan"),
    ];
    for (call, said) in calls {
        let found = problem(&format!("step = function(agent)\n local _ = {call}\n return vector.zero end"));
        assert!(found.starts_with("it.luau:3") && found.contains(said), "{call}: {found}");
    }
    // Infinity means no limit where there may be none.
    let mut stage = Stage::one(&behavior(
        "step = function(agent) agent:nearest('any', math.huge) agent:neighbors(2, 'any', 4) return yard.limit(vector.zero, math.huge) end",
    ));
    stage.ticks(2);
    assert!(stage.problems().is_empty(), "{:?}", stage.problems());
}

#[test]
fn a_guard_without_return_says_so() {
    let mut stage = Stage::one(
        "return yard.machine { initial = 'walk', states = { walk = {}, flee = {} },
           transitions = { { from = 'walk', to = 'flee', when = function(agent) end }, { from = 'flee', to = 'walk', after = 1 } } }",
    );
    stage.ticks(3);
    let message = &stage.only_problem().message;
    assert!(
        message.contains("when of `walk_to_flee` must return true or false, got nil; is a \"return\" missing?"),
        "{message}"
    );
    assert_eq!(stage.state(0), "walk", "a guard that is off counts as false");
}

#[test]
fn a_fault_turns_off_one_callback_of_one_agent_and_is_shown_once() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            "return yard.behavior { memory = { n = 0 }, step = function(agent)\n  agent.memory.n += 1\n  if agent.id == 2 then local x = nil; return x.y end\nend,\n\
             forces = { push = { weight = 1, compute = function(agent) return vector.create(1, 0, 0) end } } }",
        )],
        &[("them", "it", 3)],
    );
    stage.ticks(5);
    let problem = stage.only_problem();
    assert_eq!((problem.line, problem.count, problem.agent, problem.tick), (Some(3), 1, Some(2.0), Some(0)));
    assert_eq!(problem.callback.as_deref(), Some("step"));
    assert!(problem.excerpt.as_deref().is_some_and(|excerpt| excerpt.contains("x.y")));
    assert_eq!((stage.number(0, "n"), stage.number(1, "n"), stage.number(2, "n")), (5.0, 1.0, 5.0));
    assert!(stage.world.agents.velocity[1].x > 0.2, "its force acts on");
    assert!(stage.world.agents.velocity[0].x > stage.world.agents.velocity[1].x, "from the tick after the fault");
}

#[test]
fn faults_of_rare_callbacks_let_the_tick_go_on() {
    let mut stage = Stage::one(
        "return yard.machine { memory = { n = 0, bad = function() return {} .. 1 end }, initial = 'a', enter = function(agent) error('no') end,
           step = function(agent) agent.memory.n += 1 end, on = { boo = function(agent) agent.nothing() end },
           states = { a = {}, b = {} }, transitions = { { from = 'a', to = 'b', on = 'boo' }, { from = 'b', to = 'a', after = 9 } } }",
    );
    stage.tick();
    stage.tell(0, "boo", None);
    stage.tick();
    assert_eq!((stage.number(0, "n"), stage.state(0).as_str()), (2.0, "b"));
    assert_eq!(stage.left.problems.len(), 3, "{:#?}", stage.problems());
}

#[test]
fn an_endless_loop_is_stopped_and_the_others_go_on() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            "return yard.behavior { memory = { n = 0 }, step = function(agent)\n  if agent.id == 1 then while true do pcall(function() end) end end\n  agent.memory.n += 1\nend }",
        )],
        &[("them", "it", 3)],
    );
    stage.ticks(2);
    let problem = stage.only_problem();
    assert!(problem.message.starts_with("step of agent 1 ran over its 5 ms at line 2"), "{}", problem.message);
    assert_eq!((stage.number(1, "n"), stage.number(2, "n")), (2.0, 2.0));
    assert_eq!(stage.left.stops.len(), 1);
}

#[test]
fn a_memory_bomb_is_stopped_and_the_others_go_on() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            "return yard.behavior { memory = { n = 0 }, step = function(agent)\n  if agent.id == 1 then local t = buffer.create(1e9) end\n  agent.memory.n += 1\nend }",
        )],
        &[("them", "it", 2)],
    );
    stage.ticks(2);
    assert!(stage.only_problem().message.contains("not enough memory"), "{:?}", stage.problems());
    assert_eq!(stage.number(1, "n"), 2.0);
}

#[test]
fn a_group_that_the_scene_lacks_is_empty_and_noted_once() {
    let mut stage = Stage::one(&behavior(
        "memory = { n = 9 }, step = function(agent)\n  agent.memory.n = #agent:neighbors(5, 'sharks')\n  assert(agent:nearest('sharks', 5) == nil)\nend",
    ));
    stage.ticks(3);
    assert_eq!(stage.number(0, "n"), 0.0);
    assert!(stage.only_problem().message.contains("`sharks`"), "{:?}", stage.problems());
    assert_eq!(stage.left.problems[0].count, 1);
}

#[test]
fn a_world_of_nobody_and_one_agent_alone_are_valid() {
    let text = behavior("step = function(agent) return agent.slot - agent.position + agent.waypoint * 0 end");
    let mut stage = Stage::new(&[("scripts/behaviors/it.luau", &text)], &[("nobody", "it", 0), ("alone", "it", 1)]);
    stage.ticks(3);
    assert_eq!(stage.problems(), Vec::<String>::new());
}

#[test]
fn memory_is_typed_and_lists_keep_their_length() {
    let mut stage = Stage::one(&behavior(
        "memory = { past = { 0, 0, 0 }, flag = true, at = vector.zero, name = 'x', who = function(agent) return agent.id end },
         step = function(agent)
           local m = agent.memory
           m.past[yard.tick % 3 + 1] = yard.tick
           m.flag = not m.flag
           m.at += vector.one
           m.name = agent.state
           if yard.tick == 4 then m.past[4] = 1 end
         end",
    ));
    stage.ticks(4);
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!(stage.number(0, "who"), 1.0);
    stage.tick();
    assert!(stage.only_problem().message.contains("list of 3 numbers"), "{:?}", stage.problems());
    assert!(stage.minds[0].values().is_empty());
    assert!(!stage.minds[0].set("nothing", Value::Number(1.0)));
}
