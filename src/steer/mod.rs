//! The room `steer`.
