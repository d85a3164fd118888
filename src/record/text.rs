//! Lines of a text file, counted, of bounded length, whatever their bytes.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use crate::scene::Problem;

/// A line at most, bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// A text file that is read line by line.
pub(super) struct Lines<'s> {
    reader: BufReader<File>,
    shown: &'s str,
    bytes: Vec<u8>,
    text: String,
    /// The number of the line that was read last, from 1.
    pub(super) number: u32,
}

impl<'s> Lines<'s> {
    pub(super) fn open(path: &Path, shown: &'s str) -> Result<Self, Problem> {
        let file = File::open(path).map_err(|error| unreadable(shown, &error))?;
        Ok(Self { reader: BufReader::new(file), shown, bytes: Vec::new(), text: String::new(), number: 0 })
    }

    /// Reads the next line; false at the end.
    pub(super) fn advance(&mut self) -> Result<bool, Problem> {
        self.bytes.clear();
        let mut limited = (&mut self.reader).take(LONGEST_LINE);
        let read = limited.read_until(b'\n', &mut self.bytes).map_err(|error| unreadable(self.shown, &error))?;
        if read == 0 {
            return Ok(false);
        }
        self.number = self.number.saturating_add(1);
        if read as u64 == LONGEST_LINE && self.bytes.last() != Some(&b'\n') {
            let message = format!("a line of more than {LONGEST_LINE} bytes: this is no trajectory as text");
            return Err(Problem::error("not-text", message).in_file(self.shown).at_line(self.number));
        }
        let text = String::from_utf8_lossy(&self.bytes);
        self.text.clear();
        // Some programs mark text by three bytes at its beginning.
        self.text.push_str(text.trim_start_matches('\u{feff}').trim_end());
        Ok(true)
    }

    /// The line that was read last.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// A problem in this line at a word of it (a part of [`Self::text`]).
    pub(super) fn fault(&self, word: &str, code: &str, message: String, hint: &str) -> Problem {
        let at = (word.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let before = self.text.get(..at.min(self.text.len())).unwrap_or_default();
        let column = before.chars().count() as u32 + 1;
        let mut problem = Problem::error(code, message).in_file(self.shown).at(self.number, column).hint(hint);
        let shown: String = self.text.chars().take(200).collect();
        let number = self.number.to_string();
        let (gutter, caret) = (" ".repeat(number.len()), " ".repeat(column.min(200) as usize - 1));
        problem.excerpt = Some(format!("{number} | {shown}\n{gutter} | {caret}^"));
        problem
    }

    /// A whole number at a word.
    pub(super) fn whole(&self, word: &str, what: &str) -> Result<i64, Problem> {
        // Some tables write whole numbers as 12.0.
        let number = word.parse::<i64>().ok().or_else(|| {
            let number = word.parse::<f64>().ok()?;
            (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
        });
        number.filter(|number| number.abs() < 1 << 53).ok_or_else(|| {
            self.fault(
                word,
                "bad-row",
                format!("the {what} is `{}`; it must be a whole number", short(word)),
                "see the row",
            )
        })
    }

    /// A coordinate at a word, times `scale` in m.
    pub(super) fn metres(&self, word: &str, what: &str, scale: f64) -> Result<f64, Problem> {
        let farthest = crate::sim::command::FARTHEST;
        let number = word.parse::<f64>().map_err(|_not_a_number| {
            self.fault(word, "bad-row", format!("{what} is `{}`; it must be a number", short(word)), "see the row")
        })?;
        let metres = number * scale;
        if metres.is_finite() && metres.abs() <= farthest {
            return Ok(metres);
        }
        let message = format!("{what} is `{}`, which is no place in the world", short(word));
        Err(self.fault(word, "not-finite", message, "leave out the row of who was not seen"))
    }
}

/// A word, cut short for messages.
fn short(word: &str) -> String {
    if word.chars().count() > 24 {
        format!("{}…", word.chars().take(24).collect::<String>())
    } else {
        word.to_owned()
    }
}

pub(super) fn unreadable(shown: &str, error: &std::io::Error) -> Problem {
    Problem::error("unreadable", format!("{shown} cannot be read: {error}")).in_file(shown)
}

/// The frame rate that a comment names: the first number after `framerate`.
pub(super) fn frame_rate(comment: &str) -> Option<f64> {
    let after = comment.to_ascii_lowercase().split_once("framerate")?.1.to_owned();
    let mut words = after.split(|c: char| c.is_whitespace() || c == ':' || c == '=' || c == ',');
    words.find_map(|word| word.trim_end_matches("fps").parse::<f64>().ok())
}

/// Metres of a unit that a comment names.
pub(super) fn unit(comment: &str) -> Option<f64> {
    let comment = comment.to_ascii_lowercase();
    if comment.contains("x/cm") || comment.contains("in cm") {
        return Some(0.01);
    }
    (comment.contains("x/m") || comment.contains("in m")).then_some(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_rate_and_unit_in_the_forms_that_are_about() {
        assert_eq!(frame_rate("# framerate: 25.00 fps"), Some(25.0));
        assert_eq!(frame_rate("#framerate:10.5"), Some(10.5));
        assert_eq!(frame_rate("# framerate: 16fps"), Some(16.0));
        assert_eq!(frame_rate("# PersNr Frame"), None);
        assert_eq!(frame_rate("# framerate: unknown"), None);
        assert_eq!(unit("# id frame x/cm y/cm z/cm"), Some(0.01));
        assert_eq!(unit("# id frame x/m y/m z/m"), Some(1.0));
        assert_eq!(unit("# coordinates in cm"), Some(0.01));
        assert_eq!(unit("# id frame x y z"), None);
    }
}
