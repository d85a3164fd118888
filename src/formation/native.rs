//! The registry of native formations: names, parameters, defaults, and the function that makes the places.

use std::f64::consts::{FRAC_PI_2, PI};

use super::error::FormationError;
use super::param::{Must, Param, ParamKind, Value, nearest};
use super::place::check_count;
use super::shapes;
use super::slots::{Measure, Overflow, Slots, Spacing};

/// A native formation.
#[derive(Debug, Clone, Copy)]
pub struct Native {
    /// Name in scenes, scripts and on the command line.
    pub name: &'static str,
    /// One line for lists and tooltips.
    pub about: &'static str,
    /// All its parameters, in the order of sliders.
    pub params: &'static [Param],
    /// Whether the last place is a neighbor of the first.
    pub closed: bool,
    /// Heading of the formation's front in its own frame, in radians: what `direction` turns.
    pub front: f64,
    make: fn(&Settings<'_>, usize) -> Result<Slots, FormationError>,
}

/// Checked values of all parameters of one formation.
pub(crate) struct Settings<'v> {
    native: &'static Native,
    given: &'v [(String, Value)],
}

impl Settings<'_> {
    fn value(&self, name: &str) -> Value {
        // The last one given wins, as with `--set` after a file.
        let given = self.given.iter().rev().find(|(given, _)| given == name);
        given.map_or_else(
            || self.native.param(name).expect("a generator asks only for parameters of its table").default(),
            |(_, value)| value.clone(),
        )
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Value::Number(number) => number,
            Value::Choice(_) => f64::NAN,
        }
    }

    fn choice(&self, name: &str) -> String {
        match self.value(name) {
            Value::Choice(word) => word,
            Value::Number(_) => String::new(),
        }
    }

    pub(crate) fn spacing(&self) -> Spacing {
        Spacing {
            distance: self.number("spacing"),
            measure: Measure::parse(&self.choice("measure")).unwrap_or_default(),
            overflow: Overflow::parse(&self.choice("overflow")).unwrap_or_default(),
        }
    }
}

impl Native {
    /// The parameter of this name.
    pub fn param(&self, name: &str) -> Option<&'static Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// An error unless the formation has this parameter and it can have this value.
    ///
    /// # Errors
    /// [`FormationError::UnknownParam`] with the nearest name, [`FormationError::BadValue`].
    pub fn check(&self, name: &str, value: &Value) -> Result<(), FormationError> {
        let Some(param) = self.param(name) else {
            return Err(FormationError::UnknownParam {
                formation: self.name.to_owned(),
                param: name.to_owned(),
                near: nearest(name, self.params.iter().map(|param| param.name)),
            });
        };
        param.check(value)
    }

    /// `n` places in the formation's own frame; parameters not given have their defaults, the last of a name wins.
    ///
    /// # Errors
    /// Unknown or bad parameters, too many places, or a curve that is too short.
    pub fn slots(&'static self, params: &[(String, Value)], n: usize) -> Result<Slots, FormationError> {
        for (name, value) in params {
            self.check(name, value)?;
        }
        check_count(n)?;
        (self.make)(&Settings { native: self, given: params }, n)
    }
}

/// The native formation of this name.
///
/// # Errors
/// [`FormationError::UnknownFormation`] with the nearest name.
pub fn find(name: &str) -> Result<&'static Native, FormationError> {
    NATIVES.iter().find(|native| native.name == name).ok_or_else(|| FormationError::UnknownFormation {
        name: name.to_owned(),
        near: nearest(name, NATIVES.iter().map(|native| native.name)),
    })
}

/// `n` places of the native formation `name`, in its own frame.
///
/// # Errors
/// As [`find`] and [`Native::slots`].
pub fn slots(name: &str, params: &[(String, Value)], n: usize) -> Result<Slots, FormationError> {
    find(name)?.slots(params, n)
}

const fn number(
    name: &'static str,
    unit: &'static str,
    (default, min, max): (f64, f64, f64),
    must: Must,
    about: &'static str,
) -> Param {
    Param { name, unit, about, kind: ParamKind::Number { default, min, max, must } }
}

const fn spacing(default: f64) -> Param {
    number("spacing", "m", (default, 0.1, 10.0), Must::BePositive, "Distance between neighbors.")
}

const MEASURE: Param = Param {
    name: "measure",
    unit: "",
    about: "Whether spacing counts along the curve (arc) or straight (chord).",
    kind: ParamKind::Choice { default: "arc", options: Measure::NAMES },
};

const OVERFLOW: Param = Param {
    name: "overflow",
    unit: "",
    about: "What to do when the curve is too short: error, shrink the spacing, or add rows.",
    kind: ParamKind::Choice { default: "error", options: Overflow::NAMES },
};

