//! Automation: `cargo xtask tidy|bench|…`.

fn main() {}
