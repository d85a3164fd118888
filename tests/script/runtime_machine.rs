//! State machines, exactly: order of lines, events, holds, timers, exits and enters, history.

use glam::DVec3;
use swarmyard::sim::Value;

use crate::stage::Stage;

/// A machine that writes what happens into one text.
fn logged(body: &str) -> String {
    format!(
        "local function note(agent, word) agent.memory.log ..= word .. ' ' end\n\
         return yard.machine {{ memory = {{ log = '', go = false, n = 0 }},\n{body}\n}}\n"
    )
}

#[test]
fn birth_enters_outer_to_inner_and_acts_in_the_same_tick() {
    let mut stage = Stage::one(&logged(
        "enter = function(agent) note(agent, 'root') end,
         step = function(agent) note(agent, 'step') end,
         initial = 'a', states = { a = { initial = 'b', enter = function(agent) note(agent, 'a') end,
           states = { b = { enter = function(agent) note(agent, 'b') end, step = function(agent) note(agent, 'inner') end } } } },
         transitions = {}",
    ));
    stage.tick();
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!(stage.text(0, "log"), "root a b step inner ");
    assert_eq!(stage.state(0), "a.b");
}

#[test]
fn the_first_line_that_holds_is_taken_and_the_innermost_machine_comes_first() {
    let mut stage = Stage::one(&logged(
        "initial = 'a', states = {
           a = { initial = 'x', states = { x = {}, y = {}, z = {} },
                 transitions = { { from = 'x', to = 'y', on = 'go' }, { from = 'x', to = 'z', on = 'go' }, { from = { 'y', 'z' }, to = 'x', on = 'back' } } },
           b = {} },
         transitions = { { from = 'a', to = 'b', on = 'go' }, { from = 'b', to = 'a', on = 'back' } }",
    ));
    stage.tick();
    stage.tell(0, "go", None);
    stage.tick();
    assert_eq!(stage.state(0), "a.y", "the inner line wins over the outer one");
    stage.tell(0, "go", None);
    stage.tick();
    assert_eq!(stage.state(0), "b", "no inner line starts from y, so the outer one is taken");
    stage.tell(0, "back", None);
    stage.tick();
    assert_eq!(stage.state(0), "a.x", "without history a machine begins at its initial state");
    assert_eq!(stage.problems(), Vec::<String>::new());
}

#[test]
fn a_transition_exits_inner_to_outer_and_enters_outer_to_inner_with_the_event() {
    let mut stage = Stage::one(&logged(
        "initial = 'a', states = {
           a = { initial = 'x', exit = function(agent) note(agent, '-a') end,
                 states = { x = { exit = function(agent) note(agent, '-x') end } } },
           b = { initial = 'y', enter = function(agent, p, event) note(agent, '+b' .. event.value) end,
                 states = { y = { enter = function(agent, p, event) note(agent, '+y' .. event.name) end } } } },
         transitions = { { from = 'a', to = 'b', on = 'go' }, { from = 'b', to = 'a', on = 'back' } }",
    ));
    stage.tick();
    stage.tell(0, "go", Some(Value::Number(3.0)));
    stage.tick();
    assert_eq!(stage.problems(), Vec::<String>::new());
    assert_eq!(stage.text(0, "log"), "-x -a +b3 +ygo ");
    assert_eq!(stage.left.passages.len(), 1);
}

#[test]
fn at_most_one_transition_per_tick() {
    let mut stage = Stage::one(&logged(
        "initial = 'a', states = { a = {}, b = {}, c = {} },
         transitions = { { from = 'a', to = 'b', after = 0 }, { from = 'b', to = 'c', after = 0 }, { from = 'c', to = 'a', on = 'never' } }",
    ));
    stage.tick();
    assert_eq!(stage.state(0), "b");
    stage.tick();
    assert_eq!(stage.state(0), "c");
}

