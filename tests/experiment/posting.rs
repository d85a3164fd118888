//! Messages go over the network of the group that they are for.

use swarmyard::experiment::Experiment;
use swarmyard::experiment::view::FrameCache;

use super::helpers::{run, small_project};

const MACHINE: &str = "return yard.machine { initial = 'deaf', states = { deaf = {}, told = {} }, memory = { at = -1 },
  transitions = { { from = 'deaf', to = 'told', on = 'hello' } },
  step = function(agent)
    if yard.tick == 3 and agent.id == 1 then agent:send('them', 'hello') end
    if agent.state == 'told' and agent.memory.at < 0 then agent.memory.at = yard.tick end
  end }";

fn scene(network: &str, schedule: &str) -> String {
    format!(
        "Scene(format: 1, title: \"It\", seed: 3, groups: [Group(name: \"them\", count: 4, \
         spawn: Grid(columns: 4, spacing: 2), behavior: \"it\"{network})], schedule: [{schedule}])"
    )
}

/// How many agents are in the second state after each tick.
fn told(experiment: &mut Experiment, ticks: usize) -> Vec<usize> {
    (0..ticks)
        .map(|_| {
            run(experiment, 1);
            let world = experiment.world();
            world.groups[0].members.iter().filter(|slot| world.agents.state[**slot as usize] == 1).count()
        })
        .collect()
}

const AT_ONE: &str = "At(0.1, Send(to: \"them\", name: \"hello\"))";
const QUIET: &str = "return yard.machine { initial = 'deaf', states = { deaf = {}, told = {} },
  transitions = { { from = 'deaf', to = 'told', on = 'hello' } } }";

#[test]
fn without_a_network_everybody_hears_in_the_tick_of_the_command() {
    let (_folder, mut experiment) = small_project(&scene("", AT_ONE), &[("scripts/machines/it.luau", QUIET)]);
    assert_eq!(told(&mut experiment, 8), [0, 0, 0, 0, 0, 0, 4, 4], "0.1 s is tick 6");
}

#[test]
fn a_delay_is_simulated_time_and_no_more() {
    let network = ", network: (delay: 0.12)";
    let (_folder, mut experiment) = small_project(&scene(network, AT_ONE), &[("scripts/machines/it.luau", QUIET)]);
    let heard = told(&mut experiment, 20);
    assert_eq!(heard.iter().position(|count| *count == 4), Some(14), "0.1 s + 0.12 s are 13.2 ticks: {heard:?}");
    assert_eq!(heard[13], 0);
    run(&mut experiment, 30);
    let view = experiment.frame(&mut FrameCache::default()).groups[0].network.expect("it has a network");
    assert_eq!((view.messages, view.acknowledged, view.offline), (4, 4, 0));
    assert_eq!(view.sends, 8, "the answer comes after 0.24 s: sent at 0 and 0.1 s, the next would be at 0.3 s");
    assert!((view.slowest.expect("measured") - 0.24).abs() < 1e-9);
}

#[test]
fn agents_send_over_it_as_well() {
    let network = ", network: (delay: 0.05)";
    let (_folder, mut experiment) = small_project(&scene(network, ""), &[("scripts/machines/it.luau", MACHINE)]);
    // Asked for in tick 3, done before tick 4, there 3 ticks later.
    assert_eq!(told(&mut experiment, 9), [0, 0, 0, 0, 0, 0, 0, 4, 4]);
}

#[test]
fn who_cannot_be_reached_is_named_and_the_run_goes_on() {
    let network = ", network: (delay: 0.02, loss: 1, retries: 2)";
    let (_folder, mut experiment) = small_project(&scene(network, AT_ONE), &[("scripts/machines/it.luau", QUIET)]);
    assert!(told(&mut experiment, 120).iter().all(|count| *count == 0));
    let frame = experiment.frame(&mut FrameCache::default());
    let view = frame.groups[0].network.expect("it has a network");
    assert_eq!((view.failed, view.offline, view.sends), (4, 4, 12));
    assert_eq!(frame.events.iter().filter(|line| line.text.contains("offline")).count(), 4);
    assert!(!experiment.faulted());
}

