//! Stops in turn, waiting, queues, and choices.

use swarmyard::sim::{Errand, Leg};

use crate::{Run, exit, queue, settings, waiting, waypoint};

#[test]
fn stops_are_reached_in_turn_and_each_once() {
    let stops =
        vec![waypoint("a", 3.0, 0.0), waiting("bench", &[(3.0, 3.0)], Some((1.0, 1.0))), waypoint("b", 0.0, 3.0)];
    let journey = vec![Leg::Stop(0), Leg::Stop(1), Leg::Stop(2)];
    let mut run = Run::new(settings(stops, journey), 1).with(&[(0.0, 0.0)]);
    run.run(12.0);
    assert_eq!(run.heard(0), ["stop_reached a", "stop_reached bench", "stop_reached b", "journey_done"]);
    assert_eq!(run.world.agents.visit[0].stop, None);
    let time =
        |name: &str| run.news.iter().find(|(_, news)| format!("{:?}", news.value).contains(name)).map(|(t, _)| *t);
    let stayed = time("\"b\"").zip(time("bench")).map_or(0.0, |(b, bench)| b - bench);
    // A second on the bench, and about 2.6 m from there.
    assert!((2.4..3.4).contains(&stayed), "{stayed} s");
}

#[test]
fn a_queue_serves_its_head_and_everybody_moves_up() {
    let stops = vec![queue("till", 0.0, 2.0, None), exit("out", (-3.0, -4.0), (3.0, -4.0), None)];
    let places = [(0.0, 8.0), (0.0, 9.0), (0.0, 10.0)];
    let mut run = Run::new(settings(stops, vec![Leg::Stop(0), Leg::Stop(1)]), 1).with(&places);
    run.run(7.0);
    let line: Vec<u32> = match &run.flow.stops()[0].state {
        swarmyard::flow::StopState::Queue(queue) => queue.line().iter().map(|id| id.slot).collect(),
        _ => Vec::new(),
    };
    assert_eq!(line, [0, 1, 2], "in the order of coming");
    let gaps = (run.world.agents.position[1] - run.world.agents.position[0]).length();
    assert!((gaps - 0.7).abs() < 0.05, "spots keep their spacing: {gaps}");
    run.run(15.0);
    assert_eq!(run.heard(0), ["stop_reached till", "served till"]);
    assert_eq!(run.heard(1), ["stop_reached till", "queue_moved 1", "served till"]);
    assert_eq!(run.heard(2), ["stop_reached till", "queue_moved 2", "queue_moved 1", "served till"]);
    let served: Vec<f64> = run.news.iter().filter(|(_, news)| news.name == "served").map(|(time, _)| *time).collect();
    for pair in served.windows(2) {
        // Two seconds of service, and the next one walks one spot.
        assert!((2.0..2.7).contains(&(pair[1] - pair[0])), "{served:?}");
    }
    assert_eq!(run.left.len(), 3);
}

#[test]
fn who_is_removed_leaves_no_gap_in_a_queue() {
    let stops = vec![queue("till", 0.0, 100.0, None)];
    let mut run = Run::new(settings(stops, vec![Leg::Stop(0)]), 1).with(&[(0.0, 6.0), (0.0, 7.0), (0.0, 8.0)]);
    run.run(7.0);
    let head = run.world.agents.id(0);
    run.world.apply(swarmyard::sim::SimCommand::Remove(head)).expect("it lives");
    run.run(2.0);
    assert_eq!(run.world.agents.visit[1].place, Some(0));
    assert!(run.world.agents.position[1].length() < 0.05, "it stands where the head is served");
}

