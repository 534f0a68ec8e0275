//! The generator is deterministic and its programs mean something to SPIN.

use super::features::Features;
use super::program;
use crate::spin::{Compiler, Outcome, Settings, search_text};

#[test]
fn a_seed_gives_the_same_program() {
    for seed in 0..50 {
        let text = program(seed, Features::default()).to_string();
        assert_eq!(text, program(seed, Features::default()).to_string());
    }
}

#[test]
fn most_programs_are_searched_to_the_end() {
    let settings = Settings::small(Compiler::quickest());
    let complete = (0..40u64)
        .filter(|&seed| {
            let text = program(seed, Features::default()).to_string();
            matches!(search_text(&text, &settings).unwrap(), Outcome::Searched(search) if search.complete)
        })
        .count();
    assert!(complete >= 34, "only {complete} of 40");
}
