//! Faults of crowd programs that show in a running experiment, by the rows of the table in `tests/navigate/faults.rs`.

use std::time::Duration;

use super::helpers::open;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::Speed;
use swarmyard::experiment::session::Session as _;
use swarmyard::experiment::{FrameCache, Runner};

/// recast-navigation-js#392: out of focus a window came back with a step of two seconds, and agents jumped.
#[test]
fn row_36_a_hitch_of_the_window_makes_no_longer_step() {
    const SCENE: &str = "scenes/48_corridor_lanes.ron";
    let mut alone = open(SCENE);
    let mut wanted = Vec::new();
    for _ in 0..=200 {
        let mut cache = FrameCache::default();
        wanted.push(alone.frame(&mut cache).agents.position.clone());
        alone.tick();
    }
    let runner = Runner::start(open(SCENE), true).expect("a thread");
    runner.send(Command::SetSpeed(Speed::Times(1.0)));
    let mut compared = 0;
    for pause in [0.05, 2.0, 0.05, 0.05, 0.05] {
        std::thread::sleep(Duration::from_secs_f64(pause));
        let frame = runner.frames().latest;
        // Before the first frame there is an empty one.
        if let Some(wanted) = wanted.get(frame.tick as usize).filter(|_| !frame.agents.position.is_empty()) {
            assert_eq!(&frame.agents.position, wanted, "tick {}", frame.tick);
            compared += 1;
        }
    }
    assert!(compared >= 2, "nothing was compared");
}
