//! Projects and experiments for tests.

use std::path::{Path, PathBuf};

use swarmyard::experiment::{Experiment, OpenError, Options};

/// The repository itself is a project.
pub(crate) fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn open(scene: &str) -> Experiment {
    open_with(scene, Options::default())
}

pub(crate) fn open_with(scene: &str, options: Options) -> Experiment {
    try_open(&project().join(scene), options).unwrap_or_else(|error| panic!("{scene}: {error}"))
}

pub(crate) fn try_open(scene: &Path, options: Options) -> Result<Experiment, OpenError> {
    Experiment::open(scene, options)
}

pub(crate) fn run(experiment: &mut Experiment, ticks: u64) {
    for _ in 0..ticks {
        experiment.tick();
    }
}

/// Fails with every problem in words if there is an error among them.
pub(crate) fn expect_no_errors(experiment: &Experiment) {
    let errors: Vec<String> =
        experiment.problems().iter().filter(|problem| problem.is_error()).map(|problem| problem.to_text()).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// A project of one scene and a few scripts, opened; faults do not end the run.
pub(crate) fn small_project(scene: &str, scripts: &[(&str, &str)]) -> (tempfile::TempDir, Experiment) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in scripts.iter().chain(&[("scenes/it.ron", scene)]) {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    let options = Options { keep_going: true, ..Options::default() };
    let experiment = try_open(&folder.path().join("scenes/it.ron"), options);
    (folder, experiment.unwrap_or_else(|error| panic!("{error}")))
}
