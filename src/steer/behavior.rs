//! Native behaviors: named blends of native forces, as data.

use super::blend::Term;
use crate::sim::Control;

/// One native behavior.
#[derive(Clone, Copy, Debug)]
pub struct NativeBehavior {
    /// Name, unique among behaviors and machines.
    pub name: &'static str,
    /// One line for lists.
    pub about: &'static str,
    /// What its sum means.
    pub control: Control,
    /// Its forces.
    pub terms: fn() -> Vec<Term>,
    /// Sliders that come first in the window: address below the group, and what it is called (empty for its own name).
    pub panel: &'static [(&'static str, &'static str)],
}

/// The sliders of a flock.
const FLOCK_PANEL: &[(&str, &str)] = &[
    ("count", ""),
    ("separation.weight", ""),
    ("alignment.weight", ""),
    ("cohesion.weight", ""),
    ("body.max_speed", ""),
    ("separation.radius", "personal space"),
    ("alignment.radius", "alignment view"),
    ("cohesion.radius", "cohesion view"),
    ("alignment.half_angle", "cone half angle"),
];

/// The sliders of pedestrians: count, pace, and the strength and range of the force.
macro_rules! crowd_panel {
    ($force:literal, $strength:literal, $range:literal) => {
        &[
            ("count", ""),
            (concat!($force, ".", $strength), $strength),
            (concat!($force, ".", $range), $range),
            ("driving.speed", "desired speed"),
            ("driving.tau", "tau"),
            ("driving.weight", "drive on"),
            (concat!($force, ".weight"), "others on"),
        ]
    };
}

