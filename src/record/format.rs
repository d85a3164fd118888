//! Formats of trajectory files, told by the ending of the name.

use std::path::Path;

use crate::scene::{Problem, suggestion};

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JuPedSim's database with the walkable area.
    Sqlite,
    /// Text of PeTrack and JuPedSim: `id frame x y z`.
    Txt,
    /// Comma-separated: `frame,id,pos_x,pos_y`.
    Csv,
}

/// Endings and what they mean.
const ENDINGS: [(&str, Format); 3] = [("sqlite", Format::Sqlite), ("txt", Format::Txt), ("csv", Format::Csv)];

impl Format {
    /// The format of a file by its name.
    pub fn named(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format)
    }

    /// The format of a file by its name, or what is wrong with the name.
    ///
    /// # Errors
    /// An ending that is none of the known ones.
    pub fn of(path: &Path) -> Result<Self, Problem> {
        Self::named(path).ok_or_else(|| {
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
            let what = ending.as_ref().map_or_else(
                || "has no ending".to_owned(),
                |ending| format!("ends in `.{ending}`, which is no format"),
            );
            let all = "trajectory files end in .sqlite (JuPedSim), .txt (PeTrack) or .csv".to_owned();
            let near = ending.and_then(|ending| suggestion(&ending, ENDINGS.iter().map(|(known, _)| *known)));
            let hint = near.map_or_else(|| all.clone(), |near| format!("{near} {all}"));
            Problem::error("unknown-format", format!("{} {what}", path.display())).hint(hint)
        })
    }
}
