//! Benchmark of scripted groups against their native twin, one thread, CPU time: `cargo bench --bench script`.
//!
//! Every line runs the same wrapped flock at twelve neighbors within reach. It prints and never asserts. A word behind it
//! picks the lines that have it in their title: `cargo bench --bench script -- loop`.
#![allow(clippy::print_stdout, reason = "a benchmark prints its numbers")]

mod clock;
#[expect(dead_code, reason = "shared with the native benchmark, which also measures obstacles")]
mod yard;

use std::sync::Arc;

use clock::least_secs;
use swarmyard::script::host::{Host, HostOptions};
use swarmyard::script::library::Natives;
use swarmyard::script::runtime::mind::{Outbox, ScriptMind};
use swarmyard::script::sources::Sources;
use swarmyard::sim::tick::TickScratch;
use swarmyard::sim::{TickReport, Workers, tick};

/// Names, what they show, and their text.
const SCRIPTS: [(&str, &str, &str); 6] = [
    (
        "native blend",
        "twin",
        "return yard.behavior { forces = { separation = { weight = 1.6, radius = 2 }, alignment = { weight = 0.9, radius = 2 }, cohesion = { weight = 0.7, radius = 2 } } }",
    ),
    (
        "blend, empty step",
        "empty",
        "return yard.behavior { step = function(agent, p) end, forces = { separation = { weight = 1.6, radius = 2 }, alignment = { weight = 0.9, radius = 2 }, cohesion = { weight = 0.7, radius = 2 } } }",
    ),
    ("empty step alone", "bare", "return yard.behavior { step = function(agent, p) end }"),
    (
        "step with vector senses",
        "senses",
        "return yard.behavior { params = { k = 1, d = 0.5 }, step = function(agent, p)
           return p.k * (agent.slot - agent.position) + agent.slot_velocity - p.d * agent.velocity + agent.forward
         end }",
    ),
    (
        "three states, two guards",
        "states",
        "return yard.machine { params = { fast = 9 }, memory = { n = 0 }, initial = 'a',
           step = function(agent, p) return -agent.velocity end,
           states = { a = {}, b = {}, c = {} },
           transitions = {
             { from = 'a', to = 'b', when = function(agent, p) return agent.speed > p.fast end },
             { from = 'a', to = 'c', when = function(agent, p) return agent.memory.n > 3 end },
             { from = { 'b', 'c' }, to = 'a', after = 1 } } }",
    ),
    (
        "loop over 12 neighbors",
        "loop",
        "return yard.behavior { params = { radius = 2 }, step = function(agent, p)
           local push, mean, center, n = vector.zero, vector.zero, vector.zero, 0
           for _, other in agent:neighbors(p.radius) do
             push -= other.direction * (p.radius - other.distance)
             mean += other.velocity
             center += other.offset
             n += 1
           end
           if n == 0 then return push end
           return 1.6 * push + 0.9 * (mean / n - agent.velocity) + 0.7 * center / n
         end }",
    ),
];

fn main() {
    println!("a flock at 12 neighbors; ns of CPU per agent and tick (search included), 1 thread, least of 25 batches");
    println!("{:>26} {:>10} {:>8} {:>10} {:>8}", "", "1,000", "", "10,000", "");
    let mut twins = [f64::NAN; 2];
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    for (title, name, text) in SCRIPTS.into_iter().filter(|(title, ..)| title.contains(&wanted)) {
        let mut cells = String::new();
        for (column, count) in [1_000, 10_000].into_iter().enumerate() {
            let nanos = measure(name, text, count);
            if name == "twin" {
                twins[column] = nanos;
            }
            let cell = format!(" {nanos:>10.0} {:>7.2}×", nanos / twins[column]);
            cells.push_str(&cell);
        }
        println!("{title:>26}{cells}");
    }
}

fn measure(name: &str, text: &str, count: usize) -> f64 {
    let path = format!("scripts/behaviors/{name}.luau");
    let sources = Sources::from_texts([(path.as_str(), text)]);
    let options = HostOptions { natives: Natives::built_in(), native_code: true, dry_run: None };
    let host = Host::open_texts(sources, options).expect("a worker starts");
    let program = Arc::clone(host.library().program(name).expect("the script is sound"));
    let values = program.defaults();
    let mut world = Arc::new(yard::flock(count, true));
    let outbox = Outbox::default();
    let mind = ScriptMind::new(host.door(), outbox.clone(), 0, "flock", program, values).expect("the machine takes it");
    let mut minds = vec![Box::new(mind)];
    let workers = Workers::new(1);
    let (mut scratch, mut report) = (TickScratch::default(), TickReport::default());
    let mut run = || tick(&mut world, &mut minds, &workers, &mut scratch, &mut report, &mut ());
    for _ in 0..60 {
        run();
    }
    let secs = least_secs(run);
    assert_eq!(outbox.take().faults, 0, "{name} runs");
    secs * 1e9 / count as f64
}
