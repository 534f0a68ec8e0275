//! Automation: `cargo xtask tidy|bench|…`.
#![allow(clippy::print_stdout, clippy::print_stderr)]
use xtask::{generate::{self, features::Features}, spin::{self, Settings, Compiler, Outcome}};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let from: u64 = a[1].parse().unwrap(); let n: u64 = a[2].parse().unwrap();
    let f = Features::parse(a.get(3).map_or("", |s| s)).unwrap();
    for seed in from..from + n {
        let t = generate::program(seed, f).to_string();
        if n == 1 { println!("{t}"); }
        match spin::search_text(&t, &Settings::small(Compiler::quickest())).unwrap() {
            Outcome::Searched(s) => println!("{seed} ok {} {} {} {:?} {:.3}", s.stored, s.transitions, s.complete, s.errors, s.user_seconds),
            o => println!("{seed} {o:?}"),
        }
    }
}
