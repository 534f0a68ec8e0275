//! `xtask bench reduction`: weave's partial-order reduction beside SPIN's, counted raw (one
//! statement is one transition) in the same run; Table 8.1 of the thesis in all settings; dining
//! philosophers and a producer with a consumer in growing sizes.
//!
//! pan is built with its default reduction (`spin -o1 -o2 -o3 -a`, `gcc -O2 -DSAFETY -DNOCLAIM`);
//! times are user times, pan's without `spin -a` and gcc. Figures go to a table in CSV form and the
//! philosophers into a plot.

use crate::plot::{Axis, Curve, Plot};
use crate::scratch::Scratch;
use crate::spin::{self, Outcome, Settings};
use crate::table::Row;
use crate::weave::{Answer, Search, Weave};
use std::path::{Path, PathBuf};
use std::{fs, io};

pub struct Bench {
    pub weave: Weave,
    /// SPIN's published models and their rows, if there is a checkout.
    pub published: Option<(PathBuf, Vec<Row>)>,
    pub csv: PathBuf,
    pub plot: PathBuf,
    /// Up to this many philosophers.
    pub most: u32,
}

/// Models on which weave stores more states than SPIN's reduction, and why.
const CAUSES: [(&str, &str); 1] = [(
    "mobile1",
    "SPIN takes run to be safe, though the order of births gives the numbers of processes (its issue 78): it explores two of \
     three orders. With a write to a global in front of MSC's run it stores 10,231 states",
)];

/// The rows of Table 8.1: reduction and proviso.
const TABLE_8_1: [(&str, &str); 6] = [
    ("none", "auto"),
    ("sleep", "auto"),
    ("persistent", "off"),
    ("persistent+sleep", "off"),
    ("persistent", "on"),
    ("persistent+sleep", "on"),
];

/// One line of the table.
struct Line {
    model: String,
    setting: String,
    states: u64,
    transitions: u64,
    seconds: f64,
}

/// The lines so far, as they are printed and written.
struct Lines(Vec<Line>);

impl Lines {
    fn add(&mut self, (model, setting): (&str, &str), states: u64, transitions: u64, seconds: f64) {
        println!("{model:26} {setting:58} {states:>9} {transitions:>9} {seconds:9.3}");
        let (model, setting) = (model.to_owned(), setting.to_owned());
        self.0.push(Line { model, setting, states, transitions, seconds });
    }

    fn csv(&self) -> String {
        let mut text = "model,setting,states,transitions,seconds\n".to_owned();
        for l in &self.0 {
            text += &format!("{},{},{},{},{:.3}\n", l.model, l.setting, l.states, l.transitions, l.seconds);
        }
        text
    }
}

impl Bench {
    /// True if weave stores no more states than SPIN anywhere but where a cause is listed.
    pub fn run(&self) -> io::Result<bool> {
        println!("{:26} {:58} {:>9} {:>9} {:>9}", "model", "setting", "states", "transit.", "seconds");
        let mut lines = Lines(Vec::new());
        let mut good = true;
        if let Some((examples, rows)) = &self.published {
            for row in rows {
                good &= self.beside_spin(row, examples, &mut lines)?;
            }
            for row in rows.iter().filter(|r| r.model == "dtp" || r.model.starts_with("PFTP")) {
                self.table_8_1(row, examples, &mut lines)?;
            }
        }
        self.philosophers(&mut lines)?;
        self.producer_and_consumer(&mut lines)?;
        fs::write(&self.csv, lines.csv())?;
        Ok(good)
    }

    fn beside_spin(&self, row: &Row, examples: &Path, lines: &mut Lines) -> io::Result<bool> {
        let model = row.model(examples)?;
        let folder = model.folder.path();
        let pan = self.pan(folder, &model.file, &row.model, lines)?;
        let Some(ours) = self.search((folder, &model.file), &row.model, &["--property", "safety"], lines)?
        else {
            return Ok(false);
        };
        let Some(pan) = pan else { return Ok(true) };
        let cause = CAUSES.iter().find(|(name, _)| *name == row.model);
        match (ours.states > pan, cause) {
            (true, Some((_, cause))) => println!("    more states than SPIN: {cause}"),
            (true, None) => println!("    MORE STATES THAN SPIN, and no cause is listed"),
            (false, Some(_)) => println!("    no more states than SPIN: the listed cause is out of date"),
            (false, None) => {}
        }
        Ok(ours.states <= pan || cause.is_some())
    }

    /// Every algorithm and relation in the settings of Table 8.1.
    fn table_8_1(&self, row: &Row, examples: &Path, lines: &mut Lines) -> io::Result<()> {
        let model = row.model(examples)?;
        let folder = model.folder.path();
        for (reduction, proviso) in TABLE_8_1 {
            let persistent = reduction.starts_with("persistent");
            let all = [("stubborn", "conditional"), ("stubborn", "static"), ("overman", "conditional")];
            let more = [("overman", "static"), ("conflict", "conditional"), ("conflict", "static")];
            let sets = if persistent { [all, more].concat() } else { vec![all[0]] };
            for (sets, relation) in sets {
                let mut options = vec!["--property", "safety", "--reduction", reduction];
                if persistent {
                    options.extend(["--persistent-sets", sets, "--relation", relation, "--proviso", proviso]);
                }
                self.search((folder, &model.file), &row.model, &options, lines)?;
            }
        }
        Ok(())
    }

