//! Places with an extent: where people enter, wait or leave.

use glam::DVec2;

use crate::sim::Stream;

/// An area in the plane, m.
#[derive(Clone, Debug, PartialEq)]
pub enum Area {
    /// Center and radius.
    Disc(DVec2, f64),
    /// Lower and upper corner.
    Box(DVec2, DVec2),
    /// Corners in turn, not crossing.
    Polygon(Vec<DVec2>),
    /// A straight line, such as a door.
    Line(DVec2, DVec2),
}

/// Parts into which a step is cut where it is longer than what is looked for.
const MOST_PARTS: f64 = 64.0;
/// Halvings until a moment is known.
const HALVINGS: u32 = 30;
/// Draws until a point of a polygon is found; its middle stands for the rest.
const DRAWS: u32 = 64;

impl Area {
    /// Its corners in turn; two of a line, many of a disc.
    #[must_use]
    pub fn outline(&self) -> Vec<DVec2> {
        match self {
            Self::Disc(at, radius) => {
                let turn = |i: u32| std::f64::consts::TAU * f64::from(i) / 48.0;
                (0..48).map(|i| *at + *radius * DVec2::new(libm::cos(turn(i)), libm::sin(turn(i)))).collect()
            }
            Self::Box(low, high) => vec![*low, DVec2::new(high.x, low.y), *high, DVec2::new(low.x, high.y)],
            Self::Polygon(points) => points.clone(),
            Self::Line(from, to) => vec![*from, *to],
        }
    }

    /// Lower and upper corner of the box round it.
    #[must_use]
    pub fn bounds(&self) -> (DVec2, DVec2) {
        match self {
            Self::Disc(at, radius) => (*at - *radius, *at + *radius),
            Self::Box(low, high) => (*low, *high),
            Self::Line(from, to) => (from.min(*to), from.max(*to)),
            Self::Polygon(points) => points
                .iter()
                .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), point| (low.min(*point), high.max(*point))),
        }
    }

    /// Its middle: of a polygon the mean of its corners.
    #[must_use]
    pub fn middle(&self) -> DVec2 {
        match self {
            Self::Disc(at, _) => *at,
            Self::Box(low, high) => (*low + *high) * 0.5,
            Self::Line(from, to) => (*from + *to) * 0.5,
            Self::Polygon(points) => points.iter().sum::<DVec2>() / points.len().max(1) as f64,
        }
    }

    /// Whether it has any extent: a line of some length, an area of some size.
    #[must_use]
    pub fn is_something(&self) -> bool {
        match self {
            Self::Disc(_, radius) => *radius > 0.0,
            Self::Box(low, high) => low.cmplt(*high).all(),
            Self::Line(from, to) => from.distance(*to) > 1e-6,
            Self::Polygon(points) => {
                let pairs = points.iter().zip(points.iter().cycle().skip(1));
                points.len() > 2 && pairs.map(|(a, b)| a.perp_dot(*b)).sum::<f64>().abs() > 1e-9
            }
        }
    }

    /// How wide its opening is, m: the length of a line, the longer side of what is no line.
    #[must_use]
    pub fn width(&self) -> f64 {
        let (low, high) = self.bounds();
        if let Self::Line(from, to) = self { from.distance(*to) } else { (high - low).max_element() }
    }

    /// The point of it that is nearest.
    #[must_use]
    pub fn nearest(&self, at: DVec2) -> DVec2 {
        match self {
            Self::Disc(center, radius) => *center + (at - *center).clamp_length_max(*radius),
            Self::Box(low, high) => at.clamp(*low, *high),
            Self::Line(from, to) => on_line(at, *from, *to),
            Self::Polygon(points) if has(points, at) => at,
            Self::Polygon(points) => {
                let sides = points.iter().zip(points.iter().cycle().skip(1));
                let nearest = sides.map(|(a, b)| on_line(at, *a, *b));
                let closer = |a: DVec2, b: DVec2| if b.distance_squared(at) < a.distance_squared(at) { b } else { a };
                nearest.reduce(closer).unwrap_or(at)
            }
        }
    }

    /// How far a point is from it, m; 0 inside.
    #[must_use]
    pub fn distance(&self, at: DVec2) -> f64 {
        self.nearest(at).distance(at)
    }

    /// A point of it by lot, `inset` metres off its rim where it is that wide.
    #[must_use]
    pub fn draw(&self, luck: &mut Stream, inset: f64) -> DVec2 {
        match self {
            Self::Disc(at, radius) => {
                let (turn, reach) = (luck.uniform(0.0, std::f64::consts::TAU), (radius - inset).max(0.0));
                *at + reach * libm::sqrt(luck.unit()) * DVec2::new(libm::cos(turn), libm::sin(turn))
            }
            Self::Box(low, high) => {
                let inset = DVec2::splat(inset).min((*high - *low) * 0.5);
                let (low, high) = (*low + inset, *high - inset);
                DVec2::new(luck.uniform(low.x, high.x), luck.uniform(low.y, high.y))
            }
            Self::Line(from, to) => {
                let share = (inset / from.distance(*to).max(1e-9)).min(0.5);
                from.lerp(*to, luck.uniform(share, 1.0 - share))
            }
            Self::Polygon(points) => {
                let (low, high) = self.bounds();
                let rim = |at: DVec2| {
                    let sides = points.iter().zip(points.iter().cycle().skip(1));
                    sides.map(|(a, b)| on_line(at, *a, *b).distance(at)).fold(f64::INFINITY, f64::min)
                };
                let mut any = None;
                for _ in 0..DRAWS {
                    let at = DVec2::new(luck.uniform(low.x, high.x), luck.uniform(low.y, high.y));
                    if has(points, at) {
                        any = Some(at);
                        if rim(at) >= inset {
                            break;
                        }
                    }
                }
                any.unwrap_or_else(|| self.middle())
            }
        }
    }

    /// Where on a step, from 0 to 1, a body of this radius first touches it.
    #[must_use]
    pub fn touched(&self, from: DVec2, to: DVec2, radius: f64) -> Option<f64> {
        let reaches = |share: f64| self.distance(from.lerp(to, share)) <= radius;
        if reaches(0.0) {
            return Some(0.0);
        }
        let parts = (from.distance(to) / radius.max(1e-3)).ceil().clamp(1.0, MOST_PARTS);
        let mut low = 0.0;
        for part in 1..=parts as u32 {
            let mut high = f64::from(part) / parts;
            if !reaches(high) {
                low = high;
                continue;
            }
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if reaches(middle) { high = middle } else { low = middle }
            }
            return Some(high);
        }
        None
    }

    /// Points in rows, each `spacing` from the next, the rows shifted by half of it: where people wait.
    #[must_use]
    pub fn spots(&self, spacing: f64) -> Vec<DVec2> {
        if let Self::Line(from, to) = self {
            let count = (from.distance(*to) / spacing + 1e-9).floor() as u32;
            let along = (*to - *from).normalize_or_zero() * spacing;
            return (0..=count).map(|i| *from + along * f64::from(i)).collect();
        }
        let (low, high) = self.bounds();
        let (size, rise) = (high - low, spacing * libm::sqrt(0.75));
        let count = |length: f64, step: f64| (length / step + 1e-9).floor().clamp(0.0, 10_000.0) as u32;
        let (columns, rows) = (count(size.x, spacing), count(size.y, rise));
        let rest = size - DVec2::new(f64::from(columns) * spacing, f64::from(rows) * rise);
        let mut spots = Vec::new();
        for row in 0..=rows {
            let shift = if row % 2 == 1 { 0.5 * spacing } else { 0.0 };
            for column in 0..=columns {
                let steps = DVec2::new(f64::from(column) * spacing + shift, f64::from(row) * rise);
                let at = low + 0.5 * rest + steps;
                if self.distance(at) < 1e-9 {
                    spots.push(at);
                }
            }
        }
        spots
    }
}

