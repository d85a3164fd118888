//! The simulation core: agents as columns, obstacles in an R-tree, neighbor grid, minds, the tick, random streams, state hash.
//!
//! The room knows no Lua, no window, no file and no clock: it counts ticks of a fixed length.

mod act;
pub mod agents;
pub mod angle;
pub mod avoid;
pub mod bearing;
pub mod body;
pub mod command;
pub mod course;
pub mod event;
pub mod group;
pub mod hash;
pub mod id;
pub mod journey;
pub mod mind;
mod moving;
pub mod neighbors;
pub mod obstacle;
pub mod rng;
pub mod space;
pub mod stuck;
pub mod tick;
pub mod update;
pub mod value;
pub mod workers;
pub mod world;

pub use agents::Agents;
pub use angle::wrap_angle;
pub use avoid::{Avoid, AvoidField, Csm, Orca};
pub use body::{BodySpec, Drive, HeadingMode, Integrator};
pub use command::{SimCommand, SimError};
pub use course::{Course, PathState};
pub use event::Event;
pub use group::{Group, Place, Way};
pub use hash::StateHash;
pub use id::{AgentId, GroupId};
pub use journey::{Errand, Leg, Visit};
pub use mind::{Act, Control, Fault, Intent, Intents, Limits, Mind};
pub use neighbors::{Neighbor, NeighborFilter};
pub use rng::Stream;
pub use space::{Area, Edge, Space};
pub use stuck::Progress;
pub use tick::{Stage, Stopwatch, TickReport, tick};
pub use update::UpdateRate;
pub use value::Value;
pub use workers::Workers;
pub use world::{World, WorldSettings};
