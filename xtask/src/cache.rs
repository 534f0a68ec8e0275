//! `xtask bench cache`: Figure 8.3 of the thesis, transitions over the size of the cache, on Naimi
//! and Tréhel's algorithm with six processes. One curve a reduction; the search without a cache is
//! its last point.

use crate::plot::{Axis, Curve, Plot};
use crate::weave::{Answer, Weave};
use std::{fs, io, path::Path};

const MODEL: &str = "naimi_trehel_pairs.pml";
const REDUCTIONS: [&str; 4] = ["none", "sleep", "persistent", "persistent+sleep"];
/// Parts of the states of the full search that the cache has room for.
const PARTS: [u64; 10] = [400, 200, 100, 50, 25, 12, 8, 4, 3, 2];
/// A search that takes this many times the transitions of the one without a cache is not waited
/// for.
const EXPLODES: u64 = 40;
/// What is promised: at a hundredth of the states, the strongest reduction takes no more than
/// this many times the transitions.
const PROMISE: f64 = 1.3;

/// Prints a table, writes the plot; true if the promise is kept.
pub fn bench(models: &Path, weave: &Weave, plot: &Path) -> io::Result<bool> {
    let Some((states, _)) = search(models, weave, "none", None, u64::MAX)? else { return Ok(false) };
    println!("{MODEL}: {states} states");
    println!("{:18} {:>8} {:>12} {:>7}", "reduction", "cache", "transitions", "ratio");
    let (mut curves, mut kept) = (Vec::new(), false);
    for reduction in REDUCTIONS {
        let Some((own, exact)) = search(models, weave, reduction, None, u64::MAX)? else { return Ok(false) };
        let mut points = Vec::new();
        for part in PARTS {
            let room = states / part;
            let limit = EXPLODES * own;
            let Some((_, transitions)) = search(models, weave, reduction, Some(room), limit)? else {
                println!("{reduction:18} {room:8} more than {EXPLODES} visits a state");
                continue;
            };
            let ratio = transitions as f64 / exact as f64;
            println!("{reduction:18} {room:8} {transitions:12} {ratio:7.3}");
            points.push((room as f64, transitions as f64));
            kept |= reduction == "persistent+sleep" && part == 100 && ratio <= PROMISE;
        }
        println!("{reduction:18} {own:8} {exact:12}   exact");
        points.push((own as f64, exact as f64));
        curves.push(Curve { name: reduction.to_owned(), points });
    }
    let title = format!("State-space caching, {MODEL}");
    let (x, y) = (Axis::logarithmic("states in the cache"), Axis::logarithmic("transitions"));
    fs::write(plot, Plot { title, x, y, curves }.svg())?;
    println!("{}", plot.display());
    Ok(kept)
}

/// States and transitions; `None` if it took more states than allowed.
fn search(
    models: &Path,
    weave: &Weave,
    reduction: &str,
    room: Option<u64>,
    limit: u64,
) -> io::Result<Option<(u64, u64)>> {
    let store = room.map_or("exact".to_owned(), |room| format!("cache:{room}"));
    let limit = limit.to_string();
    let options = ["--reduction", reduction, "--store", &store, "--max-states", &limit];
    match weave.reduced_search_in(models, MODEL, &options)? {
        Answer::Searched(search) if search.exhausted => Ok(Some((search.states, search.transitions))),
        Answer::Searched(_) => Ok(None),
        Answer::Rejected(message) | Answer::Failed(message) => Err(io::Error::other(message)),
    }
}
