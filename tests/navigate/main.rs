//! Navigation: the mesh, shortest paths against brute force, following, and faults that people met in other programs.

mod brute;
mod driving;
mod faults;
mod follow;
mod ground;
mod held;
mod helpers;
mod houses;
mod shortest;
mod street;