#[test]
fn lossy_runs_are_equal_run_for_run() {
    let network = ", network: (delay: 0.1, jitter: 0.08, loss: 0.3)";
    let hash = || {
        let (_folder, mut experiment) =
            small_project(&scene(network, AT_ONE), &[("scripts/machines/it.luau", MACHINE)]);
        run(&mut experiment, 90);
        experiment.hash()
    };
    assert_eq!(hash(), hash());
}

#[test]
fn the_log_groups_messages_by_order_and_is_made_anew_only_when_one_moved() {
    let network = ", network: (delay: 0.05, loss: 0.2)";
    let schedule = "At(0.1, Send(to: \"them\", name: \"hello\")), At(0.5, Send(to: \"them\", name: \"again\"))";
    let (_folder, mut experiment) = small_project(&scene(network, schedule), &[("scripts/machines/it.luau", QUIET)]);
    let mut cache = FrameCache::default();
    assert!(experiment.frame(&mut cache).deliveries.is_empty());
    run(&mut experiment, 240);
    let frame = experiment.frame(&mut cache);
    let names: Vec<(&str, f64)> = frame.deliveries.iter().map(|order| (order.name.as_str(), order.sent_at)).collect();
    assert_eq!(names, [("again", 0.5), ("hello", 0.1)], "newest first");
    for order in frame.deliveries.iter() {
        assert_eq!((order.counts.total(), order.rows.len(), order.group), (4, 4, Some(0)));
        assert!(order.rows.iter().all(|row| row.delivered_after.is_none_or(|after| after >= 0.05)));
    }
    assert_eq!(frame.links.len(), 4);
    assert!(frame.links.iter().all(|link| link.wait >= 0.1));
    run(&mut experiment, 1);
    let next = experiment.frame(&mut cache);
    assert!(std::sync::Arc::ptr_eq(&frame.deliveries, &next.deliveries), "nothing moved");
}

#[test]
fn an_order_to_very_many_is_counted_whole_and_listed_in_part() {
    let text = scene(", network: (delay: 0.05)", AT_ONE).replace("count: 4", "count: 900");
    let (_folder, mut experiment) = small_project(&text, &[("scripts/machines/it.luau", QUIET)]);
    run(&mut experiment, 30);
    let frame = experiment.frame(&mut FrameCache::default());
    assert_eq!(frame.deliveries.len(), 1);
    assert_eq!((frame.deliveries[0].counts.total(), frame.deliveries[0].rows.len()), (900, 400));
}

/// Each of them reaches everybody; what is delivered before the callback is stopped is heard, in the order in which it was sent.
#[test]
fn who_sends_without_end_is_stopped_and_nobody_waits_for_the_mail() {
    let loud = "return yard.behavior { step = function(agent) local n = 0 while true do n += 1 agent:send('them', 'x', n) end end }";
    let (_folder, mut experiment) = small_project(
        "Scene(format: 1, title: \"It\", seed: 3, groups: [Group(name: \"them\", count: 20, \
         spawn: Grid(columns: 5, spacing: 2), behavior: \"it\")])",
        &[("scripts/behaviors/it.luau", loud)],
    );
    run(&mut experiment, 2);
    let world = experiment.world();
    for slot in 0..20 {
        let heard: Vec<f64> =
            world.events_for(slot).iter().filter_map(|event| event.value.as_ref()?.number()).collect();
        assert!(heard.len() <= 20 * 1000, "{}", heard.len());
        assert!(heard.windows(2).all(|pair| pair[1] == pair[0] + 1.0 || pair[1] == 1.0), "out of order");
    }
    run(&mut experiment, 10);
    let said: Vec<String> = experiment.problems().iter().map(|problem| problem.to_text()).collect();
    assert!(
        said.iter().any(|text| text.contains("sends at most 1000 messages") || text.contains("took longer")),
        "{said:?}"
    );
}
