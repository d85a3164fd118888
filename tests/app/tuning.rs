//! The tuning panel: what it orders, what it shows, what "Use" sets.

use std::sync::{Arc, OnceLock};

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use swarmyard::experiment::command::{Command, TuneOrder};
use swarmyard::experiment::frame::{AgentKey, ParamValue, Progress, TuningView};
use swarmyard::experiment::tuning::{Method, Outcome, Plant, Relay, Stop, tune_watched};
use swarmyard::sim::BodySpec;

use super::fake::Fake;
use super::{Window, click, drill};

fn panel() -> (Arc<Fake>, Window) {
    let (session, mut window) = drill();
    click(&mut window, "Tuning");
    (session, window)
}

/// What tuning finds on the body of the drill, once for all tests.
fn found() -> Arc<TuningView> {
    static FOUND: OnceLock<Arc<TuningView>> = OnceLock::new();
    let view = FOUND.get_or_init(|| {
        let (max_speed, lag, dead_time) = (2.4, 0.2, 0.12);
        let body = BodySpec { max_speed, max_acceleration: 6.0, lag, dead_time, ..BodySpec::default() };
        let plant = Plant { body, tick_hz: 60.0, noise: 0.0, seed: 1 };
        let method = Method::of(&plant);
        let outcome = tune_watched((&plant, "drill".to_owned(), 1.0), method, &Stop::default(), &|_| {});
        let outcome = outcome.expect("nobody stops it");
        Arc::new(TuningView { group: "drill".to_owned(), agent: AgentKey::new(0, 0), method, outcome })
    });
    Arc::clone(view)
}

#[test]
fn the_experiment_is_ordered_for_a_group_or_for_the_picked_agent() {
    let (session, mut window) = panel();
    window.get_by_label_contains("The run is not touched");
    click(&mut window, "Run the relay experiment");
    let order = TuneOrder { group: "drill".to_owned(), ..TuneOrder::default() };
    assert_eq!(session.sent(), [Command::Tune(order.clone())]);

    let fourth = super::screen_of_agent(&window, 3);
    super::press_at(&mut window, fourth, eframe::egui::Modifiers::NONE);
    window.get_by_label("agent 4 of drill");
    let output = window.get_all_by_label("relay output").find(|node| node.accesskit_node().numeric_value().is_some());
    output.expect("the field carries the name of its number").set_value_accesskit(0.5);
    window.run_steps(3);
    click(&mut window, "Run the relay experiment");
    let order = TuneOrder { agent: Some(AgentKey::new(3, 0)), output: Some(0.5), ..order };
    assert!(session.sent().contains(&Command::Tune(order)), "{:?}", session.sent());
}

#[test]
fn work_under_way_is_shown_and_cancelled() {
    let (session, mut window) = panel();
    session.change(|frame| {
        frame.progress = Some(Progress { what: "tuning drill".to_owned(), done: Some(0.4), cancellable: true });
    });
    window.run_steps(2);
    // The bar above has a sign to cancel with, the panel a button.
    let last = window.get_all_by_label("Cancel").last().expect("there is a button");
    last.click();
    window.run_steps(3);
    assert_eq!(session.sent(), [Command::CancelWork]);
}

#[test]
fn what_was_found_is_a_table_and_use_sets_the_gains_where_they_are() {
    let (session, mut window) = panel();
    session.change(|frame| frame.tuning = Some(found()));
    window.run_steps(3);
    window.get_by_label("Plot of the relay run");
    for rule in ["P", "Pessen", "Tyreus-Luyben PID", "search PD: settle time"] {
        window.get_by_label(rule);
    }
    window.get_by_label("Step response of search PD: settle time");
    window.get_by_label("PI").scroll_to_me();
    window.run_steps(3);
    click(&mut window, "PI");
    window.get_by_label("Step response of PI");

    window.get_by_label("Use search PD: settle time").scroll_to_me();
    window.run_steps(3);
    click(&mut window, "Use search PD: settle time");
    let Some(Command::SetParams { values, .. }) = session.sent().pop() else { panic!("{:?}", session.sent()) };
    let number = |value: &ParamValue| if let ParamValue::Number(number) = value { *number } else { f64::NAN };
    let set: Vec<(&str, f64)> = values.iter().map(|(address, value)| (address.as_str(), number(value))).collect();
    let addresses: Vec<&str> = set.iter().map(|set| set.0).collect();
    assert_eq!(addresses, ["drill.k1", "drill.track_slot.kd", "drill.track_slot.k3"]);
    let search = &found().outcome.found.as_ref().expect("it swings").search.clone();
    assert!((set[0].1 - search.kp).abs() < 1e-3 * search.kp && set[2].1 == 0.0, "{set:?}");

    // The integral of PI is more than the parameter takes: its button says so and does nothing.
    window.get_by_label("Use PI").scroll_to_me();
    window.run_steps(3);
    let before = session.sent().len();
    click(&mut window, "Use PI");
    assert_eq!(session.sent().len(), before);
}

