//! Obstacles: checked by the core, named once.

use super::{Builder, SceneObstacle};
use crate::scene::ron::shortened;
use crate::sim::obstacle::Obstacles;

impl Builder<'_> {
    pub(super) fn obstacles(&mut self) -> Vec<SceneObstacle> {
        let files = self.file.obstacles.clone();
        let mut obstacles: Vec<SceneObstacle> = Vec::new();
        for file in &files {
            let name = file.value.name().to_owned();
            if !name.is_empty() && obstacles.iter().any(|known| known.name == name) {
                let message = format!("there are two obstacles `{}`", shortened(&name));
                if let Some(problem) = self.error(file.span, "duplicate-name", message) {
                    problem.hint = Some("give each its own name".to_owned());
                }
            }
            match file.value.shape().checked(&name) {
                Ok(shape) => obstacles.push(SceneObstacle { name, open: file.value.open(), shape }),
                Err(wrong) => {
                    let message = format!("obstacle `{}`: `{}` {}", shortened(&wrong.object), wrong.field, wrong.what);
                    if let Some(problem) = self.error(file.span, "bad-obstacle", message) {
                        problem.hint = Some(wrong.hint);
                    }
                    // Kept so that later indices stay those of the file; the scene is refused anyway.
                    obstacles.push(SceneObstacle { name, open: true, shape: file.value.shape() });
                }
            }
        }
        obstacles
    }
}

/// The obstacles as the core stores them, for clearances; those that are open do not block. Refused ones are left out.
pub(super) fn stored(obstacles: &[SceneObstacle]) -> Obstacles {
    let mut set = Obstacles::new();
    for (index, obstacle) in obstacles.iter().enumerate() {
        if obstacle.open {
            continue;
        }
        // The index as a name: it leads back from a hit to the scene's obstacle, and names may be missing or double.
        let _refused_before = set.insert(&index.to_string(), obstacle.shape.clone());
    }
    set
}
