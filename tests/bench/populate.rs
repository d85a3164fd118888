//! Benchmark of numbers of agents that are changed live: `cargo bench --bench populate`. Wall time of one command, one thread.
//!
//! It prints and never asserts: a slow machine is no fault of the program.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]
#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock")]

use std::path::PathBuf;
use std::time::Instant;

use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::ParamValue;
use swarmyard::experiment::{Experiment, Options};

fn main() {
    println!("scenes/38_ten_thousand.ron with another number of agents; ms of one command, least of 5");
    println!("{:>8} {:>8} {:>9}", "from", "to", "ms");
    for (from, to) in
        [(10_000, 13_000), (10_000, 50_000), (10_000, 110_000), (110_000, 10_000), (100, 3_000), (3_000, 100)]
    {
        let least = (0..5).map(|_| change(from, to)).fold(f64::INFINITY, f64::min);
        println!("{from:>8} {to:>8} {least:>9.2}");
    }
}

fn change(from: u32, to: u32) -> f64 {
    let scene = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes/38_ten_thousand.ron");
    let mut experiment = Experiment::open(&scene, Options::default()).expect("the scene is sound");
    let set = |experiment: &mut Experiment, count: u32| {
        let value = ParamValue::Number(f64::from(count));
        experiment.apply(&Command::SetParam { address: "boids.count".to_owned(), value });
    };
    set(&mut experiment, from);
    let since = Instant::now();
    set(&mut experiment, to);
    let secs = since.elapsed().as_secs_f64();
    assert_eq!(experiment.world().groups[0].members.len(), to as usize, "there is room for all");
    secs * 1e3
}
