//! The paper's Figure 4: transitions explored by each search for N philosophers, as a table and a
//! plot.
//!
//! VeriSoft (Godefroid, POPL 1997), Example 1: real processes, System V semaphores. The classical
//! search keeps states; its column is known (edges of the state graph) and not measured. Counts
//! that are known must come out exactly, else the bench fails.

use crate::plot::{Axis, Curve, Plot};
use crate::programs::{Measured, measure};
use std::io;
use std::path::Path;

const PROGRAM: &str = "models/programs/philosophers_sysv.c";
const SEARCHES: [&str; 5] = ["none", "sleep", "persistent", "persistent+sleep", "dpor"];
/// Edges of the state graph for 2, 3, … philosophers.
const CLASSICAL: [u64; 5] = [18, 123, 708, 3765, 19158];
/// For 2, 3, … philosophers; the searches in their order. `dpor` has no count of its own.
const KNOWN: [[u64; 4]; 4] =
    [[18, 17, 18, 17], [1680, 97, 123, 67], [386_816, 489, 580, 198], [354_940_010, 2371, 2230, 507]];
/// A search without reduction of more philosophers takes days.
const MOST_WITHOUT: usize = 4;

/// Prints the table and writes the plot; whether everything came out as known.
pub fn run(weave: &Path, most: usize, svg: &Path) -> io::Result<bool> {
    let mut good = true;
    let mut curves = vec![curve("classical (known)")];
    curves.extend(SEARCHES.map(curve));
    println!("N   search            transitions        runs   seconds    runs/s");
    for n in 2..=most {
        curves[0].points.extend(CLASSICAL.get(n - 2).map(|known| (n as f64, *known as f64)));
        for (at, search) in SEARCHES.iter().enumerate() {
            if *search == "none" && n > MOST_WITHOUT {
                continue;
            }
            let size = format!("N={n}");
            let Measured { explored, runs, seconds, .. } =
                measure(weave, PROGRAM, &["--keep-going", "--reduction", search, "-D", &size])?;
            let rate = runs as f64 / seconds.max(1e-9);
            println!("{n}   {search:<16} {explored:>12} {runs:>11} {seconds:>9.2} {rate:>9.0}");
            let known = KNOWN.get(n - 2).and_then(|row| row.get(at));
            if known.is_some_and(|known| *known != explored) {
                println!("    known: {}", known.unwrap_or(&0));
                good = false;
            }
            curves[at + 1].points.push((n as f64, explored as f64));
        }
    }
    std::fs::write(svg, plot(curves).svg())?;
    println!("plot: {}", svg.display());
    Ok(good)
}

fn curve(name: &str) -> Curve {
    Curve { name: name.to_string(), points: Vec::new() }
}

fn plot(curves: Vec<Curve>) -> Plot {
    Plot {
        title: "Dining philosophers: transitions explored".to_string(),
        x: Axis::linear("philosophers"),
        y: Axis::logarithmic("transitions"),
        curves,
    }
}
