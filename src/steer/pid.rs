//! PID in the standard form, for numbers and for vectors.
//!
//! Positional form with set-point weight, derivative on the measurement behind a first-order filter, saturation of the output and
//! back-calculation (Åström and Hägglund, Advanced PID Control, 2006, 3.4 and 3.5):
//!
//! ```text
//! P = K(b·r − y)
//! D ← Td/(Td + N·h)·D − K·Td·N/(Td + N·h)·(y − y₋)
//! v = P + I + D + forward,   u = limit(v)
//! I ← I + K·h/Ti·(r − y) + h/Tt·(u − v)
//! ```
//!
//! A vector is limited by its length, so the back-calculation takes the difference of vectors. Angles take differences the short
//! way round.

use std::ops::{Add, Mul, Sub};

/// Gains in the standard form. Times of 0 switch their term off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// K, the unit of the output per unit of the error.
    pub k: f64,
    /// Integral time Ti, s; 0 or infinite is off.
    pub ti: f64,
    /// Derivative time Td, s; 0 is off.
    pub td: f64,
    /// Filter of the derivative: its time constant is Td/N.
    pub n: f64,
    /// Set-point weight of the proportional term.
    pub b: f64,
    /// What keeps the integral from winding up.
    pub windup: Windup,
}

impl Default for Gains {
    fn default() -> Self {
        Self { k: 1.0, ti: 0.0, td: 0.0, n: 10.0, b: 1.0, windup: Windup::BackCalculation }
    }
}

/// What keeps the integral from winding up while the output is limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Windup {
    /// Nothing: for comparison.
    Free,
    /// It rests while the output is limited and the error would drive it further.
    Clamping,
    /// It is led back with Tt = √(Ti·Td), or Ti without a derivative.
    #[default]
    BackCalculation,
}

impl Gains {
    /// Gains from the parallel form: Kp, Ki, Kd.
    #[must_use]
    pub fn parallel(kp: f64, ki: f64, kd: f64) -> Self {
        let over = |x: f64, y: f64| if y > 0.0 { x / y } else { 0.0 };
        Self { k: kp, ti: over(kp, ki), td: over(kd, kp), ..Self::default() }
    }

    /// The same controller in the parallel form, which goes on damping when its proportional gain is 0.
    #[must_use]
    pub fn law(&self) -> Law {
        let integrates = self.ti > 0.0 && self.ti.is_finite();
        Law {
            kp: self.k,
            ki: if integrates { self.k / self.ti } else { 0.0 },
            kd: self.k * self.td,
            filter: if self.n > 0.0 { self.td / self.n } else { 0.0 },
            tracking: if self.td > 0.0 { (self.ti * self.td).sqrt() } else { self.ti },
            windup: self.windup,
        }
    }
}

/// Gains in the parallel form, each term by itself; a gain of 0 switches its term off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Proportional gain.
    pub kp: f64,
    /// Integral gain, per second.
    pub ki: f64,
    /// Derivative gain, seconds.
    pub kd: f64,
    /// Time constant of the derivative's filter, s; 0 does not filter.
    pub filter: f64,
    /// Tt, in which the integral follows a limited output, s.
    pub tracking: f64,
    /// What keeps the integral from winding up.
    pub windup: Windup,
}

/// What can be controlled: numbers and vectors.
pub trait Quantity:
    Copy + Default + PartialEq + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self>
{
    /// The inner product: whether two point the same way.
    fn along(self, other: Self) -> f64;
}

impl Quantity for f64 {
    fn along(self, other: Self) -> f64 {
        self * other
    }
}

impl Quantity for glam::DVec3 {
    fn along(self, other: Self) -> f64 {
        self.dot(other)
    }
}

/// What a controller keeps between its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pid<T> {
    /// The integral term, in the unit of the output.
    pub integral: T,
    /// The filtered derivative term, in the unit of the output.
    pub derivative: T,
    before: Option<T>,
}

impl<T: Quantity> Pid<T> {
    /// One step of `h` seconds: the output for set-point `r` and measurement `y`, with a feed-forward, limited by `limit`.
    pub fn step(&mut self, gains: &Gains, h: f64, (r, y): (T, T), forward: T, limit: impl Fn(T) -> T) -> T {
        let change = self.before.map_or_else(T::default, |before| y - before);
        self.before = Some(y);
        self.step_by(&gains.law(), h, (r - y, r * gains.b - y), change, forward, limit)
    }

    /// As [`Self::step`] where differences are not those of numbers: (error, weighted error) and how far the measurement moved
    /// since the last step.
    pub fn step_by(
        &mut self,
        law: &Law,
        h: f64,
        (error, weighted): (T, T),
        change: T,
        forward: T,
        limit: impl Fn(T) -> T,
    ) -> T {
        if law.kd > 0.0 {
            let whole = law.filter + h;
            self.derivative = self.derivative * (law.filter / whole) - change * (law.kd / whole);
        } else {
            self.derivative = T::default();
        }
        let wanted = weighted * law.kp + self.integral + self.derivative + forward;
        let output = limit(wanted);
        if law.ki > 0.0 {
            let grow = error * (law.ki * h);
            self.integral = match law.windup {
                Windup::Clamping if output != wanted && error.along(wanted) >= 0.0 => self.integral,
                Windup::Free | Windup::Clamping => self.integral + grow,
                Windup::BackCalculation => self.integral + grow + (output - wanted) * (h / law.tracking.max(h)),
            };
        } else {
            self.integral = T::default();
        }
        output
    }
}
