//! Where a number of a resolved blend comes from at run time.

/// Where a number (or vector, or name) comes from at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The slider of that index: one value per group.
    Slider(usize),
    /// The memory field of that index: one value per agent.
    Memory(usize),
}
