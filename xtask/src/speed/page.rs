//! The figures as text: a line on the screen, and the tables of `docs/performance.md`, between two
//! marks, and a picture of the ratios. What is written around them stays.

use super::measure::{Figures, Sample};
use crate::plot::{Axis, Curve, Plot};
use std::fmt::Write;
use std::{fs, io, path::Path};

const BEGIN: &str = "<!-- xtask bench speed -->";
const END: &str = "<!-- end -->";

/// Ratios of times below this say nothing.
const ENOUGH: f64 = 0.1;

const PAN: usize = 0;
const OURS: usize = 1;
const ALONE: usize = 2;
const TOGETHER: usize = 3;
const PAN_REDUCED: usize = 4;
const DEFAULT: usize = 5;
const UNREDUCED: usize = 6;
const SPIN: usize = 7;

/// A model in one line.
pub fn brief(f: &Figures) -> String {
    let cpu = |way: usize| f.ways[way].cpu.median();
    format!(
        "{:38} {:>9} states  full {:.2}x  reduced {}  end to end {:.1}x  threads {:.2}x  {:.1} B/state",
        f.model,
        f.ways[OURS].states,
        cpu(PAN) / cpu(OURS).max(0.001),
        ratio(cpu(PAN_REDUCED), cpu(DEFAULT)),
        cpu(SPIN) / cpu(DEFAULT).max(0.001),
        f.ways[ALONE].clock.median() / f.ways[TOGETHER].clock.median().max(0.001),
        f.ways[OURS].bytes,
    )
}

/// Puts the tables into the page, and draws the picture.
pub fn write(page: &Path, picture: &Path, rows: &[&Figures]) -> io::Result<()> {
    let text = fs::read_to_string(page)?;
    let Some((before, rest)) = text.split_once(BEGIN) else {
        return Err(io::Error::other(format!("no `{BEGIN}` in {}", page.display())));
    };
    let after = rest.split_once(END).map_or("", |(_, after)| after);
    let tables = format!("{}\n{}\n{}", full(rows), reduced(rows), threads(rows));
    let rounds = rows.iter().map(|row| row.rounds()).min().unwrap_or(0);
    let medians = match rounds {
        1 => "One round".to_owned(),
        _ => format!("Medians of {rounds} rounds; in brackets how far they spread"),
    };
    let note = format!(
        "{medians}. The same as a [picture]({}).\n",
        picture.strip_prefix(page.parent().unwrap_or(page)).unwrap_or(picture).display()
    );
    fs::write(picture, plot(rows).svg())?;
    fs::write(page, format!("{before}{BEGIN}\n{note}\n{tables}{END}{after}"))
}

fn full(rows: &[&Figures]) -> String {
    let mut out = String::from(
        "**Full search**, raw, one thread: CPU seconds, bytes a state, peak of the process in MB.\n\n\
         | model | states | pan | ours | ratio | pan bytes | our bytes | pan MB | our MB |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let (pan, ours) = (&row.ways[PAN], &row.ways[OURS]);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {:.0} | {:.1} | {:.0} | {:.0} |",
            row.model,
            ours.states,
            shown(&pan.cpu),
            shown(&ours.cpu),
            ratio(pan.cpu.median(), ours.cpu.median()),
            pan.bytes,
            ours.bytes,
            pan.peak.median(),
            ours.peak.median(),
        );
    }
    out
}

fn reduced(rows: &[&Figures]) -> String {
    let mut out = String::from(
        "**Default search**: pan's reduced search, the whole chain of SPIN, and `weave check`; our\n\
         unreduced search is `--reduction none --search dfs`; CPU seconds.\n\n\
         | model | pan states | our states | pan | spin, gcc, pan | ours | unreduced | to pan | \
         to the chain | to unreduced |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let (pan, ours, chain) = (&row.ways[PAN_REDUCED], &row.ways[DEFAULT], &row.ways[SPIN]);
        let unreduced = &row.ways[UNREDUCED];
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {} |",
            row.model,
            pan.states,
            ours.states,
            shown(&pan.cpu),
            shown(&chain.cpu),
            shown(&ours.cpu),
            shown(&unreduced.cpu),
            ratio(pan.cpu.median(), ours.cpu.median()),
            chain.cpu.median() / ours.cpu.median().max(0.001),
            ratio(unreduced.cpu.median(), ours.cpu.median()),
        );
    }
    out
}

fn threads(rows: &[&Figures]) -> String {
    let mut out = String::from(
        "**Two threads**: breadth-first full search, seconds by the clock and CPU seconds.\n\n\
         | model | one | two | ratio | one, CPU | two, CPU | bytes a state, two |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let (one, two) = (&row.ways[ALONE], &row.ways[TOGETHER]);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {:.2} | {:.2} | {:.1} |",
            row.model,
            shown(&one.clock),
            shown(&two.clock),
            ratio(one.clock.median(), two.clock.median()),
            one.cpu.median(),
            two.cpu.median(),
            two.bytes,
        );
    }
    out
}

/// How many times faster, over the number of states.
fn plot(rows: &[&Figures]) -> Plot {
    let curve = |name: &str, theirs: fn(&Figures) -> f64, ours: fn(&Figures) -> f64| {
        let enough = rows.iter().filter(|row| theirs(row) >= ENOUGH);
        let point = |row: &&&Figures| (row.ways[OURS].states as f64, theirs(row) / ours(row).max(0.001));
        sorted(name, enough.map(|row| point(&row)).collect())
    };
    let full = curve("full search", |f| f.ways[PAN].cpu.median(), |f| f.ways[OURS].cpu.median());
    let reduced =
        curve("default search", |f| f.ways[PAN_REDUCED].cpu.median(), |f| f.ways[DEFAULT].cpu.median());
    let threads = curve("two threads", |f| f.ways[ALONE].clock.median(), |f| f.ways[TOGETHER].clock.median());
    let one = rows.iter().map(|row| (row.ways[OURS].states as f64, 1.0)).collect();
    Plot {
        title: "Times faster: than pan, and two threads than one".to_owned(),
        x: Axis::logarithmic("states of the full search"),
        y: Axis::linear("ratio"),
        curves: vec![full, reduced, threads, sorted("1", one)],
    }
}

fn sorted(name: &str, mut points: Vec<(f64, f64)>) -> Curve {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Curve { name: name.to_owned(), points }
}

fn shown(sample: &Sample) -> String {
    format!("{:.2} ({:.0} %)", sample.median(), sample.spread())
}

/// How often ours goes into theirs, if that says anything.
fn ratio(theirs: f64, ours: f64) -> String {
    if theirs < ENOUGH { "–".to_owned() } else { format!("{:.2}x", theirs / ours.max(0.001)) }
}
