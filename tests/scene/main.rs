//! Scene files: what is read, what is refused and how, what is written back.

mod build;
mod crowd_faults;
mod examples;
mod fixtures;
mod flow;
mod hostile;
mod measuring;
mod patch;
mod reader;
mod round_trip;

use swarmyard::scene::{NameList, Noun, Problem, Scene, SceneFile};

/// The names that fixtures may use.
fn catalogue() -> NameList {
    NameList::default()
        .with(Noun::Behavior, "soldier", &["k1", "align", "stable", "aligning.track_slot.k1"])
        .with(Noun::Behavior, "patrol", &["speed"])
        .with_broken(Noun::Behavior, "broken")
        .with(Noun::Formation, "line", &["spacing"])
        .with(Noun::Formation, "s_wave_lua", &["amplitude", "wavelength", "spacing"])
        .with(Noun::Formation, "spiral_lua", &["initial_radius", "growth_rate", "spacing"])
        .with(Noun::Metric, "slot_error", &[])
        .with(Noun::Metric, "spacing_error_max", &[])
        .with(Noun::Director, "rush", &["period", "size"])
}

/// Reads and builds.
fn load(file: &str, text: &str) -> Result<Scene, Vec<Problem>> {
    Scene::build(&SceneFile::from_text(file, text)?, &catalogue())
}

/// The problems as text, one per line.
fn problems_of(text: &str) -> String {
    let problems = load("t.ron", text).err().unwrap_or_default();
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
