//! Structures a second, beside those of the original 3VMC.
//!
//! The original cannot be run here; its figures are measurements of a repaired copy: structures processed, and seconds. Ours are those of the
//! search alone, structures expanded; the best of several rounds counts. One line a model, separated by commas; the last
//! column is how many times as many a second one worker does as the original.

#![allow(clippy::print_stdout)]

use shapes::space::{Join, Wish, explore};
use source::SourceMap;
use std::path::Path;
use std::time::Instant;

/// A model, how it is joined, and what the original processed in how many seconds.
const ROWS: [(&str, Join, f64, f64); 4] = [
    ("mutex.tvm", Join::Relational, 41.0, 0.8),
    ("mutex.tvm", Join::Partial, 21.0, 0.4),
    ("mutex_two_groups.tvm", Join::Relational, 1681.0, 23.0),
    ("two_lock_queue.tvm", Join::Partial, 714.0, 3.3),
];

const ROUNDS: usize = 5;

fn main() {
    println!(
        "model,join,structures,expanded,seconds,a second,a second with 2 workers,original a second,ratio"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/shapes");
    for (name, join, processed, seconds) in ROWS {
        let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        let mut map = SourceMap::new();
        let file = map.add(name, text);
        let Some(model) = shapes::tvm::read(&map, file).0 else {
            println!("{name}: cannot be read");
            continue;
        };
        let prepared = model.prepare(&[]);
        let search = |workers: usize| {
            let wish = Wish { join, workers, ..Wish::default() };
            let round = |_| {
                let start = Instant::now();
                let space = explore(&prepared, &wish, &mut explore::Unwatched);
                (start.elapsed().as_secs_f64(), space.states.len(), space.expanded)
            };
            (0..ROUNDS).map(round).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
        };
        let ((time, states, expanded), (both, ..)) = (search(1), search(2));
        let (ours, theirs) = (expanded as f64 / time, processed / seconds);
        println!(
            "{name},{join:?},{states},{expanded},{time:.4},{ours:.0},{:.0},{theirs:.0},{:.0}",
            expanded as f64 / both,
            ours / theirs
        );
    }
}
