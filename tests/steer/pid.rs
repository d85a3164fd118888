//! The controller and its automatic tuning on the reference plant: a velocity command behind a dead time and a lag.

use std::collections::VecDeque;

use glam::DVec3;
use swarmyard::steer::pid::{Gains, Pid, Windup};
use swarmyard::steer::relay::{RULES, Relay, RelayError, Run, apply, exact};

/// P(s) = e^(−Ls)/(s(τs + 1)), exact for commands that are held for `h`; `L` must be a multiple of `h`.
struct Plant {
    lag: f64,
    h: f64,
    x: f64,
    v: f64,
    pipe: VecDeque<f64>,
}

impl Plant {
    fn new(lag: f64, dead_time: f64, h: f64) -> Self {
        let ticks = (dead_time / h).round() as usize;
        assert!((ticks as f64 * h - dead_time).abs() < 1e-12, "whole ticks");
        Self { lag, h, x: 0.0, v: 0.0, pipe: std::iter::repeat_n(0.0, ticks).collect() }
    }

    fn step(&mut self, u: f64) {
        self.pipe.push_back(u);
        let u = self.pipe.pop_front().unwrap_or(u);
        if self.lag > 0.0 {
            let decay = (-self.h / self.lag).exp();
            self.x += self.lag * (1.0 - decay) * (self.v - u) + self.h * u;
            self.v = u + (self.v - u) * decay;
        } else {
            self.x += self.h * u;
            self.v = u;
        }
    }
}

struct Answer {
    /// Percent.
    overshoot: f64,
    /// s; none within the time watched.
    settled: Option<f64>,
}

/// Step of the set-point from 0 to `size`, control every 5 ms; settled is within `band` of it.
fn answer(gains: &Gains, size: f64, most: f64, seconds: f64, band: f64) -> Answer {
    let h = 0.005;
    let mut plant = Plant::new(0.2, 0.12, h);
    let mut pid = Pid::default();
    let (mut peak, mut last) = (0.0_f64, None);
    for tick in 0..(seconds / h) as usize {
        let u = pid.step(gains, h, (size, plant.x), 0.0, |v: f64| v.clamp(-most, most));
        plant.step(u);
        peak = peak.max(plant.x);
        if (plant.x - size).abs() > band {
            last = Some((tick + 1) as f64 * h);
        }
    }
    let settled = last.filter(|last| *last < seconds - 0.1);
    Answer { overshoot: 100.0 * (peak - size) / size, settled }
}

fn near(value: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((value - wanted).abs() <= tolerance, "{what}: {value} against {wanted}");
}

/// Reference table: what the rules really do on τ 0.2 s, L 0.12 s.
#[test]
fn the_rules_do_on_this_plant_what_the_reference_says() {
    let (gain, period) = exact(0.2, 0.12).expect("it has a dead time");
    let rule = |name: &str| apply(RULES.iter().find(|rule| rule.0 == name).expect("listed"), gain, period);
    for (name, overshoot, settled) in [
        ("P", 48.0, 3.96),
        ("PI", 91.0, 8.7),
        ("PD", 24.0, 1.53),
        ("PID", 75.0, 2.78),
        ("Pessen", 79.0, 2.71),
        ("no overshoot", 60.0, 8.65),
    ] {
        let found = answer(&rule(name), 1.0, f64::INFINITY, 40.0, 0.02);
        near(found.overshoot, overshoot, 1.0, name);
        near(found.settled.expect("it settles"), settled, 0.05, name);
    }
    let weighted = Gains { b: 0.0, ..rule("PID") };
    let found = answer(&weighted, 1.0, f64::INFINITY, 40.0, 0.02);
    near(found.overshoot, 18.0, 1.0, "b = 0");
    near(found.settled.expect("it settles"), 2.37, 0.05, "b = 0");
}

