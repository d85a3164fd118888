//! The body of a group's agents as typed.

use crate::scene::decode::{Decoder, Fields, Limit, Spanned, Table, choice, record, words};
use crate::scene::file::spawn::Range;
use crate::scene::ron::Node;
use crate::sim::{Avoid, BodySpec, Csm, Drive, HeadingMode, Orca};

words!(Drive, "drive", [Acceleration, Velocity]);
words!(HeadingMode, "heading", [Auto, Free, AlongVelocity]);

record! {
    /// Optimal reciprocal collision avoidance (van den Berg et al. 2011).
    OrcaFile "Orca" {
        /// agents within this distance count, in m
        neighbor_distance: f64 = Orca::default().neighbor_distance, optional, Limit::AboveUpTo(0.0, 1e4);
        /// the nearest so many of them count
        max_neighbors: u32 = Orca::default().max_neighbors, optional, Limit::Within(0.0, 1000.0);
        /// time ahead in which agents do not touch, in s
        time_horizon_agents: f64 = Orca::default().time_horizon_agents, optional, Limit::Within(0.0, 1000.0);
        /// time ahead in which obstacles are not touched, in s
        time_horizon_obstacles: f64 = Orca::default().time_horizon_obstacles, optional, Limit::Within(0.0, 1000.0);
        /// the layers it is in, one bit each: 1, 2, 4, …, and 5 for 1 and 4; who avoids nobody is in layer 1
        avoidance_layers: u32 = Orca::default().avoidance_layers, optional;
        /// the layers whose agents it avoids, one bit each
        avoidance_mask: u32 = Orca::default().avoidance_mask, optional;
        /// it avoids nobody of lower priority, and of two the one with the lower does all
        avoidance_priority: f64 = Orca::default().avoidance_priority, optional, Limit::Within(0.0, 1e6);
    }
}

record! {
    /// Speed of the collision-free speed model (Tordeux, Chraibi, Seyfried 2016).
    CsmFile "Csm" {
        /// time gap to the one in front, in s
        time_gap: f64 = Csm::default().time_gap, optional, Limit::AboveUpTo(0.0, 1000.0);
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
        /// with navigation: a waypoint is reached below this distance in m; 0: as the navigation says
        path_desired_distance: f64 = 0.0, optional, Limit::NotNegative;
        /// with navigation: the target is reached below this distance in m; 0: as the navigation says
        target_desired_distance: f64 = 0.0, optional, Limit::NotNegative;
        /// with navigation: who is farther than this from its path gets a new one, in m; 0: as the navigation says
        path_max_distance: f64 = 0.0, optional, Limit::NotNegative;
        /// `Acceleration` or `Velocity`; as the behavior asks without it
        drive: Option<Drive> = None, optional;
        /// `Auto`, `Free` or `AlongVelocity`
        heading: HeadingMode = HeadingMode::Auto, optional;
        /// the filter from wanted to safe velocity: `None`, `Orca(…)` or `Csm(…)`
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

impl AvoidFile {
    /// The avoidance as the core knows it.
    pub fn avoid(&self) -> Avoid {
        match self {
            Self::Orca(file) => Avoid::Orca(Orca {
                neighbor_distance: file.neighbor_distance,
                max_neighbors: file.max_neighbors,
                time_horizon_agents: file.time_horizon_agents,
                time_horizon_obstacles: file.time_horizon_obstacles,
                avoidance_layers: file.avoidance_layers,
                avoidance_mask: file.avoidance_mask,
                avoidance_priority: file.avoidance_priority,
            }),
            Self::Csm(file) => Avoid::Csm(Csm { time_gap: file.time_gap }),
        }
    }
}

impl Fields for AvoidFile {
    fn set_field(&mut self, name: &str, node: &Node, decoder: &mut Decoder<'_>) -> bool {
        match self {
            Self::Orca(file) => file.set_field(name, node, decoder),
            Self::Csm(file) => file.set_field(name, node, decoder),
        }
    }
}
