//! `types`: the Luau definition file for editors.

use std::path::Path;

use super::{Status, args, out};
use crate::experiment::authoring;

/// Writes `scripts/yard.d.luau`, over an older one.
pub(super) fn types(args: &args::Types) -> Status {
    let path = args.project.as_deref().unwrap_or_else(|| Path::new(".")).join("scripts/yard.d.luau");
    let folder = path.parent().unwrap_or(&path);
    match std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, authoring::types())) {
        Ok(()) => {
            out::stdout(&format!("wrote {}\n", path.display()));
            Status::Done
        }
        Err(error) => {
            out::stderr(&format!("error: {} cannot be written: {error}\n", path.display()));
            Status::Failed
        }
    }
}
