//! Checks files without running them: scenes, scripts, formations as data, manifests of plugins.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::scripts::Scripts;
use super::trying::try_scripts;
use crate::scene::problem::Problem;
use crate::scene::{FormationFile, PluginFile, Scene, SceneFile};
use crate::script::project::scan;
use crate::script::sources::Sources;

/// What `check` found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Checked {
    /// The files in the order asked for.
    pub files: Vec<CheckedFile>,
    /// Everything that is wrong with them.
    pub problems: Vec<Problem>,
}

impl Checked {
    /// Whether all files are all right.
    pub fn ok(&self) -> bool {
        self.files.iter().all(|file| file.ok)
    }
}

/// A file and whether it has no errors; warnings do not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedFile {
    /// The file as given.
    pub file: String,
    /// Whether it can be used.
    pub ok: bool,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Script,
    Scene,
    Formation,
    Manifest,
    Unknown,
}

/// Checks files of a project; without one, of the project that the first file lies in.
pub fn check(files: &[PathBuf], project: Option<&Path>) -> (Checked, PathBuf) {
    let project = project.map_or_else(|| project_of(files.first()), Path::to_path_buf);
    let (scripts, _) = Scripts::load(&project, false);
    let of_scripts = if files.iter().any(|file| kind(file) == FileKind::Script) { tried(&project) } else { Vec::new() };
    let mut checked = Checked::default();
    for path in files {
        let found = problems_of(path, &project, &scripts, &of_scripts);
        let ok = !found.iter().any(Problem::is_error);
        checked.files.push(CheckedFile { file: path.display().to_string(), ok });
        for problem in found {
            problem.add_to(&mut checked.problems);
        }
    }
    (checked, project)
}

/// Everything that is wrong with the scripts of a project, callbacks included.
fn tried(project: &Path) -> Vec<Problem> {
    let scan = scan(project);
    let mut problems = scan.problems;
    match try_scripts(&scan.sources) {
        Ok(found) => problems.extend(found),
        Err(error) => problems.push(Problem::error("script-host", error.to_string())),
    }
    problems
}

fn problems_of(path: &Path, project: &Path, scripts: &Scripts, of_project: &[Problem]) -> Vec<Problem> {
    let shown = super::shown_path(project, path);
    if !path.is_file() {
        let what = if path.exists() { "is not a file" } else { "does not exist" };
        return vec![Problem::error("unreadable", format!("{} {what}", path.display())).in_file(shown)];
    }
    match kind(path) {
        FileKind::Scene => match SceneFile::read(path, &shown) {
            Ok(loaded) => match Scene::build(&loaded, scripts.library()) {
                Ok(scene) => {
                    let mut tapes = super::tapes::Tapes::default();
                    let folder = path.parent().unwrap_or_else(|| Path::new(""));
                    match tapes.load(&scene.tapes, &loaded.source, folder, project) {
                        Ok(()) => scene.warnings.into_iter().chain(tapes.warnings).collect(),
                        Err(problems) => problems,
                    }
                }
                Err(problems) => problems,
            },
            Err(problems) => problems,
        },
        FileKind::Formation => formation_problems(path, &shown),
        FileKind::Manifest => PluginFile::read(path, &shown).err().unwrap_or_default(),
        FileKind::Script => script_problems(path, &shown, of_project),
        FileKind::Unknown => {
            let message =
                format!("{} is neither a scene or formation (.ron) nor a script (.luau, .lua)", path.display());
            vec![Problem::error("unknown-file", message).in_file(shown)]
        }
    }
}

/// Problems of one script: those of its project's load, or those of a load on its own if it lies elsewhere.
fn script_problems(path: &Path, shown: &str, of_project: &[Problem]) -> Vec<Problem> {
    if shown.starts_with("scripts/") || shown.starts_with("plugins/") {
        let of_file = |problem: &&Problem| problem.file.as_deref() == Some(shown);
        return of_project.iter().filter(of_file).cloned().collect();
    }
    let text = match std::fs::read(path).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => return vec![Problem::error("not-text", "the file is not UTF-8 text").in_file(shown)],
        Err(error) => {
            return vec![Problem::error("unreadable", format!("the file cannot be read: {error}")).in_file(shown)];
        }
    };
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("loose.luau");
    let inside = format!("scripts/{name}");
    match try_scripts(&Sources::from_texts([(inside.as_str(), text.as_str())])) {
        Ok(problems) => problems.into_iter().map(|problem| problem.in_file(shown)).collect(),
        Err(error) => vec![Problem::error("script-host", error.to_string()).in_file(shown)],
    }
}

fn formation_problems(path: &Path, shown: &str) -> Vec<Problem> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    FormationFile::read(path, shown).and_then(|file| file.to_data(stem)).err().unwrap_or_default()
}

/// What a file is, by its name, and for data by the word it begins with.
fn kind(path: &Path) -> FileKind {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension {
        "luau" | "lua" => FileKind::Script,
        "ron" if path.file_name().is_some_and(|name| name == "plugin.ron") => FileKind::Manifest,
        "ron" if is_formation(path) => FileKind::Formation,
        "ron" => FileKind::Scene,
        _ => FileKind::Unknown,
    }
}

fn is_formation(path: &Path) -> bool {
    path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "formations")
}

/// The folder above `scenes/`, `scripts/` or `plugins/` that a file lies in, else the working folder.
fn project_of(file: Option<&PathBuf>) -> PathBuf {
    let known = |folder: &Path| {
        folder.file_name().is_some_and(|name| name == "scenes" || name == "scripts" || name == "plugins")
    };
    let above = file.and_then(|file| file.ancestors().filter(|folder| known(folder)).last());
    match above.and_then(Path::parent) {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}
