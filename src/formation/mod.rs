//! The room `formation`.
