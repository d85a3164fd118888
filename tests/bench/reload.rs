//! Benchmark of reloads: save until the places move, pause of the tick with 5,000 agents, memory over 1,000 reloads.
//!
//! `cargo bench --bench reload`. It prints and never asserts. The last saved file is watched as in the window.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]
#![expect(clippy::disallowed_methods, reason = "latency to a person is wall time")]

#[path = "../common/copy.rs"]
mod copy;

use std::path::Path;
use std::time::{Duration, Instant};

use copy::copy_folder;
use swarmyard::experiment::{Experiment, Options};

fn highest_place(experiment: &Experiment) -> f64 {
    let world = experiment.world();
    let places = world.groups[0].members.iter().filter_map(|slot| world.agents.place[*slot as usize]);
    places.map(|place| place.position.y).fold(f64::NEG_INFINITY, f64::max)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Resident memory, MB; 0 where the system does not tell.
fn memory_mb() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or(0.0) * 4096.0 / 1e6
}

fn main() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    for part in ["scripts", "scenes"] {
        copy_folder(&home.join(part), &folder.path().join(part));
    }
    latency(folder.path());
    pause(folder.path());
    growth(folder.path());
}

/// Saves the S-wave with another amplitude and plays at real speed until the places have moved.
fn latency(project: &Path) {
    let options = Options { watch: true, keep_going: true, ..Options::default() };
    let mut experiment = Experiment::open(&project.join("scenes/01_drill.ron"), options).expect("the drill opens");
    while experiment.time() < 9.0 {
        experiment.tick();
    }
    let file = project.join("scripts/formations/s_wave_lua.luau");
    let text = std::fs::read_to_string(&file).expect("the script");
    let mut times = Vec::new();
    for round in 0..20 {
        let amplitude = if round % 2 == 0 { "3.0" } else { "2.0" };
        let changed = text.replacen("amplitude = { 2.0", &format!("amplitude = {{ {amplitude}"), 1);
        let before = highest_place(&experiment);
        std::fs::write(&file, changed).expect("saved");
        let start = Instant::now();
        while highest_place(&experiment) == before && start.elapsed() < Duration::from_secs(5) {
            experiment.poll_scripts();
            std::thread::sleep(Duration::from_millis(2));
        }
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    println!("save → places move: median of 20 {:.0} ms (aim 250)", median(times));
    std::fs::write(&file, text).expect("saved");
}

/// How long a takeover holds the tick, with 5,000 scripted agents.
fn pause(project: &Path) {
    let scene = "Scene(format: 1, title: \"Many\", groups: [Group(name: \"many\", count: 5000, \
                 spawn: Grid(columns: 100, spacing: 2), behavior: \"patrol\", route: [(0, 0), (50, 50)])])";
    let path = project.join("scenes/many.ron");
    std::fs::write(&path, scene).expect("written");
    let options = Options { watch: true, keep_going: true, ..Options::default() };
    let mut experiment = Experiment::open(&path, options).expect("the scene opens");
    experiment.tick();
    let file = project.join("scripts/behaviors/patrol.luau");
    let text = std::fs::read_to_string(&file).expect("the script");
    let mut worst = Vec::new();
    for round in 0..5 {
        std::fs::write(&file, format!("{text}\n-- {round}\n")).expect("saved");
        let start = Instant::now();
        let mut longest = Duration::ZERO;
        while start.elapsed() < Duration::from_millis(800) {
            let poll = Instant::now();
            experiment.poll_scripts();
            longest = longest.max(poll.elapsed());
            std::thread::sleep(Duration::from_millis(2));
        }
        worst.push(longest.as_secs_f64() * 1e3);
    }
    println!("takeover with 5,000 agents: median of 5 {:.1} ms (aim 50)", median(worst));
    std::fs::write(&file, text).expect("saved");
}

/// Memory over 1,000 reloads of a changed script.
fn growth(project: &Path) {
    let options = Options { keep_going: true, ..Options::default() };
    let mut experiment = Experiment::open(&project.join("scenes/01_drill.ron"), options).expect("the drill opens");
    let file = project.join("scripts/machines/soldier.luau");
    let text = std::fs::read_to_string(&file).expect("the script");
    let mut first = 0.0;
    for round in 0..1000 {
        std::fs::write(&file, format!("{text}\n-- {round}\n")).expect("saved");
        experiment.reload_scripts();
        experiment.tick();
        if round == 99 {
            first = memory_mb();
        }
    }
    println!("memory after 100 reloads {first:.1} MB, after 1,000 {:.1} MB", memory_mb());
}
