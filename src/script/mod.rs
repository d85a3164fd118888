//! The room `script`.
