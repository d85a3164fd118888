//! The command network: delay, loss, acknowledgement, retry, offline (R048–R052, E09).

use proptest::prelude::*;
use swarmyard::comms::{Link, Network, RoundTrip, Status};
use swarmyard::sim::{AgentId, Event};

fn agent(slot: u32) -> AgentId {
    AgentId { slot, generation: 0 }
}

fn event(slot: u32) -> Event {
    Event { to: agent(slot), name: "form_up".to_owned(), value: None, from: None }
}

/// Runs ticks of 1/60 s until nothing is under way; gives (event's agent, tick) of each arrival.
fn run(network: &mut Network) -> Vec<(u32, u64)> {
    let mut heard = Vec::new();
    for tick in 0..100_000_u64 {
        let (events, _) = network.advance(tick as f64 / 60.0);
        heard.extend(events.iter().map(|event| (event.event.to.slot, tick)));
        if network.is_quiet() {
            break;
        }
    }
    heard
}

#[test]
fn without_delay_and_loss_it_arrives_at_once() {
    let mut network = Network::new(1);
    network.send(Link::default(), event(3), 2.0);
    let (events, changes) = network.advance(2.0);
    assert_eq!(events.iter().map(|arrival| &arrival.event).collect::<Vec<_>>(), [&event(3)]);
    assert!(changes.is_empty() && network.is_quiet());
    assert_eq!(network.deliveries().next().map(|delivery| delivery.status), Some(Status::Acknowledged));
}

#[test]
fn a_delay_is_met_to_the_tick_and_measured() {
    let link = Link { delay: 0.12, ..Link::default() };
    let mut network = Network::new(1);
    network.send(link, event(0), 0.0);
    assert_eq!(run(&mut network), [(0, 8)], "0.12 s are 7.2 ticks: it is there in the eighth");
    let state = network.link(agent(0));
    assert!((state.one_way.expect("measured") - 0.12).abs() < 1e-12);
    assert!((state.round_trip.smoothed.expect("measured") - 0.24).abs() < 1e-12);
}

/// 1 − 0.08⁴ = 0.99995904 with 1 + 3 sends; the text's three sends give 0.999488 (E09).
#[test]
fn eight_percent_loss_and_four_sends_deliver_what_they_must() {
    let link = Link { delay: 0.02, jitter: 0.01, loss: 0.08, timeout: 0.1, retries: 3 };
    let count = 200_000;
    let mut network = Network::new(7);
    let mut delivered = 0;
    for block in 0..count / 1000 {
        for slot in 0..1000 {
            network.send(link, event(slot), f64::from(block) * 10.0);
        }
        let (events, _) = network.advance(f64::from(block) * 10.0 + 9.9);
        delivered += events.len();
    }
    let share = delivered as f64 / f64::from(count);
    // Three standard deviations of a share of 200,000.
    let expected: f64 = 1.0 - 0.08_f64.powi(4);
    let sigma = (expected * (1.0 - expected) / f64::from(count)).sqrt();
    assert!((share - expected).abs() < 3.0 * sigma + 1e-9, "{share} against {expected}");
    assert!(share >= 0.9999);
}

/// E09: an agent at 210 ms one way must not be sent everything again every time.
#[test]
fn a_slow_agent_is_waited_for_once_its_round_trip_is_known() {
    let link = Link { delay: 0.21, jitter: 0.02, loss: 0.0, timeout: 0.1, retries: 3 };
    let mut network = Network::new(3);
    for message in 0..20 {
        network.send(link, event(0), f64::from(message) * 3.0);
        network.advance(f64::from(message) * 3.0 + 2.9);
    }
    let sends: Vec<u32> = network.deliveries().map(|delivery| delivery.sends).collect();
    assert!(sends[0] > 1, "before the first answer nobody knows: {sends:?}");
    assert!(sends[1..].iter().all(|sends| *sends == 1), "{sends:?}");
    assert!(!network.link(agent(0)).offline);
}

#[test]
fn who_never_answers_is_offline_after_the_last_retry_and_comes_back() {
    let dead = Link { loss: 1.0, delay: 0.02, timeout: 0.1, retries: 3, jitter: 0.0 };
    let mut network = Network::new(1);
    network.send(dead, event(4), 0.0);
    // Nobody knows how slow it is: the waits are 0.1, 0.2, 0.4 and 0.8 s.
    let (events, changes) = network.advance(1.49);
    assert!(events.is_empty() && changes.is_empty(), "the fourth send is still out");
    let (_, changes) = network.advance(1.51);
    assert_eq!(changes.iter().map(|change| (change.agent.slot, change.offline)).collect::<Vec<_>>(), [(4, true)]);
    let delivery = network.deliveries().next().cloned().expect("logged");
    assert_eq!((delivery.sends, delivery.status), (4, Status::Failed));
    network.send(Link { loss: 0.0, ..dead }, event(4), 5.0);
    let (events, changes) = network.advance(5.1);
    assert_eq!(events.len(), 1);
    assert_eq!(changes.iter().map(|change| (change.agent.slot, change.offline)).collect::<Vec<_>>(), [(4, false)]);
    assert!(!network.link(agent(4)).offline);
}

#[test]
fn the_estimate_of_a_round_trip_is_that_of_the_standard() {
    let mut trip = RoundTrip::default();
    assert_eq!([1, 2, 3, 4].map(|send| trip.wait(0.1, send)), [0.1, 0.2, 0.4, 0.8]);
    trip.measure(0.2);
    assert_eq!((trip.smoothed, trip.deviation), (Some(0.2), 0.1));
    assert!((trip.wait(0.1, 3) - 0.6).abs() < 1e-12);
    trip.measure(0.3);
    assert!((trip.deviation - (0.075 + 0.25 * 0.1)).abs() < 1e-12);
    assert!((trip.smoothed.expect("measured") - (0.175 + 0.0375)).abs() < 1e-12);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever is lost or late: nobody hears a message twice, everybody counted as acknowledged has heard it, and the same
    /// seed gives the same arrivals however time is cut into ticks.
    #[test]
    fn a_message_is_heard_once_and_luck_depends_on_the_seed_only(
        seed in 0_u64..1000, delay in 0.0_f64..0.4, jitter in 0.0_f64..0.4, loss in 0.0_f64..1.0, retries in 0_u32..5,
    ) {
        let link = Link { delay, jitter, loss, timeout: 0.1, retries };
        let (mut by_ticks, mut at_once) = (Network::new(seed), Network::new(seed));
        for slot in 0..20 {
            by_ticks.send(link, event(slot), 0.0);
            at_once.send(link, event(slot), 0.0);
        }
        let mut heard: Vec<u32> = run(&mut by_ticks).into_iter().map(|(slot, _)| slot).collect();
        let all: Vec<u32> = at_once.advance(1e6).0.iter().map(|arrival| arrival.event.to.slot).collect();
        prop_assert_eq!(&heard, &all);
        heard.sort_unstable();
        let twice = heard.windows(2).any(|pair| pair[0] == pair[1]);
        prop_assert!(!twice);
        for delivery in by_ticks.deliveries() {
            prop_assert!(delivery.status != Status::Acknowledged || heard.contains(&delivery.to.slot));
            prop_assert!(delivery.sends <= retries + 1);
        }
    }
}
