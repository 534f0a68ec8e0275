//! `xtask bench shapes`: structures a second, beside those of the original 3VMC.
//!
//! The original cannot be run here; its figures are measurements of a repaired copy: structures processed, and seconds. weave's time
//! is the user time of the whole process, promises tried on concrete runs included. The best of three rounds counts.

use crate::weave::{Answer, Weave};
use std::{io, path::Path};

/// A model, its options, and what the original processed in how many seconds.
const ROWS: [(&str, &[&str], f64, f64); 3] = [
    ("mutex.tvm", &[], 41.0, 0.8),
    ("mutex_two_groups.tvm", &[], 1681.0, 23.0),
    ("two_lock_queue.tvm", &["--join", "partial"], 714.0, 3.3),
];

const ROUNDS: usize = 3;
const WANTED: f64 = 100.0;

/// Prints one line a model; true if weave is nowhere less than a hundred times as fast.
pub fn bench(models: &Path, weave: &Weave) -> io::Result<bool> {
    println!(
        "{:24} {:>8} {:>9} {:>12} {:>12} {:>7}",
        "model", "states", "user s", "weave/s", "original/s", "ratio"
    );
    let mut won = true;
    for (model, options, structures, seconds) in ROWS {
        let mut best: Option<(u64, f64)> = None;
        for _ in 0..ROUNDS {
            match weave.search_in(models, model, options)? {
                Answer::Searched(search) => {
                    let time = search.user_seconds.max(0.001);
                    best = Some(best.filter(|(_, t)| *t <= time).unwrap_or((search.states, time)));
                }
                other => return Err(io::Error::other(format!("{model}: {other:?}"))),
            }
        }
        let Some((states, time)) = best else { continue };
        let (ours, theirs) = (states as f64 / time, structures / seconds);
        println!("{model:24} {states:8} {time:9.3} {ours:12.0} {theirs:12.0} {:7.0}", ours / theirs);
        won &= ours / theirs >= WANTED;
    }
    Ok(won)
}
