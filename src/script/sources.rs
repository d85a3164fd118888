//! Texts of a project's scripts at one moment. Loading reads nothing else, so a load is a function of this.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The text of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What stands in it.
    pub text: Arc<str>,
    /// xxh3-64 of the bytes: equal text, equal hash.
    pub hash: u64,
}

impl Source {
    /// A source with its hash.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        Self { text, hash }
    }
}

/// A folder of scripts with one name space: the project's `scripts/`, or one plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Root {
    /// Folder relative to the project, `scripts` or `plugins/NAME`.
    pub folder: String,
    /// The plugin's name, empty for the project's own scripts.
    pub plugin: String,
}

/// All texts, by path relative to the project with `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Name spaces, the project's own first, plugins in name order.
    pub roots: Vec<Root>,
    /// Files.
    pub files: BTreeMap<String, Source>,
}

impl Sources {
    /// Texts given by hand, all below `scripts/`: for tests and the script console.
    pub fn from_texts<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files = texts.into_iter().map(|(path, text)| (path.to_owned(), Source::new(text))).collect();
        Self { roots: vec![Root { folder: "scripts".to_owned(), plugin: String::new() }], files }
    }

    /// The root a file belongs to.
    pub fn root_of(&self, path: &str) -> Option<&Root> {
        self.roots.iter().filter(|root| is_below(path, &root.folder)).max_by_key(|root| root.folder.len())
    }

    /// Files that are definitions: all but those below a folder `lib`.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.files.iter().filter(|(path, _)| !is_module(path)).map(|(path, source)| (path.as_str(), source))
    }

    /// The name of the definition in a file: its stem, in a plugin `plugin/stem`.
    pub fn name_of(&self, path: &str) -> String {
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.strip_suffix(".luau").or_else(|| file.strip_suffix(".lua")).unwrap_or(file);
        match self.root_of(path) {
            Some(root) if !root.plugin.is_empty() => format!("{}/{stem}", root.plugin),
            _ => stem.to_owned(),
        }
    }
}

/// Whether a path lies below a folder.
pub fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a path is a module: it lies below a folder named `lib`.
pub fn is_module(path: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(|folder| folder == "lib"))
}

/// Whether a file name is a script's, judged by its ending and not an editor's temporary name.
pub fn is_script_name(name: &str) -> bool {
    let hidden = name.starts_with('.') || name.starts_with('#') || name.ends_with('~') || name.ends_with("___");
    !hidden && !name.ends_with(".d.luau") && has_ending(name, &["luau", "lua"])
}

/// Whether a file name is that of a scene or of other data.
pub fn is_data_name(name: &str) -> bool {
    !name.starts_with('.') && has_ending(name, &["ron"])
}

/// Whether a path ends in a dot and one of these, exactly as written.
pub fn has_ending(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}
