//! `xtask oracle`: weave on SPIN's published models, beside the table of exact counts.

use crate::table::Row;
use crate::weave::{Answer, Weave};
use std::{io, path::Path};

/// Prints one line a model; true if every one agrees.
pub fn run(rows: Vec<Row>, examples: &Path, weave: &Weave) -> io::Result<bool> {
    println!("{:26} {:>9} {:>9} {:>6}   {:>9} {:>9} {:>6}  {:>7}", "", "SPIN", "", "", "weave", "", "", "");
    println!(
        "{:26} {:>9} {:>9} {:>6}   {:>9} {:>9} {:>6}  {:>7}",
        "model", "states", "transit.", "errors", "states", "transit.", "errors", "seconds"
    );
    let mut agreed = true;
    for row in rows {
        let model = row.model(examples)?;
        let answer = weave.search_in(model.folder.path(), &model.file, &[])?;
        agreed &= line(&row, &answer);
    }
    Ok(agreed)
}

fn line(row: &Row, answer: &Answer) -> bool {
    let head = format!("{:26} {:9} {:9} {:6}", row.model, row.states, row.transitions, row.errors);
    match answer {
        Answer::Searched(search) => {
            let errors: u64 = search.errors.values().sum();
            let same = search.states == row.states
                && search.transitions == row.transitions
                && (errors > 0) == (row.errors > 0)
                && (search.verdict == "violated") == (row.errors > 0);
            let (states, transitions, seconds) = (search.states, search.transitions, search.seconds);
            let mark = if same { "same" } else { "DIFFERENT" };
            println!("{head}   {states:9} {transitions:9} {errors:6}  {seconds:7.2}  {mark}");
            same
        }
        Answer::Rejected(message) => {
            println!("{head}   REFUSED {message}");
            false
        }
        Answer::Failed(message) => {
            println!("{head}   FAILED {message}");
            false
        }
    }
}
