//! Runs the program and looks at what it says.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// What a call of the program gave.
pub(crate) struct Answer {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Answer {
    /// The JSON on stdout, which holds nothing else.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("stdout is not one JSON value ({error}):\n{}\n{}", self.stdout, self.stderr))
    }

    /// Insists on a status.
    #[track_caller]
    pub(crate) fn with(self, status: i32) -> Self {
        assert_eq!(self.status, status, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Insists on a text on stderr.
    #[track_caller]
    pub(crate) fn saying(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "stderr lacks {text:?}:\n{}", self.stderr);
        self
    }
}

/// The folder of the package, which is a project.
pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Calls the program in the folder of the package.
pub(crate) fn call(arguments: &[&str]) -> Answer {
    call_in(package(), arguments)
}

/// Calls the program in a folder.
pub(crate) fn call_in(folder: &Path, arguments: &[&str]) -> Answer {
    let output = command(folder, arguments).output().expect("the program starts");
    answer(&output)
}

/// The program, ready to be started.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_swarmyard"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    for display in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(display);
    }
    command
}

/// What a finished call gave.
pub(crate) fn answer(output: &Output) -> Answer {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!stderr.contains("panicked at"), "a panic:\n{stderr}");
    Answer {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr,
    }
}

/// A project in a folder of its own, gone when dropped.
pub(crate) struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder for the test") }
    }

    /// Writes a file and gives the project back.
    pub(crate) fn with(self, file: &str, text: &str) -> Self {
        self.write(file, text);
        self
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, file: &str) -> PathBuf {
        self.path().join(file)
    }

    pub(crate) fn call(&self, arguments: &[&str]) -> Answer {
        call_in(self.path(), arguments)
    }
}

/// A scene of five agents with a behavior.
pub(crate) fn scene(behavior: &str) -> String {
    format!(
        "Scene(format: 1, title: \"try\", seed: 3, duration: 2.0, area: (min: (-20, -20), max: (20, 20)),\n\
         groups: [Group(name: \"crowd\", count: 5, spawn: Grid(at: (0, 0), columns: 5, spacing: 1.5),\n\
         body: (radius: 0.2, max_speed: 2.0, max_acceleration: 6.0), behavior: \"{behavior}\",\n\
         route: [(3, 0), (0, 3)], goal: (9, 9), formation: (name: \"line\"))])\n"
    )
}
