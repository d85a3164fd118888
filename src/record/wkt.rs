//! Polygons as well-known text: `POLYGON ((x y, …), (hole), …)`, the geometry of trajectory files.

use std::fmt::Write as _;

use glam::DVec2;

use super::ground::Ground;

/// Corners at most.
const MOST_CORNERS: usize = 1_000_000;
/// The largest coordinate, m.
const FARTHEST: f64 = crate::sim::command::FARTHEST;

/// The text of a polygon with its holes; the first corner of each ring is repeated at its end.
pub fn write(ground: &Ground) -> String {
    let mut text = "POLYGON (".to_owned();
    for (index, ring) in std::iter::once(&ground.outer).chain(&ground.holes).enumerate() {
        text.push_str(if index == 0 { "(" } else { ", (" });
        for (at, point) in ring.iter().chain(ring.first()).enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            // Adding 0 turns −0 into 0.
            let _infallible = write!(text, "{comma}{} {}", point.x + 0.0, point.y + 0.0);
        }
        text.push(')');
    }
    text.push(')');
    text
}

/// Reads a polygon, several, or a collection of them.
///
/// # Errors
/// What is wrong, in words.
pub fn read(text: &str) -> Result<Vec<Ground>, String> {
    let mut reader = Reader { rest: text.trim(), corners: 0 };
    let mut grounds = Vec::new();
    reader.geometry(&mut grounds, 0)?;
    if !reader.rest.is_empty() {
        return Err(format!("`{}` follows the geometry", reader.shown()));
    }
    if grounds.is_empty() {
        return Err("the geometry is empty".to_owned());
    }
    Ok(grounds)
}

struct Reader<'t> {
    rest: &'t str,
    corners: usize,
}

impl Reader<'_> {
    fn geometry(&mut self, grounds: &mut Vec<Ground>, depth: usize) -> Result<(), String> {
        let word = self.word();
        if self.takes_word("EMPTY") {
            return Ok(());
        }
        match word.as_str() {
            "POLYGON" => grounds.push(self.polygon()?),
            "MULTIPOLYGON" => {
                let polygons = self.list(Self::polygon)?;
                grounds.extend(polygons);
            }
            "GEOMETRYCOLLECTION" if depth < 4 => {
                self.expect('(')?;
                self.geometry(grounds, depth + 1)?;
                while self.takes(',') {
                    self.geometry(grounds, depth + 1)?;
                }
                self.expect(')')?;
            }
            "" => return Err(format!("expected POLYGON, found `{}`", self.shown())),
            other => return Err(format!("`{}` is no polygon", other.chars().take(30).collect::<String>())),
        }
        Ok(())
    }

    fn polygon(&mut self) -> Result<Ground, String> {
        let mut rings = self.list(Self::ring)?.into_iter();
        let outer = rings.next().unwrap_or_default();
        Ok(Ground { outer, holes: rings.collect() })
    }

    fn ring(&mut self) -> Result<Vec<DVec2>, String> {
        let mut ring = self.list(Self::point)?;
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        if ring.len() < 3 {
            return Err(format!("a ring has {} corners; it needs three", ring.len()));
        }
        Ok(ring)
    }

    fn point(&mut self) -> Result<DVec2, String> {
        self.corners += 1;
        if self.corners > MOST_CORNERS {
            return Err(format!("more than {MOST_CORNERS} corners"));
        }
        let point = DVec2::new(self.number()?, self.number()?);
        // A height, and a measure; the ground is flat.
        while !self.rest.starts_with([',', ')']) && !self.rest.is_empty() {
            self.number()?;
        }
        Ok(point)
    }

    fn number(&mut self) -> Result<f64, String> {
        let end = self.rest.find(|c: char| c.is_whitespace() || c == ',' || c == '(' || c == ')');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let number = word.parse::<f64>().ok().filter(|number| number.abs() <= FARTHEST);
        let number = number.ok_or_else(|| format!("expected a coordinate in m, found `{}`", self.shown()))?;
        self.rest = rest.trim_start();
        Ok(number)
    }

    /// `(` items separated by commas `)`.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        self.expect('(')?;
        let mut items = vec![item(self)?];
        while self.takes(',') {
            items.push(item(self)?);
        }
        self.expect(')')?;
        Ok(items)
    }

    /// Letters, in capitals; a Z or M that follows says only that there are heights.
    fn word(&mut self) -> String {
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let word = self.rest[..end].to_ascii_uppercase();
        self.rest = self.rest[end..].trim_start();
        let _heights = self.takes_word("ZM") || self.takes_word("Z") || self.takes_word("M");
        word
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = self.rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
            && !self.rest[word.len()..].starts_with(|c: char| c.is_ascii_alphanumeric());
        if found {
            self.rest = self.rest[word.len()..].trim_start();
        }
        found
    }

    fn takes(&mut self, sign: char) -> bool {
        let after = self.rest.strip_prefix(sign);
        self.rest = after.map_or(self.rest, str::trim_start);
        after.is_some()
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.takes(sign) { Ok(()) } else { Err(format!("expected `{sign}`, found `{}`", self.shown())) }
    }

    /// The next few letters, for a message.
    fn shown(&self) -> String {
        if self.rest.is_empty() { "the end".to_owned() } else { self.rest.chars().take(20).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let ring = |points: &[(f64, f64)]| points.iter().map(|&(x, y)| DVec2::new(x, y)).collect::<Vec<_>>();
        let ground = Ground {
            outer: ring(&[(0.0, 0.0), (10.5, 0.0), (10.5, 4.0), (-0.0, 4.0)]),
            holes: vec![ring(&[(1.0, 1.0), (1.0, 2.0), (2.0, 2.0)])],
        };
        let text = write(&ground);
        assert_eq!(text, "POLYGON ((0 0, 10.5 0, 10.5 4, 0 4, 0 0), (1 1, 1 2, 2 2, 1 1))");
        assert_eq!(read(&text), Ok(vec![ground]));
    }

    #[test]
    fn forms_of_other_programs_are_understood() {
        let one = "POLYGON ((0 0, 1 0, 1 1, 0 0))";
        for (text, count) in [
            ("polygon((0 0,1 0,1 1,0 0))".to_owned(), 1),
            ("POLYGON Z ((0 0 5, 1 0 5, 1 1 5, 0 0 5))".to_owned(), 1),
            ("MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 0, 6 0, 6 1, 5 0)))".to_owned(), 2),
            (format!("GEOMETRYCOLLECTION ({one}, {one})"), 2),
        ] {
            assert_eq!(read(&text).map(|grounds| grounds.len()), Ok(count), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        let deep = "GEOMETRYCOLLECTION(".repeat(100_000);
        for text in [
            "",
            "POINT (0 0)",
            "POLYGON EMPTY",
            "POLYGON ((0 0, 1 0))",
            "POLYGON ((0 0, 1 0, nan 1, 0 0))",
            "POLYGON ((0 0, 1 0, 1 1e300, 0 0))",
            "POLYGON ((0 0, 1 0, 1 1, 0 0)",
            "POLYGON ((0 0, 1 0, 1 1, 0 0)) x",
            "POLYGON ((0 0, 1, 1 1, 0 0))",
            "ÄÖ",
            &deep,
        ] {
            assert!(read(text).is_err(), "{}", &text.chars().take(40).collect::<String>());
        }
    }
}
