//! `xtask bench threads`: breadth-first search by one thread and by all, beside depth-first search,
//! on models with more than 100,000 states. In turns, three times each; the best wall-clock time of
//! the search counts.

use crate::table::Row;
use crate::weave::{Answer, Search, Weave};
use std::{io, path::Path};

const LARGE: u64 = 100_000;
const ROUNDS: usize = 3;

/// Prints one line a model; true if all searches count the same.
pub fn bench(rows: Vec<Row>, examples: &Path, weave: &Weave) -> io::Result<bool> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let last = format!("bfs {all} s");
    println!(
        "{:26} {:>9} {:>8} {:>8} {last:>8} {:>8} {:>8}",
        "model", "states", "dfs s", "bfs 1 s", "to bfs 1", "to dfs"
    );
    let mut same = true;
    for row in rows.into_iter().filter(|row| row.states > LARGE) {
        same &= line(&row, &searches(&row, examples, weave, all)?);
    }
    Ok(same)
}

/// The best of each way; none where one gave no answer.
fn searches(row: &Row, examples: &Path, weave: &Weave, all: usize) -> io::Result<[Option<Search>; 3]> {
    let model = row.model(examples)?;
    let folder = model.folder.path();
    let mut best = [None, None, None];
    for _ in 0..ROUNDS {
        let answers = [
            weave.search_in(folder, &model.file, &["--threads", "1"])?,
            weave.levels_in(folder, &model.file, 1)?,
            weave.levels_in(folder, &model.file, all)?,
        ];
        for (best, answer) in best.iter_mut().zip(answers) {
            if let Answer::Searched(search) = answer
                && best.as_ref().is_none_or(|known: &Search| search.seconds < known.seconds)
            {
                *best = Some(search);
            }
        }
    }
    Ok(best)
}

fn line(row: &Row, best: &[Option<Search>; 3]) -> bool {
    let [Some(deep), Some(alone), Some(together)] = best else {
        println!("{:26} {:9} no answer", row.model, row.states);
        return false;
    };
    println!(
        "{:26} {:9} {:8.3} {:8.3} {:8.3} {:8.2} {:8.2}",
        row.model,
        row.states,
        deep.seconds,
        alone.seconds,
        together.seconds,
        alone.seconds / together.seconds.max(0.001),
        deep.seconds / together.seconds.max(0.001),
    );
    let counts = |s: &Search| (s.states, s.transitions, s.errors.clone(), s.verdict.clone());
    counts(deep) == counts(alone) && counts(alone) == counts(together)
}
