//! A seeded generator of small Promela programs: a seed and a set of features give one program,
//! always the same.
//!
//! The programs are made to be searched to the end by SPIN within moments, and to have a meaning:
//! what is undefined in pan's C (division by zero, indices out of bounds, overflow, uninitialised
//! channels), what never ends (loops inside atomic), and what pan is known to get wrong while
//! backtracking (a message received into a variable narrower than its field; an element of an array
//! indexed by the array itself) does not occur, unless a feature that is off by default asks for
//! it.

mod declare;
mod expression;
pub mod features;
mod message;
mod process;
pub(crate) mod rng;
mod scope;
mod statement;

use crate::program::Program;
use features::{Feature, Features};
use rng::Rng;
use scope::{Kind, Scope};

/// The program of a seed.
pub fn program(seed: u64, features: Features) -> Program {
    let mut generator = Generator::new(seed, features);
    generator.globals();
    generator.processes();
    generator.program
}

/// A proctype that can be run: name and kinds of parameters.
#[derive(Debug, Clone)]
struct Runnable {
    name: String,
    parameters: Vec<Kind>,
}

/// A process that never ends, so that others can look into it.
#[derive(Debug, Clone)]
struct Landmark {
    process: String,
    pid: i64,
    variable: String,
    label: String,
}

struct Generator {
    rng: Rng,
    features: Features,
    program: Program,
    /// Names visible everywhere.
    global: Scope,
    /// Members of each mtype, by subtype.
    members: Vec<(Option<String>, Vec<String>)>,
    runnables: Vec<Runnable>,
    landmark: Option<Landmark>,
    inlines: Vec<(String, usize)>,
    conditions: Vec<String>,
    counter: u32,
    /// How many statements may still be generated.
    budget: usize,
}

/// Where a statement stands.
#[derive(Debug, Clone)]
struct Site {
    scope: Scope,
    /// Inside atomic: every loop must end.
    atomic: bool,
    /// Inside d_step: nothing may block.
    d_step: bool,
    /// A `break` has a loop to leave.
    in_loop: bool,
    /// The body may be executed any number of times.
    repeated: bool,
    /// Labels of the process that a goto can name.
    labels: Vec<String>,
    /// Inside the text of an inline: no names of the process, no labels.
    inline: bool,
    depth: u32,
    /// Which process this is; landmarks are not looked at by themselves.
    process: String,
}

impl Generator {
    fn new(seed: u64, features: Features) -> Generator {
        Generator {
            rng: Rng::new(seed),
            features,
            program: Program::default(),
            global: Scope::default(),
            members: Vec::new(),
            runnables: Vec::new(),
            landmark: None,
            inlines: Vec::new(),
            conditions: Vec::new(),
            counter: 0,
            budget: 0,
        }
    }

    fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// True in `percent` of a hundred cases, never if the feature is off.
    fn may(&mut self, feature: Feature, percent: usize) -> bool {
        self.rng.chance(percent) && self.has(feature)
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.counter += 1;
        format!("{stem}{}", self.counter)
    }
}

#[cfg(test)]
mod tests;
