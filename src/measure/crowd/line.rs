//! A measuring line, and whether and where a step crosses it.

use glam::DVec2;

use super::voronoi::images;

/// A line that people cross, from one end to the other, in meters.
///
/// Its positive direction is to the right of the way from
/// `from` to `to`, as the normal of PedPy's `MeasurementLine`: a line drawn upwards counts those who walk to +x as positive.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Line {
    /// One end.
    pub from: DVec2,
    /// The other end.
    pub to: DVec2,
}

/// A step over a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// When, as a part of the step, 0 to 1.
    pub part: f64,
    /// Where, as a part of the line from its first end, 0 to 1.
    pub along: f64,
    /// Whether in the positive direction.
    pub forward: bool,
}

impl Line {
    /// Its length in meters.
    pub fn length(&self) -> f64 {
        self.from.distance(self.to)
    }

    /// Unit vector of the positive direction, to the right of the way from first to second end; 0 for a line of 0 m.
    pub fn normal(&self) -> DVec2 {
        let way = self.to - self.from;
        DVec2::new(way.y, -way.x).normalize_or_zero()
    }

    /// Where its normal begins when drawn: the middle.
    pub fn center(&self) -> DVec2 {
        0.5 * (self.from + self.to)
    }

    /// Where a step from `before` to `after` crosses the line, ends included.
    ///
    /// The line itself belongs to the side before it. So who walks onto it and stands there counts once: in the positive
    /// direction when leaving it, in the negative one on arrival; and who only touches it from before does not count. PedPy
    /// does not count while the end of a step is within 1e-5 m of the line, which comes to the same.
    pub fn crossing(&self, before: DVec2, after: DVec2) -> Option<Crossing> {
        let way = self.to - self.from;
        let normal = DVec2::new(way.y, -way.x);
        let (start, end) = ((before - self.from).dot(normal), (after - self.from).dot(normal));
        if (start > 0.0) == (end > 0.0) {
            return None;
        }
        let part = start / (start - end);
        let along = (before + (after - before) * part - self.from).dot(way) / way.length_squared();
        (0.0..=1.0).contains(&along).then_some(Crossing { part, along, forward: end > 0.0 })
    }

    /// The same for a step that ends in `after` in a world that wraps with this period (0: an axis does not), over the line or
    /// one of its images.
    pub fn crossing_wrapped(&self, before: DVec2, after: DVec2, period: DVec2) -> Option<Crossing> {
        images(period).find_map(|image| Self { from: self.from + image, to: self.to + image }.crossing(before, after))
    }
}
