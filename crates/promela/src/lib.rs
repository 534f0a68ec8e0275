//! Promela text to system.
