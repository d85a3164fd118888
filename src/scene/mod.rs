//! The room `scene`.
