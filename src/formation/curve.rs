//! Curves that can be followed exactly, and the native ones.

use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A curve in any parameter s, with its exact derivative.
///
/// Places and lengths are found from these two alone, so the parameter may be an angle, a length or anything else that
/// grows along the curve.
pub trait Curve {
    /// The point at s, in meters.
    fn point(&self, s: f64) -> DVec3;

    /// d point / d s.
    fn derivative(&self, s: f64) -> DVec3;

    /// Where s starts, and where it ends; `None` if the curve runs on without end. The end is never below the start.
    fn range(&self) -> (f64, Option<f64>);

    /// An s beyond this one up to which the speed |derivative| is smooth enough for one step of integration; it is
    /// halved as needed.
    fn stretch(&self, s: f64) -> f64;

    /// Whether n places are spread over the whole curve, the last a neighbor of the first.
    fn closed(&self) -> bool {
        false
    }

    /// Whether the end is the start again, so that the last place has to stay one spacing short of it.
    fn joins(&self) -> bool {
        self.closed()
    }

    /// The same curve `distance` meters outside, for a further row; `None` lets it be found numerically, to the right of
    /// the way of travel.
    fn outside(&self, distance: f64) -> Option<Box<dyn Curve>> {
        let _ = distance;
        None
    }
}

/// A straight line from the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Straight {
    /// Unit vector of travel.
    pub direction: DVec3,
}

impl Curve for Straight {
    fn point(&self, s: f64) -> DVec3 {
        self.direction * s
    }
    fn derivative(&self, _s: f64) -> DVec3 {
        self.direction
    }
    fn range(&self) -> (f64, Option<f64>) {
        (0.0, None)
    }
    fn stretch(&self, s: f64) -> f64 {
        s + 1.0 + s.abs()
    }
}

/// A circular arc about the origin; s is the angle gone through since the start, in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    /// Meters, above 0.
    pub radius: f64,
    /// Radians.
    pub start_angle: f64,
    /// Radians; below the start it runs clockwise. A difference above 2π counts as 2π.
    pub end_angle: f64,
}

impl Arc {
    fn side(&self) -> f64 {
        if self.end_angle < self.start_angle { -1.0 } else { 1.0 }
    }

    fn span(&self) -> f64 {
        (self.end_angle - self.start_angle).abs().min(TAU)
    }
}

impl Curve for Arc {
    fn point(&self, s: f64) -> DVec3 {
        let angle = self.start_angle + self.side() * s;
        DVec3::new(self.radius * libm::cos(angle), self.radius * libm::sin(angle), 0.0)
    }
    fn derivative(&self, s: f64) -> DVec3 {
        let (angle, r) = (self.start_angle + self.side() * s, self.side() * self.radius);
        DVec3::new(-r * libm::sin(angle), r * libm::cos(angle), 0.0)
    }
    fn range(&self) -> (f64, Option<f64>) {
        (0.0, Some(self.span()))
    }
    fn stretch(&self, s: f64) -> f64 {
        s + FRAC_PI_2
    }
    fn joins(&self) -> bool {
        self.span() > TAU - 1e-9
    }
    fn outside(&self, distance: f64) -> Option<Box<dyn Curve>> {
        Some(Box::new(Self { radius: self.radius + distance, ..*self }))
    }
}

/// A helix about +z; s is the angle gone through since the start, in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Helix {
    /// Meters, above 0.
    pub radius: f64,
    /// Rise per turn, meters.
    pub pitch: f64,
}

impl Curve for Helix {
    fn point(&self, s: f64) -> DVec3 {
        DVec3::new(self.radius * libm::cos(s), self.radius * libm::sin(s), self.pitch * s / TAU)
    }
    fn derivative(&self, s: f64) -> DVec3 {
        DVec3::new(-self.radius * libm::sin(s), self.radius * libm::cos(s), self.pitch / TAU)
    }
    fn range(&self) -> (f64, Option<f64>) {
        (0.0, if self.pitch == 0.0 { Some(TAU) } else { None })
    }
    fn stretch(&self, s: f64) -> f64 {
        s + FRAC_PI_2
    }
    fn joins(&self) -> bool {
        self.pitch == 0.0
    }
    fn outside(&self, distance: f64) -> Option<Box<dyn Curve>> {
        Some(Box::new(Self { radius: self.radius + distance, ..*self }))
    }
}

/// Archimedean spiral r = initial_radius + growth_rate·s; s is the angle in radians, from 0. With growth 0 it is a circle
/// that ends after one turn, with negative growth it ends at the center.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spiral {
    /// Meters, not negative.
    pub initial_radius: f64,
    /// Meters per radian.
    pub growth_rate: f64,
}

impl Curve for Spiral {
    fn point(&self, s: f64) -> DVec3 {
        let r = self.initial_radius + self.growth_rate * s;
        DVec3::new(r * libm::cos(s), r * libm::sin(s), 0.0)
    }
    fn derivative(&self, s: f64) -> DVec3 {
        let r = self.initial_radius + self.growth_rate * s;
        let (sin, cos) = (libm::sin(s), libm::cos(s));
        DVec3::new(self.growth_rate * cos - r * sin, self.growth_rate * sin + r * cos, 0.0)
    }
    fn range(&self) -> (f64, Option<f64>) {
        let end = if self.growth_rate > 0.0 {
            None
        } else if self.growth_rate < 0.0 {
            Some(-self.initial_radius / self.growth_rate)
        } else {
            Some(TAU)
        };
        (0.0, end)
    }
    fn stretch(&self, s: f64) -> f64 {
        // √(r² + b²) has its singularities one radian off the real axis, so a radian is safe for 16 Gauss points.
        s + 1.0
    }
    fn joins(&self) -> bool {
        self.growth_rate == 0.0
    }
}

/// y = amplitude·sin(2πx/wavelength); s is x in meters, from 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SWave {
    /// Meters.
    pub amplitude: f64,
    /// Meters, above 0.
    pub wavelength: f64,
}

impl Curve for SWave {
    fn point(&self, s: f64) -> DVec3 {
        DVec3::new(s, self.amplitude * libm::sin(TAU * s / self.wavelength), 0.0)
    }
    fn derivative(&self, s: f64) -> DVec3 {
        let k = TAU / self.wavelength;
        DVec3::new(1.0, self.amplitude * k * libm::cos(k * s), 0.0)
    }
    fn range(&self) -> (f64, Option<f64>) {
        (0.0, None)
    }
    fn stretch(&self, s: f64) -> f64 {
        if self.amplitude == 0.0 { s + 1.0 + s.abs() } else { s + self.wavelength / 4.0 }
    }
}
