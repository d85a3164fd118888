//! Measuring lines and areas as typed.

use glam::DVec3;

use crate::scene::decode::{Limit, Spanned, record};

record! {
    /// A line at which passings, flow, density and speed are measured.
    MeasureLineFile "Line" {
        /// its name, for plots: `lines.NAME.flow`
        name: Spanned<String> = Spanned::default(), required;
        /// one end in m; to the right of the way from here to `to` is the positive direction
        from: DVec3 = DVec3::ZERO, required;
        /// the other end in m
        to: DVec3 = DVec3::ZERO, required;
        /// the groups that count; all without it
        groups: Vec<Spanned<String>> = Vec::new(), optional;
        /// seconds over which the flow is taken
        window: f64 = 10.0, optional, Limit::Positive;
        /// the largest reach of a person's cell in m; as far as the ground goes without it
        cut_off: Option<f64> = None, optional, Limit::Positive;
    }
}

record! {
    /// An area in which people, density, speed and lanes are measured: `min` and `max`, or `points`.
    MeasureAreaFile "Area" {
        /// its name, for plots: `areas.NAME.density`
        name: Spanned<String> = Spanned::default(), required;
        /// one corner in m
        min: Option<DVec3> = None, optional;
        /// the opposite corner in m
        max: Option<DVec3> = None, optional;
        /// corners in m, of a polygon that does not cross itself
        points: Vec<DVec3> = Vec::new(), optional;
        /// the groups that count; all without it
        groups: Vec<Spanned<String>> = Vec::new(), optional;
        /// the largest reach of a person's cell in m; as far as the ground goes without it
        cut_off: Option<f64> = None, optional, Limit::Positive;
        /// the axis of the streams, for `lane_order`
        along: DVec3 = DVec3::X, optional;
        /// width of a band in m, for `lane_order`
        band: f64 = 0.6, optional, Limit::Within(0.01, 100.0);
    }
}
