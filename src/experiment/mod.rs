//! The room `experiment`.