#[test]
fn hold_counts_ticks_in_a_row_and_starts_anew_on_each_change() {
    let mut stage = Stage::one(&logged(
        "step = function(agent) agent.memory.n += 1 end,
         initial = 'a', states = { a = {}, b = {} },
         transitions = {
           { from = 'a', to = 'b', hold = 3, when = function(agent) return agent.memory.go end },
           { from = 'b', to = 'a', hold = 2, when = function(agent) return not agent.memory.go end } },
         on = { go = function(agent, p, event) agent.memory.go = event.value end }",
    ));
    stage.tick();
    stage.tell(0, "go", Some(Value::Bool(true)));
    stage.ticks(2);
    assert_eq!(stage.state(0), "a");
    stage.tell(0, "go", Some(Value::Bool(false)));
    stage.tick();
    stage.tell(0, "go", Some(Value::Bool(true)));
    stage.ticks(2);
    assert_eq!(stage.state(0), "a", "the row was broken");
    stage.tick();
    assert_eq!(stage.state(0), "b", "three in a row");
    stage.tell(0, "go", Some(Value::Bool(false)));
    stage.tick();
    assert_eq!(stage.state(0), "b");
    stage.tick();
    assert_eq!(stage.state(0), "a");
}

#[test]
fn after_counts_seconds_in_the_from_state() {
    let mut stage = Stage::one(&logged(
        "initial = 'a', states = { a = {}, b = {} },
         transitions = { { from = 'a', to = 'b', after = 0.5 }, { from = 'b', to = 'a', after = 0.3 } }",
    ));
    let mut states = Vec::new();
    for _ in 0..12 {
        stage.tick();
        states.push(stage.state(0));
    }
    assert_eq!(states.join(""), "aaaaabbbaaaa");
}

#[test]
fn after_of_an_outer_line_counts_from_the_outer_state() {
    let mut stage = Stage::one(&logged(
        "initial = 'm', states = {
           m = { initial = 'x', states = { x = {}, y = {} }, transitions = { { from = 'x', to = 'y', after = 0.2 }, { from = 'y', to = 'x', after = 0.2 } } },
           out = {} },
         transitions = { { from = 'm', to = 'out', after = 0.7 }, { from = 'out', to = 'm', on = 'never' } }",
    ));
    stage.ticks(7);
    assert_eq!(stage.state(0), "m.y");
    stage.tick();
    assert_eq!(stage.state(0), "out");
}

#[test]
fn any_means_all_but_the_target_and_final_states() {
    let mut stage = Stage::one(&logged(
        "initial = 'a', states = { a = {}, b = { enter = function(agent) note(agent, 'b') end }, done = { final = true } },
         transitions = { { from = 'any', to = 'b', on = 'go' }, { from = 'b', to = 'done', on = 'end' } }",
    ));
    stage.tick();
    for event in ["go", "go"] {
        stage.tell(0, event, None);
        stage.tick();
    }
    assert_eq!(stage.text(0, "log"), "b ", "any does not lead from b to b");
    stage.tell(0, "end", None);
    stage.tick();
    stage.tell(0, "go", None);
    stage.tick();
    assert_eq!(stage.state(0), "done", "nothing leads out of a final state");
}

#[test]
fn a_state_that_names_itself_leaves_and_enters_again() {
    let mut stage = Stage::one(&logged(
        "initial = 'a', states = { a = { enter = function(agent) note(agent, '+') end, exit = function(agent) note(agent, '-') end } },
         transitions = { { from = 'a', to = 'a', after = 0.3 } }",
    ));
    stage.ticks(7);
    assert_eq!(stage.text(0, "log"), "+ - + - + ");
}

#[test]
fn history_resumes_the_last_state() {
    let mut stage = Stage::one(&logged(
        "initial = 'm', states = {
           m = { history = true, initial = 'x', states = { x = {}, y = {} }, transitions = { { from = 'x', to = 'y', on = 'inner' }, { from = 'y', to = 'x', on = 'inner' } } },
           out = {} },
         transitions = { { from = 'm', to = 'out', on = 'leave' }, { from = 'out', to = 'm', on = 'back' } }",
    ));
    stage.tick();
    for event in ["inner", "leave", "back"] {
        stage.tell(0, event, None);
        stage.tick();
    }
    assert_eq!(stage.state(0), "m.y");
}

