//! The command line of Everyweave.

fn main() {}
