//! The object library: what each operation on a shared object does. Written once, for models and for real programs.

pub mod channel;
