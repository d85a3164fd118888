//! Native forces: formulas at points computed by hand, invariances, control, and what went wrong elsewhere.

mod behavior;
mod control;
mod crowd;
mod crowd_contact;
mod crowd_csm;
mod faults;
mod forces;
mod invariance;
mod minds;
mod pid;
mod yard;
