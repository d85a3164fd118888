//! A project on disk: finds `scripts/**` and `plugins/*/**`, reads the texts, and never leaves the folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::sources::{Root, Source, Sources, is_data_name, is_script_name};
use crate::scene::manifest::API_LEVEL;
use crate::scene::{PluginFile, Problem};

/// A script larger than this is refused, in bytes: nobody writes one, and reading it would stall the load.
const LARGEST: u64 = 1 << 20;

/// Folders nested deeper than this are not looked into.
const DEEPEST: usize = 12;

/// What a manifest says, without its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The plugin's name, which is its folder's too and its name space.
    pub name: String,
    /// Its version, for people.
    pub version: String,
    /// One line for lists.
    pub about: String,
}

/// A plugin that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// What its manifest says.
    pub manifest: Manifest,
    /// Folder relative to the project.
    pub folder: String,
    /// Its scenes, relative to the project.
    pub scenes: Vec<String>,
}

/// What a look at the disk found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// Texts of all scripts.
    pub sources: Sources,
    /// Plugins with a good manifest, in name order.
    pub plugins: Vec<Plugin>,
    /// Hash of every `.ron` below `scenes`, `scripts` and `plugins`, by path: scenes and formations as data.
    pub data: BTreeMap<String, u64>,
    /// Files that could not be read, manifests that are wrong, links that lead out.
    pub problems: Vec<Problem>,
}

/// Looks at a project. A missing folder is an empty one.
pub fn scan(project: &Path) -> Scan {
    let mut scan = Scan::default();
    let Ok(root) = project.canonicalize() else {
        let message = format!("the project folder {} cannot be opened", project.display());
        scan.problems.push(Problem::error("missing-folder", message));
        return scan;
    };
    scan.sources.roots.push(Root { folder: "scripts".to_owned(), plugin: String::new() });
    let mut walk = Walk { project: root.clone(), scan };
    walk.folder(&root.join("scripts"), "scripts", 0);
    walk.folder(&root.join("scenes"), "scenes", 0);
    for name in walk.names(&root.join("plugins"), "plugins") {
        walk.plugin(&root.join("plugins").join(&name), &name);
    }
    walk.scan
}

struct Walk {
    project: PathBuf,
    scan: Scan,
}

impl Walk {
    /// Entry names of a folder, in order; empty when there is none.
    fn names(&mut self, folder: &Path, relative: &str) -> Vec<String> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.problem("unreadable", relative, format!("the folder cannot be read: {error}"));
                return Vec::new();
            }
        };
        let mut names: Vec<String> =
            entries.filter_map(Result::ok).filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn problem(&mut self, code: &str, file: &str, message: String) {
        self.scan.problems.push(Problem::error(code, message).in_file(file));
    }

    fn folder(&mut self, folder: &Path, relative: &str, depth: usize) {
        if depth > DEEPEST {
            self.problem(
                "too-deep",
                relative,
                format!("folders are nested more than {DEEPEST} deep; this one is not looked into"),
            );
            return;
        }
        for name in self.names(folder, relative) {
            let path = folder.join(&name);
            let relative = format!("{relative}/{name}");
            if name.starts_with('.') || !self.stays_inside(&path, &relative) {
                continue;
            }
            if path.is_dir() {
                self.folder(&path, &relative, depth + 1);
            } else if is_script_name(&name) {
                self.script(&path, &relative);
            } else if is_data_name(&name) {
                self.data(&path, &relative);
            }
        }
    }

    /// A link may point anywhere inside the project, and nowhere else.
    fn stays_inside(&mut self, path: &Path, relative: &str) -> bool {
        let Ok(meta) = fs::symlink_metadata(path) else { return false };
        if !meta.file_type().is_symlink() {
            return true;
        }
        match path.canonicalize() {
            Ok(target) if target.starts_with(&self.project) => true,
            Ok(_) => {
                self.problem("link-out", relative, "the link leads out of the project and is not followed".to_owned());
                false
            }
            Err(_) => false,
        }
    }

    fn script(&mut self, path: &Path, relative: &str) {
        let size = fs::metadata(path).map_or(0, |meta| meta.len());
        if size > LARGEST {
            self.problem("too-large", relative, format!("a script may have {LARGEST} bytes, this one has {size}"));
            return;
        }
        match fs::read(path).map(String::from_utf8) {
            Ok(Ok(text)) => {
                let text = text.strip_prefix('\u{feff}').map_or_else(|| text.clone(), str::to_owned);
                self.scan.sources.files.insert(relative.to_owned(), Source::new(text));
            }
            Ok(Err(error)) => {
                let at = error.utf8_error().valid_up_to();
                self.problem("not-text", relative, format!("the file is not UTF-8 text (byte {at}); save it as UTF-8"));
            }
            // A file that an editor has just renamed away comes back in a moment.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => self.problem("unreadable", relative, format!("the file cannot be read: {error}")),
        }
    }

    fn data(&mut self, path: &Path, relative: &str) {
        if let Ok(bytes) = fs::read(path) {
            self.scan.data.insert(relative.to_owned(), xxhash_rust::xxh3::xxh3_64(&bytes));
        }
    }

    fn plugin(&mut self, folder: &Path, name: &str) {
        let relative = format!("plugins/{name}");
        if name.starts_with('.') || !folder.is_dir() || !self.stays_inside(folder, &relative) {
            return;
        }
        let file = format!("{relative}/plugin.ron");
        let path = folder.join("plugin.ron");
        if !path.is_file() {
            let hint = format!("write Plugin(name: \"{name}\", version: \"0.1.0\", api: {API_LEVEL})");
            let problem = Problem::error("no-manifest", "the plugin has no plugin.ron").in_file(file).hint(hint);
            self.scan.problems.push(problem);
            return;
        }
        let manifest = match PluginFile::read(&path, &file) {
            Ok(file) => Manifest { name: file.name.value, version: file.version, about: file.about },
            Err(problems) => {
                self.scan.problems.extend(problems);
                return;
            }
        };
        self.scan.sources.roots.push(Root { folder: relative.clone(), plugin: name.to_owned() });
        self.folder(folder, &relative, 0);
        let scenes = format!("{relative}/scenes/");
        let scenes = self.scan.data.keys().filter(|path| path.starts_with(&scenes)).cloned().collect();
        self.scan.plugins.push(Plugin { manifest, folder: relative, scenes });
    }
}
