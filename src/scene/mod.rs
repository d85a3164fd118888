//! Scenes: RON in, a checked description of an experiment out.
//!
//! The walk: text → [`mod@ron`] tree with places → [`mod@file`], what was typed → [`mod@build`], what it means. All problems
//! of a file are collected, each a [`Problem`] with line, column and what to try.

pub mod address;
pub mod build;
pub mod catalogue;
pub mod decode;
pub mod file;
pub mod formation;
pub mod manifest;
pub mod nearest;
pub mod problem;
pub mod reference;
pub mod ron;
pub mod value;

pub use address::Address;
pub use build::{
    Birth, PlotRef, Scene, SceneAction, SceneContract, SceneGroup, SceneObstacle, ScenePose, SceneTape, SceneUse,
    Scheduled,
};
pub use catalogue::{AnyName, Catalogue, Known, NameList, Noun};
pub use decode::Spanned;
pub use file::{Loaded, SceneFile};
pub use formation::FormationFile;
pub use manifest::PluginFile;
pub use nearest::{nearest, nearest_few, suggestion};
pub use problem::{Problem, Severity, excerpt};
pub use value::SetValue;
