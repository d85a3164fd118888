//! `swarmyard` and `swarmyard SCENE`: opens the window.

use std::path::{Path, PathBuf};

use super::{OpenWindow, Status, diagnostic, out};
use crate::experiment::{Experiment, Options, Runner};

/// Commands, for a hint when somebody mistypes one.
const VERBS: [&str; 7] = ["run", "check", "list", "slots", "tune", "new", "types"];

/// Opens the window on `scene`, or on the first scene of the working folder.
pub(super) fn open(scene: Option<PathBuf>, open_window: OpenWindow) -> Status {
    let Some(scene) = scene.or_else(|| first_scene(Path::new("scenes"))) else {
        out::stderr(
            "error: there is no scene in scenes/ of the working folder; name one: swarmyard SCENE, or write one: \
             swarmyard new scene NAME\n",
        );
        return Status::Failed;
    };
    if !scene.exists() {
        out::stderr(&missing(&scene));
        return if looks_like_verb(&scene) { Status::Usage } else { Status::Failed };
    }
    match open_window(&|| start(&scene)) {
        Ok(()) => Status::Done,
        Err(message) => {
            out::stderr(&message);
            Status::Failed
        }
    }
}

/// Opens the scene and lets it play on its own thread; the error has been printed.
fn start(scene: &Path) -> Result<Runner, String> {
    let options = Options { live: true, watch: true, keep_going: true, ..Options::default() };
    let experiment = Experiment::open(scene, options).map_err(|error| {
        diagnostic::print(error.problems(), Path::new("."));
        format!("error: {} cannot be opened\n", scene.display())
    })?;
    Runner::start(experiment, true).map_err(|error| format!("error: the system gives no thread: {error}\n"))
}

fn looks_like_verb(scene: &Path) -> bool {
    scene.extension().is_none() && scene.components().count() == 1
}

fn missing(scene: &Path) -> String {
    let text = scene.display().to_string();
    let verb = VERBS.into_iter().find(|verb| looks_like_verb(scene) && strsim::osa_distance(verb, &text) <= 2);
    match verb {
        Some(verb) => format!("error: there is no command and no scene `{text}`; did you mean `{verb}`?\n"),
        None => format!("error: there is no scene file {text}; the commands are {}\n", VERBS.join(", ")),
    }
}

/// The first scene by name.
fn first_scene(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let scenes = entries.filter_map(Result::ok).map(|entry| entry.path());
    scenes.filter(|path| path.extension().is_some_and(|extension| extension == "ron")).min()
}
