//! `xtask bench promela`: weave beside pan on models with more than 100,000 states.
//!
//! Both run one thread, in turns, three times each; the best time of each counts. pan is built as
//! SPIN's users build it for speed (`gcc -O2`), and its time is the user time of pan alone, without
//! `spin -a` and gcc. weave's time is the user time of the whole process, parsing included. pan's
//! memory is what it reports in total, hash table and stack included.

use crate::process::ToolFailed;
use crate::spin::{self, Outcome, Settings};
use crate::table::Row;
use crate::weave::{self, Answer, Weave};
use std::{io, path::Path};

const LARGE: u64 = 100_000;
const ROUNDS: usize = 3;

/// The best of both on one model.
struct Duel {
    pan: spin::Search,
    weave: weave::Search,
}

/// Prints one line a model; true if weave is nowhere slower and nowhere needs more memory a state.
pub fn promela(rows: Vec<Row>, examples: &Path, weave: &Weave) -> io::Result<bool> {
    println!(
        "{:26} {:>9} {:>8} {:>8} {:>8} {:>10} {:>10} {:>7}",
        "model", "states", "pan s", "weave s", "search s", "pan B/st", "weave B/st", "ratio"
    );
    let mut won = true;
    for row in rows.into_iter().filter(|row| row.states > LARGE) {
        match duel(&row, examples, weave)? {
            Ok(duel) => won &= line(&row, &duel),
            Err(message) => {
                println!("{:26} {:9} {message}", row.model, row.states);
                won = false;
            }
        }
    }
    Ok(won)
}

fn duel(row: &Row, examples: &Path, weave: &Weave) -> io::Result<Result<Duel, ToolFailed>> {
    let model = row.model(examples)?;
    let (folder, settings) = (model.folder.path(), Settings::large());
    if let Some(failure) = spin::build(folder, &model.file, &settings)? {
        return Ok(Err(ToolFailed::Spin(format!("{failure:?}"))));
    }
    let mut best: Option<Duel> = None;
    for _ in 0..ROUNDS {
        let pan = match spin::run_pan(folder, &settings)? {
            Outcome::Searched(search) => search,
            other => return Ok(Err(ToolFailed::Spin(format!("{other:?}")))),
        };
        let weave = match weave.search_in(folder, &model.file, &["--threads", "1"])? {
            Answer::Searched(search) => search,
            other => return Ok(Err(ToolFailed::Weave(format!("{other:?}")))),
        };
        best = Some(match best {
            None => Duel { pan, weave },
            Some(best) => Duel {
                pan: if pan.user_seconds < best.pan.user_seconds { pan } else { best.pan },
                weave: if weave.user_seconds < best.weave.user_seconds { weave } else { best.weave },
            },
        });
    }
    Ok(best.ok_or_else(|| ToolFailed::Weave("no round was run".to_owned())))
}

fn line(row: &Row, duel: &Duel) -> bool {
    let pan_bytes = duel.pan.memory_mb * 1024.0 * 1024.0 / duel.pan.stored.max(1) as f64;
    let ratio = duel.pan.user_seconds / duel.weave.user_seconds.max(0.001);
    println!(
        "{:26} {:9} {:8.3} {:8.3} {:8.3} {:10.1} {:10.1} {:7.2}",
        row.model,
        row.states,
        duel.pan.user_seconds,
        duel.weave.user_seconds,
        duel.weave.seconds,
        pan_bytes,
        duel.weave.bytes_per_state,
        ratio,
    );
    ratio >= 1.0 && duel.weave.bytes_per_state <= pan_bytes
}
