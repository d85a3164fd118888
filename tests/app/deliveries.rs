//! The delivery log: orders, messages, links, and a click that picks.

use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;
use swarmyard::comms::Status;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::{AgentKey, DeliveryView, LinkView, NetworkView, OrderCounts, OrderView};

use super::fake::Fake;
use super::{Window, click, drill};

fn panel() -> (Arc<Fake>, Window) {
    let (session, mut window) = drill();
    session.change(|frame| frame.groups[0].network = Some(NetworkView::default()));
    click(&mut window, "Deliveries");
    (session, window)
}

fn order(number: u64, name: &str, sent_at: f64, statuses: &[Status]) -> OrderView {
    let mut counts = OrderCounts::default();
    for status in statuses {
        counts.add(*status);
    }
    let row = |(i, &status): (usize, &Status)| DeliveryView {
        to: AgentKey::new(i as u32, 0),
        sends: 1 + i as u32,
        delivered_after: (status == Status::Delivered || status == Status::Acknowledged).then_some(0.083),
        acknowledged_after: (status == Status::Acknowledged).then_some(0.166),
        status,
    };
    let rows = statuses.iter().enumerate().map(row).collect();
    let arrived = statuses.iter().filter(|status| **status != Status::Sent).count();
    OrderView { number, group: Some(0), name: name.to_owned(), sent_at, counts, arrived, rows }
}

#[test]
fn a_network_without_messages_says_so() {
    let (_session, window) = panel();
    window.get_by_label_contains("No messages yet");
}

#[test]
fn orders_unfold_to_messages_and_a_click_picks_their_agent() {
    let (session, mut window) = panel();
    let statuses = [Status::Acknowledged, Status::Delivered, Status::Sent, Status::Failed];
    session.change(|frame| {
        frame.deliveries = Arc::new([order(20, "halt", 16.0, &statuses), order(0, "form_up", 0.0, &statuses[..1])]);
    });
    window.run_steps(3);
    // The sender gave up on one that may well have it.
    window.get_by_label("3 of 4");
    window.get_by_label("1 of 1");
    assert!(window.query_by_label("× given up").is_none(), "folded at first");
    click(&mut window, "halt at 16.00 s");
    window.run_steps(20);
    for word in ["● acknowledged", "• delivered", "→ under way", "× given up"] {
        window.get_by_label(word);
    }
    window.get_by_label("Pick agent 3").scroll_to_me();
    window.run_steps(3);
    click(&mut window, "Pick agent 3");
    assert_eq!(window.state().state().picked, [AgentKey::new(2, 0)]);
    assert!(session.sent().contains(&Command::Inspect(Some(AgentKey::new(2, 0)))));
}

#[test]
fn who_is_offline_is_named_in_the_links() {
    let (session, mut window) = panel();
    let link = |slot: u32, offline: bool| LinkView {
        agent: AgentKey::new(slot, 0),
        one_way: Some(0.083),
        round_trip: (!offline).then_some(0.166),
        wait: 0.2,
        offline,
        ..LinkView::default()
    };
    session.change(|frame| frame.links = Arc::new([link(0, false), link(1, true), link(90, false)]));
    window.run_steps(3);
    let links = window.get_by_label("Links · ▲ 1 offline");
    links.scroll_to_me();
    window.run_steps(3);
    click(&mut window, "Links · ▲ 1 offline");
    window.run_steps(20);
    window.get_by_label("▲ offline");
    window.get_by_label("Pick agent 91");
}