#[test]
fn the_tuned_pd_settles_in_four_fifths_of_a_second() {
    // At 60 Hz, 0.12 s are 7.2 ticks: control every 16⅔ ms, plant every third of a tick of 1/180 s is no whole number either,
    // so the plant runs in steps of 1/300 s: 36 of dead time, 5 per control step.
    let h = 1.0 / 300.0;
    let mut plant = Plant::new(0.2, 0.12, h);
    let gains = Gains { k: 3.75, td: 0.175, ..Gains::default() };
    let mut pid = Pid::default();
    let (mut peak, mut last, mut u) = (0.0_f64, 0.0, 0.0);
    for step in 0..1500 {
        if step % 5 == 0 {
            u = pid.step(&gains, 1.0 / 60.0, (1.0, plant.x), 0.0, |v: f64| v);
        }
        plant.step(u);
        peak = peak.max(plant.x);
        if (plant.x - 1.0).abs() > 0.02 {
            last = f64::from(step + 1) * h;
        }
    }
    near(100.0 * (peak - 1.0), 0.13, 0.05, "overshoot");
    near(last, 0.80, 0.02, "settled");
}

/// F15, and the windup test of the reference: step 10 m, at most 1.2 m/s, settled within 5 cm (the contract's).
#[test]
fn f15_a_limited_output_does_not_wind_up_the_integral() {
    let (gain, period) = exact(0.2, 0.12).expect("it has a dead time");
    let gains = apply(&RULES[3], gain, period);
    let free = answer(&Gains { windup: Windup::Free, ..gains }, 10.0, 1.2, 40.0, 0.05);
    near(free.overshoot, 99.9, 0.5, "free");
    assert_eq!(free.settled, None, "it never settles");
    for (windup, overshoot, settled) in [(Windup::Clamping, 1.39, 9.37), (Windup::BackCalculation, 1.79, 9.40)] {
        let found = answer(&Gains { windup, ..gains }, 10.0, 1.2, 40.0, 0.05);
        near(found.overshoot, overshoot, 0.15, &format!("{windup:?}"));
        near(found.settled.expect("it settles"), settled, 0.05, &format!("{windup:?}"));
        assert!(found.overshoot < 3.0);
    }
}

/// F16: the derivative looks at the measurement, so a jump of the set-point does not kick it.
#[test]
fn f16_a_jump_of_the_set_point_does_not_kick_the_derivative() {
    let gains = Gains { k: 2.0, td: 0.5, ..Gains::default() };
    let mut pid = Pid::default();
    for step in 0..20 {
        let r = if step < 10 { 0.0 } else { 5.0 };
        let u = pid.step(&gains, 0.01, (r, 1.0), 0.0, |v: f64| v);
        assert_eq!(pid.derivative, 0.0);
        assert_eq!(u, 2.0 * (r - 1.0));
    }
}

#[test]
fn times_of_nothing_are_off_and_the_parallel_form_is_the_same() {
    let gains = Gains::parallel(2.0, 0.5, 0.25);
    assert_eq!((gains.k, gains.ti, gains.td), (2.0, 4.0, 0.125));
    assert_eq!(Gains::parallel(3.0, 0.0, 0.0).ti, 0.0);
    for ti in [0.0, f64::INFINITY] {
        let mut pid = Pid::default();
        for _ in 0..100 {
            assert_eq!(pid.step(&Gains { k: 3.0, ti, ..Gains::default() }, 0.01, (1.0, 0.5), 0.25, |v: f64| v), 1.75);
        }
        assert_eq!(pid.integral, 0.0);
    }
}

