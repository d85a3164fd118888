//! Labels that keep off each other: each is put at the first of a few places where it covers no earlier one.

use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Vec2, vec2};

use super::super::theme::{SMALL, Tokens};
use super::scenery;

/// What is taken so far.
#[derive(Default)]
pub struct Labels {
    taken: Vec<Rect>,
}

/// Rows up or down that a label may be moved.
const ROWS: i32 = 6;
/// Distance between labels, in points.
const GAP: f32 = 2.0;

impl Labels {
    /// Keeps labels off a place.
    pub fn take(&mut self, rect: Rect) {
        self.taken.push(rect);
    }

    /// Takes a place if nothing is there yet; tells whether it did.
    pub fn take_free(&mut self, rect: Rect) -> bool {
        let free = !self.taken.iter().any(|other| other.intersects(rect));
        if free {
            self.taken.push(rect);
        }
        free
    }

    /// Where a label of `size` goes that belongs at `at`, anchored there: as near as it finds room above or below.
    pub fn place(&mut self, at: Pos2, anchor: Align2, size: Vec2, within: Rect) -> Rect {
        let home = anchor.anchor_size(at, size);
        let step = size.y + GAP;
        // 0, one down, one up, two down …
        let rows = (0..=2 * ROWS).map(|i| if i % 2 == 1 { (i + 1) / 2 } else { -(i / 2) });
        let moved = rows.map(|row| home.translate(vec2(0.0, step * row as f32)));
        let free = |rect: &Rect| {
            within.contains_rect(*rect) && !self.taken.iter().any(|other| other.expand(GAP * 0.5).intersects(*rect))
        };
        let rect = moved.into_iter().find(free).unwrap_or(home);
        self.taken.push(rect);
        rect
    }

    /// Writes a label where there is room, with a line from it to where it belongs if it had to move far.
    pub fn write(
        &mut self,
        painter: &Painter,
        (at, anchor): (Pos2, Align2),
        text: &str,
        color: Color32,
        tokens: &Tokens,
        within: Rect,
    ) {
        let size = painter.layout_no_wrap(text.to_owned(), FontId::proportional(SMALL), color).size() + vec2(6.0, 2.0);
        let rect = self.place(at, anchor, size, within);
        let near = rect.clamp(at);
        if near.distance(at) > size.y {
            painter.line_segment([at, near], (0.8, color.gamma_multiply(0.6)));
        }
        scenery::halo_text(painter, rect.center(), Align2::CENTER_CENTER, text, color, tokens);
    }
}

/// Names of what lies in the yard, which keep off each other.
pub struct Names<'a> {
    /// What they are written with.
    pub painter: &'a Painter,
    /// The colors.
    pub tokens: &'a Tokens,
    /// Where there is room, in points.
    pub within: Rect,
    /// Those written so far.
    pub labels: Labels,
}

impl Names<'_> {
    /// Writes a name where it belongs, or as near as there is room.
    pub fn write(&mut self, (at, anchor): (Pos2, Align2), text: &str, color: Color32) {
        // What is out of sight stays there.
        if self.within.contains(at) {
            self.labels.write(self.painter, (at, anchor), text, color, self.tokens, self.within);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::pos2;

    #[test]
    fn labels_for_one_place_lie_below_and_above_each_other() {
        let within = Rect::from_min_size(Pos2::ZERO, vec2(400.0, 400.0));
        let mut labels = Labels::default();
        let size = vec2(60.0, 14.0);
        let rects: Vec<Rect> =
            (0..9).map(|_| labels.place(pos2(200.0, 200.0), Align2::LEFT_CENTER, size, within)).collect();
        for (i, a) in rects.iter().enumerate() {
            assert!(rects[i + 1..].iter().all(|b| !a.intersects(*b)), "{i}: {a:?}");
            assert!(within.contains_rect(*a) && (a.center().y - 200.0).abs() < 6.0 * 16.0 + 1.0);
        }
    }

    #[test]
    fn at_the_edge_they_stay_inside() {
        let within = Rect::from_min_size(Pos2::ZERO, vec2(400.0, 100.0));
        let mut labels = Labels::default();
        for _ in 0..4 {
            let rect = labels.place(pos2(10.0, 8.0), Align2::LEFT_CENTER, vec2(60.0, 14.0), within);
            assert!(within.contains_rect(rect), "{rect:?}");
        }
    }
}
