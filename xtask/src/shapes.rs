//! `xtask bench shapes`: structures a second, beside those of the original 3VMC
//! (`crates/shapes/benches/structures.rs`).

use std::{io, process::Command};

const WANTED: f64 = 100.0;

/// Prints the table; true if weave is nowhere less than a hundred times as fast.
pub fn bench() -> io::Result<bool> {
    let out = Command::new("cargo")
        .args(["bench", "-q", "-p", "everyweave-shapes", "--bench", "structures"])
        .output()?;
    if !out.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&out.stderr).into_owned()));
    }
    let table = String::from_utf8_lossy(&out.stdout).into_owned();
    print!("{table}");
    // Models that the original has not, or does not finish, have no ratio.
    let last = table.lines().skip(1).filter_map(|line| line.rsplit(',').next()).filter(|r| !r.is_empty());
    let ratios: Vec<Option<f64>> = last.map(|ratio| ratio.parse().ok()).collect();
    Ok(!ratios.is_empty() && ratios.iter().all(|ratio| ratio.is_some_and(|r| r >= WANTED)))
}