/// Vectors are limited by length: the direction stays, and the integral is led back along it.
#[test]
fn a_vector_saturates_by_its_length() {
    let gains = Gains { k: 2.0, ti: 1.0, td: 0.0, ..Gains::default() };
    let mut pid = Pid::default();
    let limit = |v: DVec3| swarmyard::sim::body::limit(v, 1.0);
    for _ in 0..500 {
        let u = pid.step(&gains, 0.01, (DVec3::new(3.0, 4.0, 0.0), DVec3::ZERO), DVec3::ZERO, limit);
        assert!((u.length() - 1.0).abs() < 1e-12);
        assert!(u.cross(DVec3::new(3.0, 4.0, 0.0)).length() < 1e-12);
    }
    // At rest I = u − P − Ti·K·e/Tt·… stays bounded: P is 10 long, the output 1.
    assert!(pid.integral.length() < 20.0, "{}", pid.integral);
}

#[test]
fn the_exact_ultimate_points_are_those_of_the_reference() {
    for (lag, dead_time, gain, period) in [
        (0.2, 0.12, 9.066029132197, 1.069379001610),
        (0.0, 0.12, 13.089969389957, 0.48),
        (0.2, 0.21, 5.429706213784, 1.506797919274),
        (0.1, 0.12, 9.629566778217, 0.821469750871),
    ] {
        let (found, time) = exact(lag, dead_time).expect("it has a dead time");
        near(found, gain, 1e-10, "Ku");
        near(time, period, 1e-10, "Tu");
    }
    assert_eq!(exact(0.2, 0.0), None);
}

fn tune(lag: f64, relay: Relay, h: f64, shift: f64) -> Result<swarmyard::steer::relay::Ultimate, RelayError> {
    let mut plant = Plant::new(lag, 0.12, h);
    let mut run = Run::new(relay);
    while !run.is_over() {
        let u = run.step(plant.x, h);
        plant.step(u + shift);
    }
    run.result()
}

/// The analytic limit cycle under the relay, to 1 %; and how far the estimate is from the true ultimate point.
#[test]
fn f32_the_relay_finds_the_limit_cycle() {
    let found = tune(0.2, Relay::default(), 0.0005, 0.0).expect("it oscillates");
    near(found.period / 1.108148, 1.0, 0.01, "T");
    near(found.amplitude / 0.150559, 1.0, 0.01, "a");
    near(found.gain / 8.456770, 1.0, 0.01, "Ku");
    let (gain, period) = exact(0.2, 0.12).expect("it has a dead time");
    near(100.0 * (found.gain / gain - 1.0), -6.72, 1.0, "Ku against the true one, %");
    near(100.0 * (found.period / period - 1.0), 3.63, 1.0, "Tu against the true one, %");
    let integrator = tune(0.0, Relay::default(), 0.0005, 0.0).expect("it oscillates");
    near(integrator.period / 0.48, 1.0, 0.01, "T");
    near(integrator.amplitude / 0.12, 1.0, 0.01, "a");
    near(integrator.gain / 10.610330, 1.0, 0.01, "Ku");
    let wide = tune(0.2, Relay { hysteresis: 0.02, ..Relay::default() }, 0.0005, 0.0).expect("it oscillates");
    near(wide.period / 1.2320, 1.0, 0.01, "T with hysteresis");
    near(wide.gain / 7.184, 1.0, 0.01, "Ku with hysteresis");
}

/// Bugs of other tuners: amplitude taken peak to peak, wrong relay amplitude, hysteresis left out.
#[test]
fn the_estimate_does_not_depend_on_the_size_of_the_relay() {
    let one = tune(0.2, Relay::default(), 0.001, 0.0).expect("it oscillates");
    let small = tune(0.2, Relay { output: 0.3, ..Relay::default() }, 0.001, 0.0).expect("it oscillates");
    near(one.gain / small.gain, 1.0, 1e-6, "Ku");
    near(small.amplitude / one.amplitude, 0.3, 1e-6, "a");
}

#[test]
fn what_cannot_be_measured_is_refused() {
    assert!(matches!(tune(0.2, Relay::default(), 0.001, 0.4), Err(RelayError::Lopsided(_))));
    let mut still = Run::new(Relay::default());
    while !still.is_over() {
        still.step(0.0, 1.0);
    }
    assert_eq!(still.result(), Err(RelayError::Still));
}
