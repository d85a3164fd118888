//! The scene as a file: opened, saved beside itself and renamed, watched for changes by others.

use std::path::{Path, PathBuf};

use crate::scene::problem::Problem;
use crate::scene::{Address, SceneFile, SetValue};

use super::core::Experiment;
use super::frame::Level;

impl Experiment {
    /// A file that a front end names: from where the program was started, else from the project.
    pub(super) fn found(&self, path: &str) -> PathBuf {
        let at = Path::new(path);
        if at.exists() || at.is_absolute() { at.to_path_buf() } else { self.project.join(at) }
    }

    pub(super) fn load_scene(&mut self, path: &str) {
        let at = self.found(path);
        let options = super::options::Options { sets: Vec::new(), seed: None, ..self.options.clone() };
        self.finish_exports();
        match self.reopened(&at, options) {
            Ok(()) => self.log.toast(0.0, Level::Info, "scene", format!("opened {}", self.shown)),
            Err(error) => {
                for problem in error.problems() {
                    self.problems.add(problem.clone());
                }
                self.log.toast(
                    self.world.time(),
                    Level::Error,
                    "scene",
                    format!("{path} was not opened, see the problems"),
                );
            }
        }
    }

    pub(super) fn save_scene(&mut self, path: Option<&str>) {
        let target = path.map_or_else(|| self.path.clone(), PathBuf::from);
        if path.is_none() && !self.overwrites && self.changed_on_disk() {
            self.overwrites = true;
            let text =
                format!("{} changed on disk: save again to overwrite it, or save under another name", self.shown);
            self.log.toast(self.world.time(), Level::Warning, "scene", text);
            return;
        }
        match self.scene_text() {
            Ok(text) => match write_whole(&target, &text) {
                Ok(()) => {
                    let comments = |text: &str| text.matches("//").count();
                    let lost = comments(&self.loaded.source.text).saturating_sub(comments(&text));
                    if lost > 0 {
                        let text = format!("{lost} comments inside of the scene are lost");
                        self.log.toast(self.world.time(), Level::Warning, "scene", text);
                    }
                    self.was_saved(target, &text);
                }
                Err(error) => {
                    let message = format!("{} could not be written: {error}", target.display());
                    self.problems
                        .add(Problem::error("not-written", message).hint("another folder, or its permissions"));
                }
            },
            Err(problem) => self.problems.add(problem),
        }
    }

    /// Whether the scene file is another than it was when it was read or saved here last.
    pub(super) fn changed_on_disk(&self) -> bool {
        let text = std::fs::read_to_string(&self.path);
        text.is_ok_and(|text| text != *self.loaded.source.text)
    }

    fn was_saved(&mut self, target: PathBuf, text: &str) {
        let shown = super::shown_path(&self.project, &target);
        if let Ok(loaded) = SceneFile::from_text(&shown, text) {
            self.doc = loaded.scene.clone();
            self.loaded = loaded;
        }
        self.path = target;
        self.overwrites = false;
        self.history.saved();
        self.log.toast(self.world.time(), Level::Info, "scene", format!("saved {shown}"));
        self.shown = shown;
    }

    /// The scene with all edits as the text of a file that loads to the same hash.
    ///
    /// # Errors
    /// A value whose address the scene lacks.
    pub fn scene_text(&self) -> Result<String, Problem> {
        let mut doc = self.doc.clone();
        if let Some(seed) = self.options.seed {
            doc.seed = seed;
        }
        for (address, value) in &self.options.sets {
            doc.assign(&Address::parse(address)?, SetValue::parse(value))?;
        }
        for (address, value) in &self.user {
            doc.assign(&Address::parse(address)?, SetValue(value.clone()))?;
        }
        Ok(doc.patched(&self.loaded).unwrap_or_else(|| doc.to_ron(&self.loaded.notes)))
    }
}

/// Writes beside the file and renames, so that a crash leaves the old one; a link stays one, and a file that must not be written
/// is not.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let permissions = std::fs::metadata(&path).ok().map(|data| data.permissions());
    if permissions.as_ref().is_some_and(std::fs::Permissions::readonly) {
        return Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    let beside = path.with_extension("ron.part");
    std::fs::write(&beside, text)?;
    if let Some(permissions) = permissions {
        std::fs::set_permissions(&beside, permissions)?;
    }
    std::fs::rename(&beside, &path)
}
