//! Curves that can only be asked for points, many at a time: those of scripts.

use glam::DVec3;

use super::error::FormationError;
use super::place::{check_count, check_distance, place};
use super::sampled::{End, Sampled};
use super::slots::{Overflow, Slots, Spacing};

/// Something that turns parameters into points.
///
/// A call is dear (it may cross into a script), so it is asked for many points at once, in ascending order of s within
/// each stretch, and each stretch a few times at most.
pub trait PointSource {
    /// Appends the point of each parameter to `out`, in order. Non-finite points are allowed as answers.
    ///
    /// # Errors
    /// Any text; it comes back as [`FormationError::Source`].
    fn points(&mut self, s: &[f64], out: &mut Vec<DVec3>) -> Result<(), String>;
}

impl<F: FnMut(&[f64], &mut Vec<DVec3>) -> Result<(), String>> PointSource for F {
    fn points(&mut self, s: &[f64], out: &mut Vec<DVec3>) -> Result<(), String> {
        self(s, out)
    }
}

/// Where a curve's parameter lives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Domain {
    /// From and to; "to" may be below "from" (the curve is followed that way) or infinite. `None` starts at 0 and has no end.
    pub range: Option<(f64, f64)>,
    /// Whether n places are spread over the range as over a loop.
    pub closed: bool,
}

impl Domain {
    /// Start, side (+1 or −1) and extent of the parameter.
    pub(crate) fn parts(&self) -> Result<(f64, f64, Option<f64>), FormationError> {
        let (from, to) = self.range.unwrap_or((0.0, f64::INFINITY));
        if !from.is_finite() || to.is_nan() {
            return Err(FormationError::Curve(format!(
                "range gives {from}, {to}: the start must be finite and neither may be NaN"
            )));
        }
        let side = if to < from { -1.0 } else { 1.0 };
        let extent = (to - from).abs();
        let extent = extent.is_finite().then_some(extent);
        if self.closed && extent.is_none() {
            return Err(FormationError::Curve(
                "a closed curve needs a finite range, for instance range = function(p) return 0, 2 * math.pi end"
                    .to_owned(),
            ));
        }
        Ok((from, side, extent))
    }
}

/// The same spacing without a policy: more of the curve may be known later, or what is missing is a fault.
fn strict(spacing: &Spacing) -> Spacing {
    Spacing { overflow: Overflow::Error, ..*spacing }
}

/// `n` places on a curve known only by its points, head at the start of its range.
///
/// Good to about 1e-9 of the curve's size for double precision points, to 1e-6 for single precision. Corners are
/// found, jumps are bridged by a straight line.
///
/// # Errors
/// As [`place`]; [`FormationError::NotFinite`] if the curve is not finite where it is needed, [`FormationError::Source`]
/// with the caller's own text, and [`FormationError::Curve`] if the curve never gets smooth.
pub fn place_source(
    source: &mut dyn PointSource,
    domain: Domain,
    spacing: &Spacing,
    n: usize,
) -> Result<Slots, FormationError> {
    check_count(n)?;
    if !domain.closed {
        check_distance("spacing", spacing.distance)?;
    }
    if n == 0 && !domain.closed {
        return Ok(Slots::default());
    }
    let mut curve = Sampled::new(domain, n)?;
    if curve.is_bounded() {
        curve.sample_all(source)?;
        return match curve.end() {
            End::Broken(s) if domain.closed => Err(FormationError::NotFinite { s }),
            End::Broken(_) => place(&curve, &strict(spacing), n).map_err(|error| curve.explain(error)),
            _ => place(&curve, spacing, n),
        };
    }
    let mut need = n.saturating_sub(1).max(1) as f64 * spacing.distance;
    // Straight distances need more arc than their sum, and nobody knows how much more.
    for _ in 0..24 {
        curve.sample_to(source, need)?;
        let placed = match curve.end() {
            End::Open | End::Broken(_) => place(&curve, &strict(spacing), n),
            _ => place(&curve, spacing, n),
        };
        match placed {
            Err(FormationError::Capacity { .. }) if curve.end() == End::Open => need *= 1.6,
            Err(error) => return Err(curve.explain(error)),
            Ok(slots) => return Ok(Slots { capacity: slots.capacity.filter(|_| curve.end() != End::Open), ..slots }),
        }
    }
    Err(FormationError::Curve(format!(
        "no place lies {} m straight ahead on this curve: it curls up tighter than the spacing; use measure = \"arc\"",
        spacing.distance
    )))
}