#[test]
fn an_experiment_without_an_answer_says_why_and_shows_its_run() {
    let (session, mut window) = panel();
    let plant = Plant {
        body: BodySpec { dead_time: 0.1, lag: 0.1, ..BodySpec::default() },
        tick_hz: 60.0,
        noise: 0.0,
        seed: 1,
    };
    let relay = Relay { output: 0.2, bias: 0.1, ..Relay::default() };
    let method = Method { relay, ..Method::default() };
    let outcome: Outcome =
        tune_watched((&plant, "drill".to_owned(), 1.0), method, &Stop::default(), &|_| {}).expect("nobody stops it");
    assert!(outcome.found.is_err() && !outcome.trace.is_empty());
    let view = TuningView { group: "drill".to_owned(), agent: AgentKey::new(0, 0), method, outcome };
    session.change(|frame| frame.tuning = Some(Arc::new(view)));
    window.run_steps(3);
    window.get_by_label_contains("bias the relay");
    window.get_by_label("Plot of the relay run");
}

#[test]
fn a_runner_tunes_beside_the_run() {
    use swarmyard::experiment::session::Session as _;
    use swarmyard::experiment::{Experiment, Options, Runner};
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let experiment =
        Experiment::open(&root.join("scenes/01_drill.ron"), Options::default()).expect("the scene is good");
    let runner = Runner::start(experiment, false).expect("there are threads");
    let order = TuneOrder { group: "drill".to_owned(), ..TuneOrder::default() };
    runner.send(Command::Tune(TuneOrder { group: "nobody".to_owned(), ..order.clone() }));
    for _ in 0..3 {
        // Each supersedes the one before.
        runner.send(Command::Tune(order.clone()));
    }
    let waits = (0..1200).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        runner.frames().latest.tuning.clone()
    });
    let view = waits.expect("it ends within a minute");
    assert_eq!((view.group.as_str(), view.agent), ("drill", AgentKey::new(0, 0)));
    assert!(view.outcome.found.is_ok());
    let frame = runner.frames().latest;
    assert!(frame.tick == 0 && frame.progress.is_none());
    assert!(frame.events.iter().any(|line| line.text.contains("`nobody` has no agent")));
}

#[test]
fn an_estimate_that_noise_made_is_doubted() {
    let (session, mut window) = panel();
    let (max_speed, lag, dead_time) = (2.4, 0.2, 0.12);
    let body = BodySpec { max_speed, max_acceleration: 6.0, lag, dead_time, ..BodySpec::default() };
    let plant = Plant { body, tick_hz: 60.0, noise: 0.05, seed: 7 };
    assert!((Method::of(&plant).relay.hysteresis - 0.15).abs() < 1e-12, "three times the noise");
    let method = Method { relay: Relay { hysteresis: 0.001, ..Method::of(&plant).relay }, ..Method::of(&plant) };
    let outcome = tune_watched((&plant, "drill".to_owned(), 1.0), method, &Stop::default(), &|_| {});
    let outcome = outcome.expect("nobody stops it");
    assert!(outcome.found.as_ref().is_ok_and(|tuned| tuned.ku > 20.0), "the noise alone switches it");
    let view = TuningView { group: "drill".to_owned(), agent: AgentKey::new(0, 0), method, outcome };
    session.change(|frame| frame.tuning = Some(Arc::new(view)));
    window.run_steps(3);
    window.get_by_label_contains("raise the hysteresis");
}