/// The point of a line that is nearest.
fn on_line(at: DVec2, from: DVec2, to: DVec2) -> DVec2 {
    let along = to - from;
    let share = ((at - from).dot(along) / along.length_squared().max(1e-18)).clamp(0.0, 1.0);
    from + along * share
}

/// Whether a polygon has a point inside: a ray to the right crosses its sides an odd number of times.
fn has(points: &[DVec2], at: DVec2) -> bool {
    let sides = points.iter().zip(points.iter().cycle().skip(1));
    let crossed =
        sides.filter(|(a, b)| (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x));
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::rng::Use;

    fn line() -> Area {
        Area::Line(DVec2::new(0.0, -1.0), DVec2::new(0.0, 1.0))
    }

    #[test]
    fn the_moment_of_touching_is_that_of_the_rim_of_the_body() {
        let at = line().touched(DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0), 0.25).expect("it crosses");
        assert!((at - 0.375).abs() < 1e-6, "0.75 m of 2 m: {at}");
        assert!(line().touched(DVec2::new(-1.0, 3.0), DVec2::new(1.0, 3.0), 0.25).is_none());
        // A step longer than the door is thick does not jump over it.
        assert!(line().touched(DVec2::new(-5.0, 0.5), DVec2::new(5.0, 0.5), 0.25).is_some());
    }

    #[test]
    fn points_by_lot_lie_inside_and_off_the_rim() {
        let triangle = Area::Polygon(vec![DVec2::ZERO, DVec2::new(6.0, 0.0), DVec2::new(0.0, 6.0)]);
        let areas = [line(), Area::Disc(DVec2::ONE, 2.0), Area::Box(DVec2::ZERO, DVec2::new(3.0, 1.0)), triangle];
        for area in areas {
            let mut luck = Stream::new(1, 2, 3, Use::Flow);
            for _ in 0..200 {
                let at = area.draw(&mut luck, 0.2);
                assert!(area.distance(at) < 1e-9, "{area:?} {at}");
            }
        }
    }

    #[test]
    fn spots_keep_their_spacing() {
        for area in [Area::Box(DVec2::ZERO, DVec2::new(4.0, 3.0)), Area::Disc(DVec2::ZERO, 3.0), line()] {
            let spots = area.spots(0.8);
            assert!(spots.len() > 2, "{area:?}");
            for (i, a) in spots.iter().enumerate() {
                assert!(area.distance(*a) < 1e-9);
                assert!(spots[..i].iter().all(|b| a.distance(*b) > 0.799), "{area:?}");
            }
        }
    }
}