/// All native behaviors, in name order.
pub const BEHAVIORS: &[NativeBehavior] = &[
    NativeBehavior {
        name: "boids3",
        about: "Reynolds' three rules as drones use them: near 4 m, view 12 m.",
        control: Control::Acceleration,
        terms: || {
            vec![
                Term::native("alignment", 1.0).with("radius", 12.0),
                Term::native("cohesion", 0.8).with("radius", 12.0),
                Term::native("separation", 1.8).with("radius", 4.0),
            ]
        },
        panel: FLOCK_PANEL,
    },
    NativeBehavior {
        name: "crowd",
        about: "Pedestrians by the simple social force: circles in m/s², with the numbers of the text; they may overlap.",
        control: Control::Acceleration,
        panel: crowd_panel!("social_force", "A", "B"),
        terms: || vec![Term::native("driving", 1.0).with("speed", 1.5), Term::native("social_force", 1.0)],
    },
    NativeBehavior {
        name: "crowd_1995",
        about: "Pedestrians by the elliptic social force of Helbing and Molnar 1995.",
        control: Control::Acceleration,
        panel: crowd_panel!("social_force_1995", "V0", "sigma"),
        terms: || vec![Term::native("driving", 1.0), Term::native("social_force_1995", 1.0)],
    },
    NativeBehavior {
        name: "crowd_2000",
        about: "Pedestrians by the social force of Helbing, Farkas and Vicsek 2000, with pressed bodies and friction.",
        control: Control::Acceleration,
        panel: crowd_panel!("social_force_2000", "A", "B"),
        terms: || vec![Term::native("driving", 1.0), Term::native("social_force_2000", 1.0)],
    },
    NativeBehavior {
        name: "crowd_2009",
        about: "Pedestrians by the law that Moussaïd and others measured in 2009.",
        control: Control::Acceleration,
        panel: crowd_panel!("moussaid_2009", "A", "gamma"),
        terms: || {
            vec![Term::native("driving", 1.0).with("speed", 1.29).with("tau", 0.54), Term::native("moussaid_2009", 1.0)]
        },
    },
    NativeBehavior {
        name: "crowd_csm",
        about: "Pedestrians by the collision-free speed model: never faster than the room ahead allows.",
        control: Control::Velocity,
        panel: &[
            ("count", ""),
            ("csm.speed", "desired speed"),
            ("csm.time_gap", "time gap"),
            ("csm.a", ""),
            ("csm.D", ""),
        ],
        terms: || vec![Term::native("csm", 1.0)],
    },
    NativeBehavior {
        name: "drill",
        about: "Holds its place in the formation: soft wall and slot controller.",
        control: Control::Velocity,
        terms: || vec![Term::native("soft_wall", 0.2), Term::native("track_slot", 1.0)],
        panel: &[],
    },
    NativeBehavior {
        name: "flock",
        about: "Separation, alignment, cohesion, round obstacles.",
        control: Control::Acceleration,
        terms: || {
            vec![
                Term::native("alignment", 0.9),
                Term::native("cohesion", 0.7),
                Term::native("obstacle", 1.0),
                Term::native("separation", 1.6),
            ]
        },
        panel: FLOCK_PANEL,
    },
    NativeBehavior {
        name: "flocking",
        about: "The rule that frameworks compare themselves by: constant speed, direction by a weighted sum.",
        control: Control::Velocity,
        panel: &[],
        terms: || vec![Term::native("flocking", 1.0)],
    },
    NativeBehavior {
        name: "follow_leader",
        about: "Behind the leader, apart from each other.",
        control: Control::Acceleration,
        terms: || {
            vec![Term::native("follow_leader", 1.0), Term::native("obstacle", 1.0), Term::native("separation", 1.0)]
        },
        panel: &[],
    },
    NativeBehavior {
        name: "follow_path",
        about: "Along its path to the goal, round obstacles, apart from each other.",
        control: Control::Acceleration,
        terms: || {
            vec![
                Term::native("follow_path", 1.0),
                Term::native("obstacle", 1.0).with("range", 0.3).with("tangent", 0.0),
                Term::native("separation", 0.5),
            ]
        },
        panel: &[],
    },
    NativeBehavior {
        name: "follow_route",
        about: "Along the group's route, apart from each other.",
        control: Control::Acceleration,
        terms: || {
            vec![Term::native("follow_route", 1.0), Term::native("obstacle", 1.0), Term::native("separation", 0.5)]
        },
        panel: &[],
    },
    NativeBehavior {
        name: "form",
        about: "To its place in the formation by acceleration, apart from each other.",
        control: Control::Acceleration,
        terms: || {
            vec![
                Term::native("obstacle", 1.0),
                Term::native("seek_slot", 1.0),
                Term::native("separation", 0.3).with("radius", 0.8),
            ]
        },
        panel: &[],
    },
    NativeBehavior {
        name: "idle",
        about: "Comes to rest and stays.",
        control: Control::Velocity,
        terms: Vec::new,
        panel: &[],
    },
    NativeBehavior {
        name: "seek_goal",
        about: "To the goal, round obstacles, apart from each other.",
        control: Control::Acceleration,
        terms: || vec![Term::native("obstacle", 1.0), Term::native("seek_goal", 1.0), Term::native("separation", 0.5)],
        panel: &[],
    },
    NativeBehavior {
        name: "transit",
        about: "To its place on a straight way in step with all others, round obstacles.",
        control: Control::Acceleration,
        panel: &[],
        terms: || vec![Term::native("obstacle", 1.0), Term::native("transit", 1.0)],
    },
    NativeBehavior {
        name: "vicsek",
        about: "Particles that take on the mean heading of their neighbors, with noise, at constant speed (Vicsek 1995).",
        control: Control::Velocity,
        panel: &[],
        terms: || vec![Term::native("vicsek", 1.0)],
    },
    NativeBehavior {
        name: "wander",
        about: "Strolls about, round obstacles, apart from each other.",
        control: Control::Acceleration,
        terms: || {
            vec![
                Term::native("bounds", 1.0),
                Term::native("obstacle", 1.0),
                Term::native("separation", 0.5),
                Term::native("wander", 1.0),
            ]
        },
        panel: &[],
    },
];

/// The native behavior of that name.
pub fn behavior_named(name: &str) -> Option<&'static NativeBehavior> {
    BEHAVIORS.iter().find(|behavior| behavior.name == name)
}
