//! `new`: writes a commented start that runs.

use std::io::Write as _;
use std::path::Path;

use super::{Status, args, out};
use crate::experiment::authoring;

/// Writes the file; never over one that is there.
pub(super) fn new(args: &args::New) -> Status {
    let project = args.project.as_deref().unwrap_or_else(|| Path::new("."));
    let start = match authoring::start(args.kind.word(), &args.name, project) {
        Ok(start) => start,
        Err(problem) => {
            out::stderr(&format!("{}\n", problem.to_text()));
            return Status::Usage;
        }
    };
    let path = project.join(&start.file);
    match write_new(&path, &start.text) {
        Ok(()) => {
            out::stdout(&format!("wrote {}\n{}\n", path.display(), start.next));
            Status::Done
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            out::stderr(&format!("error: {} exists already; choose another name\n", path.display()));
            Status::Failed
        }
        Err(error) => {
            out::stderr(&format!("error: {} cannot be written: {error}\n", path.display()));
            Status::Failed
        }
    }
}

fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}