#[test]
fn nobody_is_called_before_there_is_room_and_whoever_came_first_is() {
    let stops = vec![
        waiting("hall", &[(0.0, 5.0), (1.0, 5.0), (2.0, 5.0)], Some((0.0, 0.0))),
        queue("counter", 0.0, 3.0, Some(1)),
        exit("out", (-3.0, -4.0), (3.0, -4.0), None),
    ];
    let journey = vec![Leg::Stop(0), Leg::Stop(1), Leg::Stop(2)];
    let mut run = Run::new(settings(stops, journey), 1).with(&[(4.0, 8.0), (0.0, 6.0), (2.0, 7.0)]);
    let mut most = 0;
    for _ in 0..60 * 40 {
        run.tick();
        most = most.max(run.flow.stops()[1].bound.len());
    }
    assert_eq!(most, 1, "one at a time");
    let reached = |stop: &str| -> Vec<u32> {
        let here = run.news.iter().filter(|(_, news)| news.name == "stop_reached");
        here.filter(|(_, news)| format!("{:?}", news.value).contains(stop)).map(|(_, news)| news.agent.slot).collect()
    };
    assert_eq!(reached("counter"), reached("hall"));
    assert_eq!(run.left.len(), 3);
}

#[test]
fn who_waits_without_a_stay_waits_until_it_opens() {
    let stops = vec![waiting("platform", &[(2.0, 0.0)], None), waypoint("train", 6.0, 0.0)];
    let mut run = Run::new(settings(stops, vec![Leg::Stop(0), Leg::Stop(1)]), 1).with(&[(0.0, 0.0)]);
    run.run(30.0);
    assert_eq!(run.heard(0), ["stop_reached platform"]);
    run.flow.set_open("platform", true);
    run.run(5.0);
    assert_eq!(run.heard(0), ["stop_reached platform", "stop_reached train", "journey_done"]);
}

#[test]
fn a_full_waiting_place_gives_each_spot_once() {
    let stops = vec![waiting("bench", &[(0.0, 0.0), (1.0, 0.0)], None)];
    let mut run = Run::new(settings(stops, vec![Leg::Stop(0)]), 1).with(&[(3.0, 1.0), (3.0, 2.0), (3.0, 3.0)]);
    run.run(10.0);
    let mut places: Vec<Option<u32>> = run.world.agents.visit.iter().map(|visit| visit.place).collect();
    places.sort_unstable();
    assert_eq!(places, [None, Some(0), Some(1)]);
}

/// The order in which an agent visits its list.
fn order(seed: u64, slot: u32) -> Vec<String> {
    let stops: Vec<_> =
        ('a'..='f').map(|name| waypoint(&name.to_string(), f64::from(name as u32) - 97.0, 2.0)).collect();
    let list: Vec<u16> = (0..6).collect();
    let mut run = Run::new(settings(stops, vec![Leg::Shuffle(3, list.into())]), seed).with(&[(0.0, 0.0), (0.0, 1.0)]);
    run.run(30.0);
    run.heard(slot)
}

#[test]
fn a_shopping_list_is_as_long_as_asked_and_belongs_to_seed_and_agent() {
    let first = order(1, 0);
    assert_eq!(first.len(), 4, "three stops and the end: {first:?}");
    assert_eq!(first, order(1, 0));
    let mut stops = first[..3].to_vec();
    stops.sort();
    stops.dedup();
    assert_eq!(stops.len(), 3, "none twice");
    let others: Vec<_> = (1..6).map(|seed| order(seed, 0)).chain([order(1, 1)]).collect();
    assert!(others.iter().any(|other| *other != first), "all have the same list");
}

#[test]
fn the_least_crowded_till_is_taken_and_a_closed_one_is_left() {
    let stops = vec![queue("near", 0.0, 10.0, None), queue("far", 6.0, 10.0, None)];
    let journey = vec![Leg::LeastCrowded(vec![0, 1].into())];
    let places: Vec<(f64, f64)> = (0..6).map(|i| (0.5 * f64::from(i), 9.0)).collect();
    let mut run = Run::new(settings(stops, journey), 1).with(&places);
    run.run(8.0);
    let at = |run: &Run, stop: u16| run.world.agents.visit.iter().filter(|visit| visit.stop == Some(stop)).count();
    assert_eq!((at(&run, 0), at(&run, 1)), (3, 3), "all are nearer to the first");
    run.flow.set_open("near", false);
    run.run(3.0);
    assert_eq!((at(&run, 0), at(&run, 1)), (0, 6));
}

