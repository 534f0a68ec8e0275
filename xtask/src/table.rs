//! The table of SPIN's published models with their exact counts, and the models themselves.
//!
//! The models are read from a checkout of the public SPIN repository's `Examples` folder; none of
//! their text is kept here. A row such as `Spin/Examples/LTL/petersonN.pml with N=3` means the
//! model with its `#define N` changed.

use crate::scratch::Scratch;
use std::{fs, io, path::Path};

/// A row of the raw full search.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub model: String,
    pub source: String,
    pub errors: u64,
    pub states: u64,
    pub transitions: u64,
}

/// The `rawfull` rows of a table in CSV form.
pub fn read(file: &Path) -> io::Result<Vec<Row>> {
    let text = fs::read_to_string(file)?;
    Ok(text.lines().filter_map(row).collect())
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split(',').collect();
    let [model, source, "rawfull", "yes", errors, _, stored, _, transitions, ..] = cells[..] else {
        return None;
    };
    Some(Row {
        model: model.to_owned(),
        source: source.to_owned(),
        errors: errors.parse().ok()?,
        states: stored.parse().ok()?,
        transitions: transitions.parse().ok()?,
    })
}

/// The models of our corpus with the counts that their heads give (`spin: STATES TRANSITIONS`).
pub fn corpus(folder: &Path) -> io::Result<Vec<Row>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "pml"));
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        rows.extend(head_counts(&fs::read_to_string(&file)?).map(|(states, transitions)| Row {
            model: name.trim_end_matches(".pml").to_owned(),
            source: name,
            errors: 0,
            states,
            transitions,
        }));
    }
    Ok(rows)
}

fn head_counts(text: &str) -> Option<(u64, u64)> {
    let line = text.lines().take(15).find_map(|line| line.split_once("spin:"))?.1;
    let mut numbers = line.split_whitespace().map(|word| word.replace(',', "").parse());
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// A private copy of a row's model with the files beside it, which it may include.
pub struct Model {
    pub folder: Scratch,
    pub file: String,
}

impl Row {
    /// Finds the model under `examples` and applies the change the row names.
    pub fn model(&self, examples: &Path) -> io::Result<Model> {
        let (path, change) = self.source.split_once(" with ").unwrap_or((&self.source, ""));
        let path = examples.join(path.trim_start_matches("Spin/Examples/"));
        let folder = Scratch::new("model")?;
        let beside = path.parent().unwrap_or(examples);
        for entry in fs::read_dir(beside)?.flatten().filter(|entry| entry.path().is_file()) {
            fs::copy(entry.path(), folder.path().join(entry.file_name()))?;
        }
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let copy = folder.path().join(&file);
        fs::write(&copy, redefine(&fs::read_to_string(&copy)?, change))?;
        Ok(Model { folder, file })
    }
}

/// The text with `#define NAME …` set as `NAME=VALUE` or `NAME VALUE` says.
fn redefine(text: &str, change: &str) -> String {
    let Some((name, value)) = change.split_once(['=', ' ']) else {
        return text.to_owned();
    };
    let is_definition = |line: &str| {
        let mut words = line.split_whitespace();
        words.next() == Some("#define") && words.next() == Some(name)
    };
    let changed = |line: &str| {
        if is_definition(line) { format!("#define {name} {value}") } else { line.to_owned() }
    };
    text.lines().map(|line| changed(line) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_raw_full_rows_are_read() {
        let line =
            "m(N=3),Spin/Examples/m.pml with N=3,rawfull,yes,0,7318,45915,82739,128654,0,175.6,0.1,1.2";
        let row = row(line).unwrap();
        assert_eq!((row.states, row.transitions, row.errors), (45915, 128_654, 0));
        assert_eq!(super::row(&line.replace("rawfull", "full")), None);
    }

    #[test]
    fn definitions_are_changed_in_both_notations() {
        let text = "#define N\t5\n#define NN 5\nbyte x;\n";
        assert_eq!(redefine(text, "N=3"), "#define N 3\n#define NN 5\nbyte x;\n");
        assert_eq!(redefine(text, "NN 1"), "#define N\t5\n#define NN 1\nbyte x;\n");
        assert_eq!(redefine(text, ""), text);
    }
}
