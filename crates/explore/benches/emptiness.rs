//! What emptiness costs beside plain exhaustive search of the same graph:
//! `cargo bench -p everyweave-explore --bench emptiness`. Arguments: the number of counters from
//! 0 to 9, `-- 6` for a million states; and a word, for the rows that have it in their name. CPU
//! seconds are of all threads together.
#![allow(clippy::print_stdout)]

use explore::emptiness::{Acceptance, Graph, MarkedEdges, Outcome, Pair, emptiness, parallel_emptiness};
use explore::store::{Inserted, Store, hash};
use explore::{Limits, NoListener};
use std::time::Instant;

/// Counters from 0 to 9, each of which can go up, and if `wraps` from 9 to 0. An edge of counter k
/// has mark k, and the last mark is on no edge.
#[derive(Clone)]
struct Counters {
    acceptance: Acceptance,
    counters: usize,
    wraps: bool,
}

impl Graph for Counters {
    fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    fn initial(&mut self, out: &mut MarkedEdges) {
        out.push(&vec![0; self.counters], &[0]);
    }

    fn edges(&mut self, state: &[u8], out: &mut MarkedEdges) {
        for k in 0..self.counters {
            if state[k] < 9 || self.wraps {
                let start = out.bytes.len();
                out.push(state, &[1 << k]);
                out.bytes[start + k] = (state[k] + 1) % 10;
            }
        }
    }
}

/// Every state once, as `search` does it.
fn plain(graph: &mut Counters) -> Outcome {
    let (mut store, mut edges, mut stack) = (Store::default(), MarkedEdges::default(), Vec::new());
    let (mut hashes, mut transitions) = (Vec::new(), 0);
    graph.initial(&mut edges);
    loop {
        hashes.clear();
        for state in edges.iter() {
            hashes.push(hash(state));
            store.prefetch(hash(state));
        }
        hashes.iter().for_each(|hash| store.prefetch_state(*hash));
        for (state, hash) in edges.iter().zip(&hashes) {
            transitions += 1;
            if let Inserted::New(id) = store.insert(state, *hash) {
                stack.push(id);
            }
        }
        let Some(id) = stack.pop() else { break };
        edges.clear();
        graph.edges(store.get(id), &mut edges);
    }
    let memory_bytes = store.memory_bytes();
    Outcome { states: store.len() as u64, transitions, memory_bytes, ..Outcome::default() }
}

/// CPU seconds of this process so far.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn timed(name: &str, base: Option<f64>, run: impl FnOnce() -> Outcome) -> f64 {
    let is_filter = |word: &String| !word.starts_with('-') && word.parse::<usize>().is_err();
    if !name.starts_with("plain")
        && std::env::args().skip(1).filter(is_filter).any(|word| !name.contains(&word))
    {
        return 0.0;
    }
    let (start, used) = (Instant::now(), cpu());
    let outcome = run();
    let (seconds, used) = (start.elapsed().as_secs_f64(), cpu() - used);
    let factor = base.map_or(String::new(), |base| format!("{:.2} x plain", used / base));
    println!(
        "  {name:<28} {:>10} states {:>11} transitions {:>6} MB {seconds:>6.2} s {used:>6.2} s CPU  {}  {factor}",
        outcome.states,
        outcome.transitions,
        outcome.memory_bytes >> 20,
        if outcome.lasso.is_some() { "lasso" } else { "empty" },
    );
    used
}

fn main() {
    let counters = std::env::args().filter_map(|word| word.parse().ok()).next().unwrap_or(6);
    for wraps in [false, true] {
        println!("{counters} counters{}", if wraps { " that wrap: one component" } else { ": no cycle" });
        let absent = counters;
        let graph = |recurrent: Vec<usize>, pairs: Vec<Pair>| {
            let acceptance = Acceptance { marks: counters + 1, recurrent, pairs };
            Counters { acceptance, counters, wraps }
        };
        let ask = |mut graph: Counters| emptiness(&mut graph, Limits::default(), &mut NoListener);
        let base = timed("plain search", None, || plain(&mut graph(vec![], vec![])));
        let base = Some(base);
        // The absent mark must recur: nothing counts, everything is seen.
        timed("components, absent mark", base, || ask(graph(vec![absent], vec![])));
        for threads in [2, 4] {
            timed(&format!("{threads} threads, absent mark"), base, || {
                let make = || graph(vec![absent], vec![]);
                parallel_emptiness(make, threads, Limits::default(), &mut NoListener)
            });
        }
        timed("components, all marks", base, || ask(graph((0..counters).chain([absent]).collect(), vec![])));
        if wraps {
            // Every counter asks for what never comes: refinement takes all edges away.
            let pairs = (0..counters).map(|request| Pair { request, response: absent }).collect();
            timed("components, refined", base, || ask(graph(vec![], pairs)));
            timed("components, lasso", base, || ask(graph((0..counters).collect(), vec![])));
        } else {
            // A mark on an edge of most states.
            timed("components, common mark", base, || ask(graph(vec![0], vec![])));
        }
    }
}
