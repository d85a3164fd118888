//! Undo and redo of scene edits: each edit is an operation that knows its inverse.

use glam::DVec3;

use crate::formation::Pose;
use crate::scene::file::ObstacleFile;
use crate::sim::{AgentId, Value};

/// Edits kept.
const DEPTH: usize = 200;

/// One operation on scene and world. Doing it yields the operation that takes it back.
#[derive(Clone, Debug)]
pub enum Op {
    /// A value of the user by whole address; none gives it back to scene and script.
    Value(String, Option<Value>),
    /// Several at once.
    Values(Vec<(String, Option<Value>)>),
    /// A force's weight goes to 0 and comes back.
    Force(String, bool),
    /// An obstacle at this index of the scene's list.
    AddObstacle(usize, ObstacleFile),
    /// The obstacle at this index.
    RemoveObstacle(usize),
    /// Another shape, or opened, or closed.
    ReplaceObstacle(usize, ObstacleFile),
    /// Where the frame of a group's formation stands.
    Pose(usize, Pose, Option<crate::scene::file::FormationUse>),
    /// Agents elsewhere.
    Move(Vec<(AgentId, DVec3)>),
    /// New agents of groups: (group, position, heading).
    Spawn(Vec<(usize, DVec3, f64)>),
    /// Agents away.
    Remove(Vec<AgentId>),
}

/// One step that undo takes back.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What it is called.
    pub label: String,
    /// Consecutive edits of one key are one step, until the drag ends.
    pub key: Option<String>,
    /// Operations that take it back, in the order in which they are done.
    pub inverse: Vec<Op>,
}

/// Steps back and forth.
#[derive(Clone, Debug, Default)]
pub struct History {
    undo: Vec<Edit>,
    redo: Vec<Edit>,
    open: bool,
    /// How many edits away from what the file says; a save makes it 0.
    distance: i64,
    lost: bool,
}

impl History {
    /// Remembers an edit; `last` ends a drag.
    pub fn add(&mut self, label: String, key: Option<String>, inverse: Op, last: bool) {
        self.redo.clear();
        let merges = self.open && key.is_some() && self.undo.last().is_some_and(|edit| edit.key == key);
        if merges {
            // The first inverse of a drag already leads back to where it began.
            self.open = !last;
            return;
        }
        self.undo.push(Edit { label, key, inverse: vec![inverse] });
        if self.undo.len() > DEPTH {
            self.undo.remove(0);
            self.lost = true;
        }
        self.distance += 1;
        self.open = !last;
    }

    /// Takes the last step off, to be undone.
    pub fn pop_undo(&mut self) -> Option<Edit> {
        self.open = false;
        let edit = self.undo.pop()?;
        self.distance -= 1;
        Some(edit)
    }

    /// Takes the last undone step, to be done again.
    pub fn pop_redo(&mut self) -> Option<Edit> {
        self.open = false;
        let edit = self.redo.pop()?;
        self.distance += 1;
        Some(edit)
    }

    /// A step was undone: this does it again.
    pub fn push_redo(&mut self, edit: Edit) {
        self.redo.push(edit);
    }

    /// A step was done again: this takes it back.
    pub fn push_undo(&mut self, edit: Edit) {
        self.undo.push(edit);
    }

    /// The label of what undo takes back.
    pub fn undo_label(&self) -> Option<&str> {
        self.undo.last().map(|edit| edit.label.as_str())
    }

    /// The label of what redo does again.
    pub fn redo_label(&self) -> Option<&str> {
        self.redo.last().map(|edit| edit.label.as_str())
    }

    /// Whether the scene holds edits that no file has.
    pub fn is_unsaved(&self) -> bool {
        self.distance != 0 || self.lost
    }

    /// The scene was written as it stands.
    pub fn saved(&mut self) {
        self.distance = 0;
        self.lost = false;
    }

    /// Nothing was edited.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
