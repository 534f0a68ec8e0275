//! Promela text to system.

pub mod lexer;
pub mod preprocess;
pub mod token;