#[test]
fn nearest_and_shares_choose() {
    let stops = || vec![waypoint("left", -4.0, 0.0), waypoint("right", 4.0, 0.0)];
    let mut run =
        Run::new(settings(stops(), vec![Leg::Nearest(vec![0, 1].into())]), 1).with(&[(-1.0, 0.0), (1.0, 0.0)]);
    run.tick();
    assert_eq!([0, 1].map(|slot| run.world.agents.visit[slot].stop), [Some(0), Some(1)]);
    let places: Vec<(f64, f64)> = (0..400).map(|i| (0.0, f64::from(i))).collect();
    let shares = vec![Leg::Shares(vec![(0, 3.0), (1, 1.0)].into())];
    let mut run = Run::new(settings(stops(), shares), 1).with(&places);
    run.tick();
    let left = run.world.agents.visit.iter().filter(|visit| visit.stop == Some(0)).count();
    // 300 expected; four standard deviations are 35.
    assert!((265..=335).contains(&left), "{left} of 400");
}

#[test]
fn an_errand_changes_the_journey_and_skips_stops() {
    let stops = vec![waypoint("a", 30.0, 0.0), waypoint("b", 0.0, 3.0), waypoint("c", 3.0, 0.0)];
    let mut run = Run::new(settings(stops, vec![Leg::Stop(0), Leg::Stop(1)]), 1).with(&[(0.0, 0.0), (1.0, 0.0)]);
    run.tick();
    let ids = [0, 1].map(|slot| run.world.agents.id(slot));
    run.world.errands.push((ids[0], Errand::Set(vec![Leg::Stop(2)])));
    run.world.errands.push((ids[1], Errand::Skip));
    run.run(5.0);
    assert_eq!(run.heard(0), ["stop_reached c", "journey_done"]);
    assert_eq!(run.heard(1), ["stop_reached b", "journey_done"]);
    // An empty one ends it, and the goal with it.
    run.world.errands.push((ids[0], Errand::Set(vec![Leg::Stop(0)])));
    run.tick();
    assert!(run.world.agents.goal[0].is_some());
    run.world.errands.push((ids[0], Errand::Set(Vec::new())));
    run.tick();
    assert_eq!((run.world.agents.goal[0], run.world.agents.visit[0].stop), (None, None));
}

#[test]
fn a_clone_goes_on_as_the_original_does() {
    let stops = vec![queue("till", 0.0, 2.0, None), exit("out", (-3.0, -4.0), (3.0, -4.0), Some(0.5))];
    let mut settings = settings(stops, vec![Leg::Stop(0), Leg::Stop(1)]);
    settings.sources.push(swarmyard::flow::SourceSpec {
        area: swarmyard::flow::Area::Box(glam::DVec2::new(0.0, 8.0), glam::DVec2::new(4.0, 12.0)),
        ..crate::source(0.5, swarmyard::flow::Spread::Poisson)
    });
    let mut run = Run::new(settings, 7);
    run.run(20.0);
    let (world, flow) = (run.world.clone(), run.flow.clone());
    let digest = |run: &Run| {
        let mut hash = swarmyard::sim::StateHash::new();
        run.flow.hash_into(&mut hash);
        (0..run.world.agents.slots()).for_each(|slot| hash.integer(run.flow.digest(slot)));
        (run.world.hash(&[]), hash.finish())
    };
    run.run(20.0);
    let first = digest(&run);
    let mut again = Run { world, flow, news: Vec::new(), left: Vec::new(), walks: true };
    again.run(20.0);
    assert_eq!(digest(&again), first);
    assert!(again.left.len() > 2, "somebody left meanwhile: {}", again.left.len());
}
