//! Faults of programs that simulate and draw at once.

use std::time::Duration;

use super::helpers::open;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::{Agents, Speed};
use swarmyard::experiment::session::Session as _;
use swarmyard::experiment::{FrameCache, Runner};

/// What a tick leaves: its state hash, and where everybody is and looks, to the bit.
type Picture = Vec<[u64; 4]>;

fn picture(agents: &Agents) -> Picture {
    let places = agents.position.iter().zip(&agents.heading);
    places.map(|(p, heading)| [p.x.to_bits(), p.y.to_bits(), p.z.to_bits(), heading.to_bits()]).collect()
}

/// F09: the run depended on how often, and how evenly, it was drawn.
#[test]
fn f09_no_frame_rate_and_no_hitch_changes_a_tick() {
    const SCENE: &str = "scenes/02_boids.ron";
    const TICKS: u64 = 60;
    // The run without a window, tick by tick.
    let mut alone = open(SCENE);
    let mut wanted: Vec<Picture> = Vec::new();
    for _ in 0..=TICKS {
        let mut cache = FrameCache::default();
        wanted.push(picture(&alone.frame(&mut cache).agents));
        alone.tick();
    }
    for (rate, hitch, speed) in [(30.0, 0, 1.0), (60.0, 0, 1.0), (144.0, 0, 2.0), (60.0, 7, 1.0), (144.0, 20, 0.5)] {
        let runner = Runner::start(open(SCENE), true).expect("a thread");
        runner.send(Command::SetSpeed(Speed::Times(speed)));
        let (mut drawn, mut seen) = (0_u64, 0);
        loop {
            let frame = runner.frames().latest;
            if frame.serial > 0 && frame.tick <= TICKS {
                assert!(
                    picture(&frame.agents) == wanted[frame.tick as usize],
                    "tick {} at {rate} frames per second is another one",
                    frame.tick
                );
                seen = seen.max(frame.tick);
            }
            if frame.tick >= TICKS {
                break;
            }
            assert!(drawn < 60 * 144, "it stands still at tick {}", frame.tick);
            drawn += 1;
            // Now and then the window is busy for a fifth of a second, or asks for something that changes nothing.
            let stuck = hitch > 0 && drawn.is_multiple_of(hitch);
            if stuck {
                runner.send(Command::Pause);
                runner.send(Command::Play);
            }
            std::thread::sleep(Duration::from_secs_f64(if stuck { 0.2 } else { 1.0 / rate }));
        }
        assert!(seen > 10, "nothing was compared");
    }
}
