//! Tapes: a replay has a group to play in, names are given once. The files are read by whoever runs the scene.

use super::{Builder, SceneTape};
use crate::scene::decode::Spanned;
use crate::scene::file::{Role, TapeFile};
use crate::scene::nearest::suggestion;
use crate::scene::ron::shortened;

impl SceneTape {
    /// A tape as typed, with the index of the group that it plays in.
    pub fn of(file: &TapeFile, group: Option<usize>) -> Self {
        Self {
            name: file.name.value.clone(),
            file: file.file.clone(),
            role: file.role.value,
            group,
            from: file.from,
            offset: file.offset,
            fps: file.fps,
            radius: file.radius,
        }
    }
}

impl Builder<'_> {
    pub(super) fn tapes(&mut self) -> Vec<SceneTape> {
        let files = self.file.tapes.clone();
        let mut tapes: Vec<SceneTape> = Vec::new();
        for file in files.iter().map(|file| &file.value) {
            let name = &file.name;
            if tapes.iter().any(|known| known.name == name.value) {
                let message = format!("there are two tapes `{}`", shortened(&name.value));
                if let Some(problem) = self.error(name.span, "duplicate-name", message) {
                    problem.hint = Some("give each its own name".to_owned());
                }
            }
            let word = !name.value.is_empty() && name.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !word {
                let message = format!("`{}` cannot be the name of a tape", shortened(&name.value));
                if let Some(problem) = self.error(name.span, "bad-name", message) {
                    problem.hint = Some("letters, digits and `_`: it is part of the name of a metric".to_owned());
                }
            }
            let group = match file.role.value {
                Role::Replay => self.replayed(file),
                Role::Ghost => None,
            };
            tapes.push(SceneTape::of(file, group));
        }
        tapes
    }

    /// The group that a replay plays in: one that moves by nothing else.
    fn replayed(&mut self, file: &TapeFile) -> Option<usize> {
        let Spanned { value: name, span } = &file.name;
        let names = self.group_names();
        let Some(index) = names.iter().position(|known| known == name) else {
            let message = format!("there is no group `{}` for the replay to play in", shortened(name));
            let near = suggestion(name, names.iter().map(String::as_str));
            if let Some(problem) = self.error(*span, "unknown-group", message) {
                problem.hint = near.or_else(|| Some(format!("add `Group(name: \"{name}\", count: 0)`")));
            }
            return None;
        };
        let group = &self.file.groups[index].value;
        let own = [("behavior", group.behavior.is_some()), ("formation", group.formation.is_some())];
        if let Some((what, _)) = own.into_iter().find(|(_, has)| *has) {
            let message = format!("the group `{name}` is played from a file and has a {what} too");
            let hint = Some(format!("leave out its {what}, or let the tape be a Ghost"));
            self.group_error(name, *span, "replay-with-mind", message, hint);
        }
        Some(index)
    }

    /// Whether a metric is that of a ghost: how far the run is from it.
    pub(super) fn is_ghost_error(&self, metric: &str) -> bool {
        let ghosts = self.file.tapes.iter().filter(|tape| tape.value.role.value == Role::Ghost);
        let named = metric.strip_suffix("_error");
        named.is_some_and(|named| ghosts.into_iter().any(|tape| tape.value.name.value == named))
    }
}
