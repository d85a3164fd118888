//! What the project holds: scenes, scripts, definitions, plugins.

use std::time::Instant;

/// A button that a director offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectorButton {
    /// Director.
    pub director: String,
    /// Name of the event.
    pub name: String,
}

/// A script in effect.
#[derive(Clone, Debug)]
pub struct ScriptView {
    /// File from the project folder.
    pub file: String,
    /// "behavior", "machine", "formation", …, "module".
    pub kind: String,
    /// Name of the definition.
    pub name: String,
    /// Counts from 1.
    pub version: u32,
    /// Short content hash.
    pub hash: String,
    /// When this version came into effect.
    pub since: Instant,
    /// Whether the file says the same.
    pub status: ScriptStatus,
    /// Earlier versions that can be put back, newest first.
    pub earlier: Vec<u32>,
    /// Whether something in the scene uses it.
    pub used: bool,
}

/// Whether a script's file and the code in effect agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ScriptStatus {
    /// They agree.
    #[default]
    Current,
    /// The file has changed and is being checked.
    Editing,
    /// The file has problems; the old code runs on.
    Broken,
    /// An older version was put back.
    RolledBack,
}

/// A scene in the catalogue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneEntry {
    /// File.
    pub path: String,
    /// Title.
    pub title: String,
    /// One line.
    pub about: String,
    /// Project or plugin it belongs to.
    pub origin: String,
}

/// Something with a name that scenes and scripts can use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// "behavior", "machine", "formation", "force", "metric" or "director".
    pub kind: String,
    /// Name.
    pub name: String,
    /// One line.
    pub about: String,
    /// "native", "project" or the plugin.
    pub origin: String,
}

/// A plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginView {
    /// Name.
    pub name: String,
    /// Version from the manifest.
    pub version: String,
    /// One line.
    pub about: String,
    /// Folder.
    pub path: String,
    /// Names it defines.
    pub definitions: Vec<String>,
    /// Why it does not work, if it does not.
    pub problem: Option<String>,
}
