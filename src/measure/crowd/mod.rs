//! What pedestrian researchers measure of crowds: density, speed and flow in areas and at lines, conflicts, lanes, stuck people.
//!
//! Pure functions and small machines of plain data in the plane (x, y), SI units. Definitions are those of PedPy
//! (Schrödter et al., doi 10.5281/zenodo.7386931) where it has one; each page says where ours goes further. Knows neither
//! scenes nor meshes: the ground comes as convex polygons ([`Walkable`]).

pub mod conflict;
pub mod density;
pub mod flow;
pub mod fundamental;
pub mod lanes;
pub mod line;
pub mod metric;
pub mod polygon;
pub mod speed;
pub mod stuck;
pub mod voronoi;
pub mod walkable;

pub use conflict::{Conflicts, time_to_collision};
pub use density::{classic_density, count, line_density, voronoi_density};
pub use flow::{Gate, Passing, flow, flow_of_share, headways};
pub use fundamental::{LEVELS, Level, MEASURED, MeasuredPoint, weidmann_flow, weidmann_speed};
pub use lanes::{Lanes, main_axis};
pub use line::{Crossing, Line};
pub use metric::{AreaMetric, LineMetric};
pub use polygon::{Clip, Polygon};
pub use speed::{line_flow, line_speed, mean_speed, voronoi_speed};
pub use stuck::Stuck;
pub use voronoi::{CutOff, Field, Voronoi};
pub use walkable::Walkable;
