//! Where the places are: curves, places at equal spacing, formations by name or as data, and who takes which place.
//!
//! Knows no Lua and no files. A formation lives in its own frame (slot 0 is the head, meters, radians, heading 0 = +x,
//! counter-clockwise); a [`Pose`] puts the frame into the world. The formulas and the tables they are tested against
//! are those of the reference page on formations: places sit at equal *arc length* or equal *straight distance* along a
//! curve that is given in any parameter.
//!
//! * [`slots()`] makes the places of a native formation, [`NATIVES`] is the registry of all of them.
//! * [`place()`] puts places on any [`Curve`], [`place_source`] on a curve that can only be asked for points in batches.
//! * [`FormationData`] reads a formation written as key and value pairs.
//! * [`BaseLineFinder`] finds the line that a group lies on, [`BaseLine`].
//! * [`assign()`] and [`reassign`] decide who goes where, [`Capt`] says whether that keeps bodies apart.

mod assign;
mod base_line;
mod capt;
mod chebyshev;
mod cluster;
mod curve;
mod data;
mod error;
mod even;
mod native;
mod offset;
mod param;
mod place;
mod sampled;
mod shapes;
mod slots;
mod source;
mod track;
mod walk;

pub use assign::{Assignment, Method, MethodUsed, OPTIMAL_UP_TO, Threshold, assign, reassign};
pub use base_line::{BaseLine, BaseLineFinder, BaseLineMethod, CLUSTER, weight as base_line_weight};
pub use capt::{Capt, GUARANTEED_UP_TO, Nearest};
pub use curve::{Arc, Curve, Helix, SWave, Spiral, Straight};
pub use data::{DataProblem, DataValue, FormationData};
pub use error::{AssignError, FormationError};
pub use native::{IMPLICIT_PARAMS, NATIVES, Native, find, slots};
pub use param::{Must, Param, ParamKind, Value};
pub use place::{MAX_PLACES, place};
pub use slots::{Frame, ListPlace, Measure, Motion, Overflow, Place, Pose, Slots, Spacing};
pub use source::{Domain, PointSource, place_source};
