//! The body of a group's agents as typed.

use crate::scene::decode::{Limit, Spanned, Table, choice, record, words};
use crate::scene::file::spawn::Range;
use crate::sim::{BodySpec, Drive, HeadingMode};

words!(Drive, "drive", [Acceleration, Velocity]);
words!(HeadingMode, "heading", [Auto, Free, AlongVelocity]);

record! {
    /// Optimal reciprocal collision avoidance (van den Berg et al. 2011).
    OrcaFile "Orca" {
        /// time ahead in which agents must not meet, in s
        horizon: f64 = 2.0, optional, Limit::Positive;
        /// the same for obstacles, in s
        obstacle_horizon: f64 = 1.0, optional, Limit::Positive;
        /// neighbors within this distance count, in m
        range: f64 = 5.0, optional, Limit::Positive;
        /// the nearest so many neighbors count
        max_neighbors: u32 = 10, optional;
    }
}

record! {
    /// Speed of the collision-free speed model (Tordeux, Chraibi, Seyfried 2016).
    CsmFile "Csm" {
        /// time gap to the one in front, in s
        time_gap: f64 = 1.0, optional, Limit::Positive;
    }
}

choice! {
    /// The filter from wanted to safe velocity.
    AvoidFile "avoidance" {
        /// Optimal reciprocal collision avoidance.
        Orca(OrcaFile),
        /// Collision-free speed.
        Csm(CsmFile),
    }
}

record! {
    /// The body: how an intent becomes motion.
    BodyFile "body" {
        /// radius in m; 0 for a point
        radius: f64 = BodySpec::default().radius, optional, Limit::NotNegative;
        /// speed limit in m/s
        max_speed: f64 = BodySpec::default().max_speed, optional, Limit::NotNegative;
        /// acceleration limit in m/s²
        max_acceleration: f64 = BodySpec::default().max_acceleration, optional, Limit::NotNegative;
        /// turn rate limit in rad/s
        turn_rate: f64 = BodySpec::default().turn_rate, optional, Limit::NotNegative;
        /// time constant of the first-order lag in s
        lag: f64 = BodySpec::default().lag, optional, Limit::Within(0.0, 100.0);
        /// dead time in s
        dead_time: f64 = BodySpec::default().dead_time, optional, Limit::Within(0.0, 10.0);
        /// what comes out of a commanded step: 1.05 goes 5 % farther
        stride: f64 = BodySpec::default().stride, optional, Limit::Within(0.01, 100.0);
        /// time in which a body driven the other way follows, in s
        relaxation: f64 = BodySpec::default().relaxation, optional, Limit::Positive;
        /// `Acceleration` or `Velocity`; as the behavior asks without it
        drive: Option<Drive> = None, optional;
        /// `Auto`, `Free` or `AlongVelocity`
        heading: HeadingMode = HeadingMode::Auto, optional;
        /// `None`, `Orca(…)` or `Csm(…)`
        avoid: Option<AvoidFile> = None, optional;
        /// per-agent ranges of the numbers above: `{"dead_time": (0.08, 0.16)}`
        spread: Table<Range> = Table::default(), optional;
    }
}

impl BodyFile {
    /// Reads the spread of one value, for the builder and the window.
    pub fn spread_of(&self, name: &str) -> Option<&Spanned<Range>> {
        self.spread.get(name)
    }
}
