//! Generators of the native formations: checked settings in, places out.

use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::curve::{Arc, Helix, SWave, Spiral, Straight};
use super::error::FormationError;
use super::native::Settings;
use super::place::place;
use super::slots::{Measure, Overflow, Place, Slots, Spacing, through};
use crate::sim::wrap_angle;

type Made = Result<Slots, FormationError>;

pub(crate) fn line(settings: &Settings<'_>, n: usize) -> Made {
    place(&Straight { direction: DVec3::X }, &settings.spacing(), n)
}

pub(crate) fn column(settings: &Settings<'_>, n: usize) -> Made {
    Ok(facing_front(place(&Straight { direction: DVec3::NEG_Y }, &settings.spacing(), n)?))
}

pub(crate) fn row(settings: &Settings<'_>, n: usize) -> Made {
    Ok(facing_front(place(&Straight { direction: DVec3::X }, &settings.spacing(), n)?))
}

fn facing_front(mut slots: Slots) -> Slots {
    for place in &mut slots.places {
        place.heading = FRAC_PI_2;
    }
    slots
}

pub(crate) fn arc(settings: &Settings<'_>, n: usize) -> Made {
    let curve = Arc {
        radius: settings.number("radius"),
        start_angle: settings.number("start_angle"),
        end_angle: settings.number("end_angle"),
    };
    place(&curve, &settings.spacing(), n)
}

pub(crate) fn spiral(settings: &Settings<'_>, n: usize) -> Made {
    let curve =
        Spiral { initial_radius: settings.number("initial_radius"), growth_rate: settings.number("growth_rate") };
    place(&curve, &settings.spacing(), n)
}

pub(crate) fn s_wave(settings: &Settings<'_>, n: usize) -> Made {
    let curve = SWave { amplitude: settings.number("amplitude"), wavelength: settings.number("wavelength") };
    place(&curve, &settings.spacing(), n)
}

pub(crate) fn helix(settings: &Settings<'_>, n: usize) -> Made {
    place(&Helix { radius: settings.number("radius"), pitch: settings.number("pitch") }, &settings.spacing(), n)
}

/// Nearest distance of the places of a spherical spiral on the unit sphere, times √n.
const SPIRAL_GAP: f64 = 3.09;

/// A spherical spiral: z falls by 2/n from place to place, the angle grows by the golden angle (Saff and Kuijlaars 1997; Swinbank
/// and Purser 2006). Nearest places are about 3.09·R/√n apart.
#[expect(clippy::unnecessary_wraps, reason = "all generators of the registry have one signature")]
pub(crate) fn sphere(settings: &Settings<'_>, n: usize) -> Made {
    let (asked, distance) = (settings.number("radius"), settings.number("spacing"));
    let from_spacing = if n > 1 { distance * (n as f64).sqrt() / SPIRAL_GAP } else { 0.0 };
    let radius = if asked > 0.0 { asked } else { from_spacing };
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    let place = |i: usize| {
        let z = 1.0 - (2 * i + 1) as f64 / n as f64;
        let (across, angle) = ((1.0 - z * z).max(0.0).sqrt(), golden * i as f64);
        let outward = DVec3::new(across * libm::cos(angle), across * libm::sin(angle), z);
        Place { position: outward * radius, heading: wrap_angle(angle) }
    };
    let places: Vec<Place> = (0..n).map(place).collect();
    let length = through(&places);
    Ok(open(places, length, distance))
}

/// θ_i = 2πi/n. R = d/(2 sin(π/n)) for straight distance d, n·d/(2π) for arc length d, 0 for a single agent.
#[expect(clippy::unnecessary_wraps, reason = "all generators of the registry have one signature")]
pub(crate) fn circle(settings: &Settings<'_>, n: usize) -> Made {
    let (radius, spacing) = (settings.number("radius"), settings.spacing());
    if radius == 0.0 {
        let radius = match (n, spacing.measure) {
            (0 | 1, _) => 0.0,
            (_, Measure::Arc) => n as f64 * spacing.distance / TAU,
            (_, Measure::Chord) => spacing.distance / (2.0 * libm::sin(PI / n as f64)),
        };
        let mut places = Vec::with_capacity(n);
        ring(radius, n, &mut places);
        return Ok(closed(places, TAU * radius, spacing.distance));
    }
    let capacity = ring_capacity(radius, &spacing);
    if spacing.overflow != Overflow::Rows || n <= capacity {
        let mut places = Vec::with_capacity(n);
        ring(radius, n, &mut places);
        let count = n.max(1) as f64;
        let apart = match spacing.measure {
            Measure::Arc => TAU * radius / count,
            Measure::Chord => 2.0 * radius * libm::sin(PI / count),
        };
        return Ok(closed(places, TAU * radius, apart));
    }
    Ok(rings(radius, &spacing, n, capacity))
}

