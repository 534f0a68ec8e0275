//! `xtask bench programs`: the paper's Figure 4, transitions explored by each search for N philosophers, as a table and a plot.
//!
//! VeriSoft (Godefroid, POPL 1997), Example 1: real processes, System V semaphores. The classical search keeps states; its column
//! is known (edges of the state graph) and not measured. Counts that are known must come out exactly, else the bench fails.

use serde_json::Value;
use std::io;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "models/programs/philosophers_sysv.c";
const SEARCHES: [&str; 5] = ["none", "sleep", "persistent", "persistent+sleep", "dpor"];
/// Edges of the state graph for 2, 3, … philosophers.
const CLASSICAL: [u64; 5] = [18, 123, 708, 3765, 19158];
/// For 2, 3, … philosophers; the searches in their order. `dpor` has no count of its own.
const KNOWN: [[u64; 4]; 4] =
    [[18, 17, 18, 17], [1680, 97, 123, 67], [386_816, 489, 580, 198], [354_940_010, 2371, 2230, 507]];
/// A search without reduction of more philosophers takes days.
const MOST_WITHOUT: usize = 4;

/// One point of the figure.
struct Point {
    explored: u64,
    seconds: f64,
    runs: u64,
}

pub fn run(weave: &Path, most: usize) -> io::Result<bool> {
    let mut good = true;
    let mut curves: Vec<(String, Vec<u64>)> = vec![("classical".to_string(), CLASSICAL.to_vec())];
    curves.extend(SEARCHES.map(|s| (s.to_string(), Vec::new())));
    println!("N   search            transitions        runs   seconds    runs/s");
    for n in 2..=most {
        for (at, search) in SEARCHES.iter().enumerate() {
            if *search == "none" && n > MOST_WITHOUT {
                continue;
            }
            let point = measure(weave, n, search)?;
            let rate = point.runs as f64 / point.seconds.max(1e-9);
            println!(
                "{n}   {search:<16} {:>12} {:>11} {:>9.2} {rate:>9.0}",
                point.explored, point.runs, point.seconds
            );
            let known = KNOWN.get(n - 2).and_then(|row| row.get(at));
            if known.is_some_and(|known| *known != point.explored) {
                println!("    known: {}", known.unwrap_or(&0));
                good = false;
            }
            curves[at + 1].1.push(point.explored);
        }
    }
    print!("{}", plot(&curves, most));
    Ok(good)
}

fn measure(weave: &Path, n: usize, search: &str) -> io::Result<Point> {
    let size = format!("N={n}");
    let output = Command::new(weave)
        .args(["run", "--json", "--keep-going", "--reduction", search, "-D", &size, PROGRAM])
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last: Value = text.lines().next_back().and_then(|l| serde_json::from_str(l).ok()).unwrap_or_default();
    match (last["explored"].as_u64(), last["exhausted"].as_bool()) {
        (Some(explored), Some(true)) => Ok(Point {
            explored,
            seconds: last["seconds"].as_f64().unwrap_or(0.0),
            runs: last["runs"].as_u64().unwrap_or(0),
        }),
        _ => Err(io::Error::other(format!("weave run {search} {size}: {}", last["reason"]))),
    }
}

/// One line for each search and size; a bar is the logarithm of the number of transitions.
fn plot(curves: &[(String, Vec<u64>)], most: usize) -> String {
    let mut out = String::from("\ntransitions, logarithmic\n");
    for n in 2..=most {
        for (name, values) in curves {
            let Some(value) = values.get(n - 2) else { continue };
            let bar = "#".repeat(((*value as f64).log10() * 10.0).round() as usize);
            out.push_str(&format!("N={n} {name:<16} {bar} {value}\n"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_the_logarithm() {
        let curves = [("one".to_string(), vec![10, 1000]), ("two".to_string(), vec![1])];
        let expected = "\ntransitions, logarithmic\nN=2 one              ########## 10\nN=2 two               1\n\
                        N=3 one              ############################## 1000\n";
        assert_eq!(plot(&curves, 3), expected);
    }
}
