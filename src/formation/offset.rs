//! The curve beside a curve: further rows of a formation.

use glam::DVec3;

use super::curve::Curve;
use super::error::FormationError;
use super::sampled::Sampled;
use super::source::Domain;

/// `curve`, `distance` meters outside: its own answer if it has one, else to the right of the way of travel.
///
/// # Errors
/// If the curve has no end, or the parallel curve cannot be followed.
pub(crate) fn outside(curve: &dyn Curve, distance: f64) -> Result<Box<dyn Curve>, FormationError> {
    if let Some(own) = curve.outside(distance) {
        return Ok(own);
    }
    let (from, to) = curve.range();
    let Some(to) = to else {
        return Err(FormationError::Curve("a curve without end needs no further rows".to_owned()));
    };
    let mut side = DVec3::NEG_Y;
    let mut beside = |params: &[f64], out: &mut Vec<DVec3>| {
        out.extend(params.iter().map(|&s| {
            let d = curve.derivative(s);
            let speed = d.truncate().length();
            if speed > 0.0 {
                side = DVec3::new(d.y, -d.x, 0.0) / speed;
            }
            curve.point(s) + side * distance
        }));
        Ok(())
    };
    let mut parallel = Sampled::new(Domain { range: Some((from, to)), closed: false }, 0)?;
    parallel.sample_all(&mut beside)?;
    Ok(Box::new(parallel))
}
