//! The list of what is wrong: one entry per cause, counted.

use crate::scene::problem::Problem;

/// Problems with stable handles.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    list: Vec<Problem>,
    ids: Vec<u64>,
    next: u64,
    changes: u64,
    /// The line of a script that gave the command which is being done; file and line.
    blamed: Option<(String, u32)>,
}

impl Problems {
    /// From now on what has no place of its own happened by this line, `file:line`; empty: by no line.
    pub fn blame(&mut self, place: &str) {
        let parts = place.rsplit_once(':').and_then(|(file, line)| Some((file.to_owned(), line.parse().ok()?)));
        self.blamed = parts;
    }

    /// Adds a problem; one of the same cause is counted instead.
    pub fn add(&mut self, mut problem: Problem) {
        if let Some((file, line)) = self.blamed.as_ref().filter(|_| problem.file.is_none()) {
            problem = problem.in_file(file.clone()).at_line(*line);
        }
        let before = self.list.len();
        problem.add_to(&mut self.list);
        self.changes += 1;
        while self.ids.len() < self.list.len() {
            self.next += 1;
            self.ids.push(self.next);
        }
        debug_assert!(self.list.len() >= before, "adding never removes");
    }

    /// All problems, oldest first.
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// Handles and problems, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &Problem)> {
        self.ids.iter().copied().zip(&self.list)
    }

    /// Takes one off the list.
    pub fn dismiss(&mut self, id: u64) {
        if let Some(at) = self.ids.iter().position(|known| *known == id) {
            self.ids.remove(at);
            self.list.remove(at);
            self.changes += 1;
        }
    }

    /// Takes off all that `gone` says are over.
    pub fn clear(&mut self, gone: impl Fn(&Problem) -> bool) {
        let mut at = 0;
        while at < self.list.len() {
            if gone(&self.list[at]) {
                self.ids.remove(at);
                self.list.remove(at);
                self.changes += 1;
            } else {
                at += 1;
            }
        }
    }

    /// Grows with every change: tells whether something is new.
    pub fn changes(&self) -> u64 {
        self.changes
    }
}
