//! The program as a person or another program meets it: statuses, JSON, messages, files it writes, and the manual.

mod check;
mod hostile;
mod json;
mod manual;
mod new;
mod program;
mod run;
mod serve;
mod slots;
mod tables;
mod trajectories;
mod tune;
mod usage;
mod validate;