#[test]
fn thresholds_compare_agent_and_memory_with_numbers_and_parameters() {
    let mut stage = Stage::one(
        "return yard.machine { params = { far = 2 }, memory = { n = 0 }, initial = 'near',
           step = function(agent) agent.memory.n += 1 end,
           states = { near = {}, away = {}, tired = { final = true } },
           transitions = {
             { from = 'near', to = 'away', above = { slot_error = 'p.far' } },
             { from = 'away', to = 'near', below = { slot_error = 1 } },
             { from = 'any', to = 'tired', above = { n = 20 } } } }",
    );
    stage.place(0, DVec3::new(3.0, 0.0, 0.0));
    stage.tick();
    assert_eq!(stage.state(0), "away");
    stage.place(0, DVec3::new(0.5, 0.0, 0.0));
    stage.tick();
    assert_eq!(stage.state(0), "near");
    assert!(stage.minds[0].set("far", Value::Number(0.4)), "a parameter is a slider");
    stage.tick();
    assert_eq!(stage.state(0), "away", "it acts from the next tick");
    stage.place(0, DVec3::new(3.0, 0.0, 0.0));
    stage.ticks(20);
    assert_eq!(stage.state(0), "tired");
    assert_eq!(stage.problems(), Vec::<String>::new());
}

#[test]
fn a_guard_sees_the_event_and_decides() {
    let mut stage = Stage::one(&logged(
        "initial = 'a', states = { a = {}, b = {} },
         transitions = { { from = 'a', to = 'b', on = 'go', when = function(agent, p, event) return event.value == 2 end }, { from = 'b', to = 'a', on = 'back' } }",
    ));
    stage.tick();
    stage.tell(0, "go", Some(Value::Number(1.0)));
    stage.tick();
    assert_eq!(stage.state(0), "a");
    stage.tell(0, "go", Some(Value::Number(1.0)));
    stage.tell(0, "go", Some(Value::Number(2.0)));
    stage.tick();
    assert_eq!(stage.state(0), "b", "any event of that name will do");
}

#[test]
fn limits_and_control_are_those_of_the_state() {
    let mut stage = Stage::one(
        "return yard.machine { control = 'velocity', memory = { top = 1.5 }, initial = 'a',
           step = function() return vector.create(9, 0, 0) end,
           limits = { max_speed = 'memory.top' },
           states = { a = {}, b = { limits = { max_speed = 0.5 } } },
           transitions = { { from = 'a', to = 'b', after = 1 }, { from = 'b', to = 'a', on = 'x' } } }",
    );
    stage.ticks(9);
    assert!((stage.world.agents.speed(0) - 1.5).abs() < 0.2, "{}", stage.world.agents.speed(0));
    stage.ticks(10);
    assert!((stage.world.agents.speed(0) - 0.5).abs() < 0.1, "{}", stage.world.agents.speed(0));
}

#[test]
fn messages_arrive_as_events_of_the_next_tick() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            "return yard.behavior { memory = { heard = 0, from = 0 },
               step = function(agent) if yard.tick == 1 and agent.id == 1 then agent:send('them', 'hello', 5) end end,
               on = { hello = function(agent, p, event) agent.memory.heard += event.value agent.memory.from = event.from end } }",
        )],
        &[("them", "it", 3)],
    );
    stage.ticks(2);
    assert_eq!(stage.number(2, "heard"), 0.0);
    stage.tick();
    assert_eq!((stage.number(2, "heard"), stage.number(2, "from")), (5.0, 1.0));
    stage.tick();
    assert_eq!(stage.number(2, "heard"), 5.0, "an event lasts one tick");
}

#[test]
fn an_event_that_a_machine_names_nowhere_is_noted_once() {
    let mut stage = Stage::one(&logged(
        "initial = 'a', states = { a = {}, b = {} }, transitions = { { from = 'a', to = 'b', on = 'panic' }, { from = 'b', to = 'a', after = 1 } }",
    ));
    for _ in 0..3 {
        stage.tell(0, "pnaic", None);
        stage.tick();
    }
    assert!(stage.only_problem().message.contains("did you mean `panic`"), "{:?}", stage.problems());
}

#[test]
fn period_keeps_the_rate_and_staggers_the_phases() {
    let mut stage = Stage::new(
        &[(
            "scripts/behaviors/it.luau",
            "return yard.behavior { period = 0.25, memory = { n = 0 }, step = function(agent) agent.memory.n += 1 end }",
        )],
        &[("them", "it", 8)],
    );
    stage.ticks(100);
    let counts: Vec<f64> = (0..8).map(|slot| stage.number(slot, "n")).collect();
    assert!(counts.iter().all(|count| (40.0..=41.0).contains(count)), "{counts:?}");
}