/// Parameters that every curve of a script has even if it declares none: `spacing`, `measure`, `overflow`.
pub const IMPLICIT_PARAMS: [Param; 3] = [spacing(1.2), MEASURE, OVERFLOW];

/// All native formations, in the order of lists.
pub static NATIVES: &[Native] = &[
    Native {
        name: "line",
        about: "Side by side along +x, each heading along the line.",
        params: &[spacing(1.2), MEASURE, OVERFLOW],
        closed: false,
        front: 0.0,
        make: shapes::line,
    },
    Native {
        name: "column",
        about: "One behind the other, the head in front.",
        params: &[spacing(1.2), MEASURE, OVERFLOW],
        closed: false,
        front: FRAC_PI_2,
        make: shapes::column,
    },
    Native {
        name: "row",
        about: "Abreast: along +x, all facing +y.",
        params: &[spacing(1.2), MEASURE, OVERFLOW],
        closed: false,
        front: FRAC_PI_2,
        make: shapes::row,
    },
    Native {
        name: "arc",
        about: "Part of a circle, from one angle to another.",
        params: &[
            number("radius", "m", (5.0, 0.5, 50.0), Must::BePositive, "Radius of the circle."),
            number("start_angle", "rad", (0.0, -PI, PI), Must::BeFinite, "Where the head stands."),
            number(
                "end_angle",
                "rad",
                (PI, -2.0 * PI, 2.0 * PI),
                Must::BeFinite,
                "Where the arc ends; below the start it runs clockwise.",
            ),
            spacing(0.8),
            MEASURE,
            OVERFLOW,
        ],
        closed: false,
        front: 0.0,
        make: shapes::arc,
    },
    Native {
        name: "circle",
        about: "All round a circle, as large as the spacing asks unless a radius is given.",
        params: &[
            spacing(1.2),
            number("radius", "m", (0.0, 0.0, 50.0), Must::BeAtLeast(0.0), "Radius; 0 takes it from the spacing."),
            MEASURE,
            OVERFLOW,
        ],
        closed: true,
        front: 0.0,
        make: shapes::circle,
    },
    Native {
        name: "v",
        about: "Two arms behind the head, in turn left and right.",
        params: &[
            spacing(1.2),
            number(
                "half_angle",
                "rad",
                (35.0 * PI / 180.0, 0.05, FRAC_PI_2),
                Must::BeFinite,
                "Angle between each arm and the axis.",
            ),
        ],
        closed: false,
        front: FRAC_PI_2,
        make: shapes::v,
    },
    Native {
        name: "grid",
        about: "Rows of equal length, centered, the front row first.",
        params: &[number("columns", "", (4.0, 1.0, 50.0), Must::BeCount, "Places in a row."), spacing(1.5)],
        closed: false,
        front: FRAC_PI_2,
        make: shapes::grid,
    },
    Native {
        name: "spiral",
        about: "Archimedean spiral, the head at its inner end.",
        params: &[
            number("initial_radius", "m", (1.0, 0.0, 10.0), Must::BeAtLeast(0.0), "Radius at the head."),
            number(
                "growth_rate",
                "m/rad",
                (0.15, -1.0, 2.0),
                Must::BeFinite,
                "Growth of the radius; 0 is a circle, below 0 it winds inward.",
            ),
            spacing(0.7),
            MEASURE,
            OVERFLOW,
        ],
        closed: false,
        front: 0.0,
        make: shapes::spiral,
    },
    Native {
        name: "s_wave",
        about: "A sine wave along +x.",
        params: &[
            number("amplitude", "m", (2.0, 0.0, 10.0), Must::BeFinite, "Height of the wave; 0 is a line."),
            number("wavelength", "m", (8.0, 1.0, 40.0), Must::BeAtLeast(0.01), "Length of one wave."),
            spacing(1.2),
            MEASURE,
            OVERFLOW,
        ],
        closed: false,
        front: 0.0,
        make: shapes::s_wave,
    },
    Native {
        name: "sphere",
        about: "All over a sphere, as large as the spacing asks unless a radius is given; the head on top.",
        params: &[
            spacing(2.0),
            number("radius", "m", (0.0, 0.0, 50.0), Must::BeAtLeast(0.0), "Radius; 0 takes it from the spacing."),
        ],
        closed: false,
        front: FRAC_PI_2,
        make: shapes::sphere,
    },
    Native {
        name: "helix",
        about: "Winding upwards about +z, the head at its lower end.",
        params: &[
            number("radius", "m", (5.0, 0.5, 50.0), Must::BePositive, "Radius."),
            number("pitch", "m", (4.0, 0.0, 20.0), Must::BeAtLeast(0.0), "Rise per turn; 0 is one turn of a circle."),
            spacing(2.0),
            MEASURE,
            OVERFLOW,
        ],
        closed: false,
        front: 0.0,
        make: shapes::helix,
    },
];
