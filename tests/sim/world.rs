//! Agents come and go: ids, generations, events.

use glam::DVec3;
use swarmyard::sim::tick::{arrivals, perform};
use swarmyard::sim::{Act, AgentId, Control, Event, SimCommand, WorldSettings, mind::Recipient};

use super::helpers::{Ask, Bench, free_body};

fn bench() -> Bench {
    let mut bench = Bench::new(WorldSettings::default());
    let mind = Ask::new(Control::Velocity, |_: &_, _| DVec3::ZERO);
    bench.group(free_body(), Box::new(mind), &[DVec3::ZERO, DVec3::X, DVec3::Y]);
    bench
}

#[test]
fn a_used_slot_gets_a_new_generation_and_old_ids_find_nobody() {
    let mut bench = bench();
    let old = AgentId { slot: 1, generation: 0 };
    bench.world().apply(SimCommand::Remove(old)).expect("it lives");
    assert_eq!(bench.world.groups[0].members, [0, 2]);
    assert!(bench.world().apply(SimCommand::Remove(old)).is_err());
    bench.spawn(swarmyard::sim::GroupId(0), DVec3::ONE, DVec3::ZERO);
    assert_eq!(bench.world.groups[0].members, [0, 1, 2]);
    let new = bench.world.agents.id(1);
    assert_eq!(new, AgentId { slot: 1, generation: 1 });
    assert!(bench.world.agents.find(old).is_none());
    assert!(new > old && new < AgentId { slot: 2, generation: 0 });
    bench.run(10);
}

#[test]
fn worlds_of_nobody_one_and_two_run() {
    for count in 0..3 {
        let mut bench = Bench::new(WorldSettings::default());
        let mind = Ask::new(Control::Velocity, |_: &_, _| DVec3::X);
        let at: Vec<DVec3> = (0..count).map(|index| DVec3::X * f64::from(index)).collect();
        bench.group(free_body(), Box::new(mind), &at);
        bench.run(5);
        assert_eq!(bench.world.agents.count(), count as usize);
        assert_eq!(bench.world.tick, 5);
    }
}

#[test]
fn messages_arrive_in_the_next_tick_in_the_order_of_recipients() {
    let mut bench = bench();
    let from = AgentId { slot: 2, generation: 0 };
    let send = |to| Act::Send { from, to, name: "hello".to_owned(), value: None };
    let mut acts = vec![
        send(Recipient::Group("group_0".to_owned())),
        send(Recipient::Agent(AgentId { slot: 0, generation: 0 })),
        send(Recipient::Group("nobody".to_owned())),
    ];
    assert_eq!(perform(bench.world(), &mut acts), ["nobody"]);
    let heard: Vec<u32> = bench.world.inbox.iter().map(|event| event.to.slot).collect();
    assert_eq!(heard, [0, 0, 1, 2]);
    assert_eq!(bench.world.events_for(0).len(), 2);
    bench.run(1);
    assert!(bench.world.inbox.is_empty(), "heard once");
}

#[test]
fn reaching_a_goal_is_an_event_and_the_goal_is_forgotten() {
    let mut bench = bench();
    let mut acts = vec![Act::Go(AgentId { slot: 1, generation: 0 }, Some(DVec3::new(1.1, 0.0, 0.0)))];
    perform(bench.world(), &mut acts);
    assert_eq!(bench.world.waypoint(1).x, 1.1);
    arrivals(bench.world(), 0.3);
    let expected =
        Event { to: AgentId { slot: 1, generation: 0 }, name: "target_reached".to_owned(), value: None, from: None };
    assert_eq!(bench.world.inbox, [expected]);
    assert_eq!(bench.world.agents.goal[1], None);
}
