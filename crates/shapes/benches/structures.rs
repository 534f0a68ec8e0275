//! Structures a second, beside those of the original 3VMC.
//!
//! The original cannot be run here; its figures are measurements of a repaired copy: structures
//! processed, and seconds. Ours are those of the search alone, structures expanded; the best of
//! several rounds counts. One line a model, separated by commas; the last column is how many times
//! as many a second one worker does as the original.

#![allow(clippy::print_stdout)]

use shapes::abstracted::{Join, Wish, explore};
use shapes::prepared::prepare;
use source::SourceMap;
use std::path::Path;
use std::time::Instant;
use structures::model::Model;

/// What the original processed, and in how many seconds.
type Original = Option<(f64, f64)>;

/// A model, how it is joined, and the original if it has the model.
const ROWS: [(&str, Join, Original); 6] = [
    ("mutex.tvm", Join::Relational, Some((41.0, 0.8))),
    ("mutex.tvm", Join::Partial, Some((21.0, 0.4))),
    ("mutex_two_groups.tvm", Join::Relational, Some((1681.0, 23.0))),
    ("two_lock_queue.tvm", Join::Partial, Some((714.0, 3.3))),
    ("two_lock_queue_many.tvm", Join::Partial, None),
    ("MutexBroken.java", Join::Partial, None),
];

const ROUNDS: usize = 5;

/// A model of the corpus; a program with what is left out if deadlocks are looked for.
fn model(name: &str) -> Option<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/shapes");
    let mut map = SourceMap::new();
    let file = map.add(name, std::fs::read_to_string(folder.join(name)).ok()?);
    if name.ends_with(".tvm") {
        return tvm::read(&map, file).0;
    }
    let mut model = java::read(&map, file).0?;
    shapes::reduce::reduce(&mut model, &["deadlock".to_string()]);
    Some(model)
}

/// `MODEL=name` looks at one.
fn main() {
    println!(
        "model,join,structures,expanded,steps,seconds,a second,a second with 2 workers,original a second,ratio"
    );
    let only = std::env::var("MODEL").ok();
    for (name, join, original) in ROWS.into_iter().filter(|row| only.as_ref().is_none_or(|o| row.0 == o)) {
        let Some(model) = model(name) else {
            println!("{name}: cannot be read");
            continue;
        };
        let prepared = prepare(&model, &[]);
        let search = |workers: usize| {
            let wish = Wish { join, workers, ..Wish::default() };
            let round = |_| {
                let start = Instant::now();
                let space = explore(&prepared, &wish, &mut explore::NoListener);
                (start.elapsed().as_secs_f64(), space)
            };
            let rounds = if original.is_some() { ROUNDS } else { 1 };
            (0..rounds).map(round).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
        };
        let ((time, space), (both, _)) = (search(1), search(2));
        let ours = space.expanded as f64 / time;
        let theirs = original.map(|(processed, seconds)| processed / seconds);
        println!(
            "{name},{join:?},{},{},{},{time:.4},{ours:.0},{:.0},{},{}",
            space.len(),
            space.expanded,
            space.steps,
            space.expanded as f64 / both,
            theirs.map_or(String::new(), |t| format!("{t:.0}")),
            theirs.map_or(String::new(), |t| format!("{:.0}", ours / t)),
        );
    }
}