    /// Deadlock alone, without proviso, which SPIN cannot leave out.
    fn philosophers(&self, lines: &mut Lines) -> io::Result<()> {
        let names = ["SPIN", "weave, no reduction", "weave"];
        let mut curves = names.map(|name| Curve { name: name.to_owned(), points: Vec::new() });
        for n in 4..=self.most {
            let (name, source) = (format!("philosophers N={n}"), format!("philosophers.pml with N={n}"));
            let row = Row { model: name.clone(), source, errors: 0, states: 0, transitions: 0 };
            let scratch = Scratch::new("philosophers")?;
            let text = fs::read_to_string("models/promela/philosophers_deadlock.pml")?;
            fs::write(scratch.path().join("philosophers.pml"), text)?;
            let model = row.model(scratch.path())?;
            let (folder, file) = (model.folder.path(), &model.file);
            let at = f64::from(n);
            if n <= MOST_WITHOUT {
                let pan = self.pan(folder, file, &name, lines)?;
                curves[0].points.extend(pan.map(|states| (at, states as f64)));
                let full = self.search((folder, file), &name, &["--reduction", "none"], lines)?;
                curves[1].points.extend(full.map(|s| (at, s.states as f64)));
            }
            let options = ["--property", "deadlock", "--reduction", "persistent+sleep", "--proviso", "off"];
            let ours = self.search((folder, file), &name, &options, lines)?;
            curves[2].points.extend(ours.map(|s| (at, s.states as f64)));
        }
        let (x, y) = (Axis::linear("philosophers"), Axis::logarithmic("states"));
        let title = "Dining philosophers, deadlock".to_owned();
        fs::write(&self.plot, Plot { title, x, y, curves: curves.to_vec() }.svg())
    }

    /// A channel that a producer fills and a consumer empties, endlessly.
    fn producer_and_consumer(&self, lines: &mut Lines) -> io::Result<()> {
        for size in [1, 10, 100, 1000] {
            let scratch = Scratch::new("producer")?;
            let text = format!(
                "chan q = [{size}] of {{ byte }};\nactive proctype Producer() {{ do :: q!0 od }}\n\
                 active proctype Consumer() {{ do :: q?_ od }}\n"
            );
            fs::write(scratch.path().join("model.pml"), text)?;
            let name = format!("producer/consumer {size}");
            self.pan(scratch.path(), "model.pml", &name, lines)?;
            let options = ["--property", "deadlock", "--reduction", "persistent+sleep", "--proviso", "off"];
            self.search((scratch.path(), "model.pml"), &name, &options, lines)?;
        }
        Ok(())
    }

    /// States that pan stores with its default reduction.
    fn pan(&self, folder: &Path, file: &str, name: &str, lines: &mut Lines) -> io::Result<Option<u64>> {
        let settings = Settings { reduced: true, vector_bytes: 4096, ..Settings::large() };
        match spin::search_in(folder, file, &settings)? {
            Outcome::Searched(pan) => {
                lines.add((name, "SPIN"), pan.stored, pan.transitions, pan.user_seconds);
                Ok(Some(pan.stored))
            }
            other => {
                println!("{name:26} SPIN: {other:?}");
                Ok(None)
            }
        }
    }

    fn search(
        &self,
        (folder, file): (&Path, &str),
        name: &str,
        options: &[&str],
        lines: &mut Lines,
    ) -> io::Result<Option<Search>> {
        let usual = ["--reduction", "persistent+sleep"];
        let options: Vec<&str> = usual.iter().chain(options).copied().collect();
        match self.weave.search_in(folder, file, &options)? {
            Answer::Searched(search) => {
                let setting = setting(&options);
                lines.add((name, &setting), search.states, search.transitions, search.user_seconds);
                Ok(Some(search))
            }
            other => {
                println!("{name:26} weave: {other:?}");
                Ok(None)
            }
        }
    }
}

/// No search without reduction of more philosophers.
const MOST_WITHOUT: u32 = 8;

/// The words that tell a setting: the last value of each option but `--property`.
fn setting(options: &[&str]) -> String {
    let value = |name: &str| options.windows(2).rev().find(|w| w[0] == name).map(|w| w[1]);
    let named = |name: &str, word: &str| value(name).map(|v| format!("{word}{v}"));
    let all = [
        named("--reduction", ""),
        named("--persistent-sets", ""),
        named("--relation", ""),
        named("--proviso", "proviso "),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_an_option_counts() {
        let options = ["--reduction", "persistent+sleep", "--property", "deadlock", "--reduction", "none"];
        assert_eq!(setting(&options), "none");
        assert_eq!(setting(&["--reduction", "persistent", "--proviso", "off"]), "persistent proviso off");
    }

    #[test]
    fn lines_are_written_as_csv() {
        let mut lines = Lines(Vec::new());
        lines.add(("m", "none"), 3, 4, 0.5);
        assert_eq!(lines.csv(), "model,setting,states,transitions,seconds\nm,none,3,4,0.500\n");
    }
}
