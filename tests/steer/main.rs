//! Native forces: formulas at points computed by hand, invariances, control, and what went wrong elsewhere.

mod behavior;
mod control;
mod faults;
mod forces;
mod invariance;
mod minds;
mod pid;
mod yard;
