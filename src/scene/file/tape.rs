//! Tapes as typed: trajectory files that are played, or shown beside the run.

use glam::DVec3;

use crate::scene::decode::{Limit, Spanned, record, words};

/// What a tape is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Its agents are agents of a group: forces see them, metrics measure them.
    #[default]
    Replay,
    /// Its agents are drawn as outlines; nobody sees them.
    Ghost,
}

words!(Role, "role", [Replay, Ghost]);

record! {
    /// A trajectory file.
    TapeFile "Tape" {
        /// its name; a replay plays in the group of this name
        name: Spanned<String> = Spanned::default(), required;
        /// the file, from the folder of the scene: `.sqlite`, `.txt` or `.csv`
        file: Spanned<String> = Spanned::default(), required;
        /// `Replay`: its agents are those of a group; `Ghost`: outlines beside the run
        role: Spanned<Role> = Spanned::new(Role::Replay), required;
        /// where on the tape the run begins, in s (frame / frames per second)
        from: f64 = 0.0, optional, Limit::Within(-1e7, 1e7);
        /// where its origin lies in the scene, in m
        offset: DVec3 = DVec3::ZERO, optional;
        /// frames per second where the file does not say
        fps: Option<f64> = None, optional, Limit::AboveUpTo(0.0, 10_000.0);
        /// radius of a ghost's outlines where nobody of the run has its number, in m
        radius: f64 = 0.2, optional, Limit::AboveUpTo(0.0, 1000.0);
    }
}