/// Full rings at one spacing, each outside the one before, the last spread evenly.
fn rings(radius: f64, spacing: &Spacing, n: usize, capacity: usize) -> Slots {
    let mut slots = Slots { spacing: spacing.distance, capacity: Some(capacity), ..Slots::default() };
    slots.places.reserve(n);
    while slots.places.len() < n {
        let radius = radius + slots.rows as f64 * spacing.distance;
        let count = ring_capacity(radius, spacing).min(n - slots.places.len());
        ring(radius, count, &mut slots.places);
        slots.length += TAU * radius;
        slots.rows += 1;
    }
    slots
}

/// Places at least one spacing apart all round; ⌊2πR/d⌋ along the arc, at least 1.
fn ring_capacity(radius: f64, spacing: &Spacing) -> usize {
    let step = match spacing.measure {
        Measure::Arc => spacing.distance / radius,
        Measure::Chord => 2.0 * libm::asin((spacing.distance / (2.0 * radius)).min(1.0)),
    };
    libm::floor(TAU / step + 1e-9).max(1.0) as usize
}

fn ring(radius: f64, n: usize, out: &mut Vec<Place>) {
    out.extend((0..n).map(|i| {
        let angle = TAU * i as f64 / n as f64;
        Place {
            position: DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), 0.0),
            heading: wrap_angle(angle + FRAC_PI_2),
        }
    }));
}

fn closed(places: Vec<Place>, length: f64, spacing: f64) -> Slots {
    let rows = usize::from(!places.is_empty());
    Slots { places, length, closed: true, spacing, rows, capacity: None }
}

/// Rank ⌈i/2⌉, side (−1)^i, spacing along the arm.
#[expect(clippy::unnecessary_wraps, reason = "all generators of the registry have one signature")]
pub(crate) fn v(settings: &Settings<'_>, n: usize) -> Made {
    let (distance, half_angle) = (settings.number("spacing"), settings.number("half_angle"));
    let (across, back) = (distance * libm::sin(half_angle), distance * libm::cos(half_angle));
    let place = |i: usize| {
        let (rank, side) = (i.div_ceil(2) as f64, if i.is_multiple_of(2) { 1.0 } else { -1.0 });
        Place { position: DVec3::new(side * rank * across, 0.0 - rank * back, 0.0), heading: FRAC_PI_2 }
    };
    let length = n.saturating_sub(1) as f64 * distance;
    Ok(open((0..n).map(place).collect(), length, distance))
}

/// Centered block, a part row centered too.
#[expect(clippy::unnecessary_wraps, reason = "all generators of the registry have one signature")]
pub(crate) fn grid(settings: &Settings<'_>, n: usize) -> Made {
    let (columns, distance) = (settings.number("columns") as usize, settings.number("spacing"));
    let rows = n.div_ceil(columns);
    let place = |i: usize| {
        let (row, column) = (i / columns, i % columns);
        let in_row = columns.min(n - row * columns);
        let x = (column as f64 - (in_row - 1) as f64 / 2.0) * distance;
        let y = ((rows - 1) as f64 / 2.0 - row as f64) * distance;
        Place { position: DVec3::new(x, y, 0.0), heading: FRAC_PI_2 }
    };
    let places: Vec<Place> = (0..n).map(place).collect();
    let length = through(&places);
    Ok(open(places, length, distance))
}

fn open(places: Vec<Place>, length: f64, spacing: f64) -> Slots {
    let rows = usize::from(!places.is_empty());
    Slots { places, length, closed: false, spacing, rows, capacity: None }
}
