//! The room `measure`.
