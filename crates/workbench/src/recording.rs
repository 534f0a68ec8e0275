//! A run as it is written to a file: enough to execute it again, and to refuse a model that has
//! changed.

use crate::failure::Failure;
use crate::question::Define;
use crate::report::{Ending, Failed};
use native::execution::Known;
use space::{Start, Step};

/// A run that can be written to a file and executed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The model or program, as the user named it.
    pub file: String,
    /// The definitions the file was read with.
    pub defines: Vec<Define>,
    /// Of the text; none of a program, which is executed instead.
    pub fingerprint: String,
    /// How the program is started, if it is one.
    pub program: Option<Launch>,
    /// The initial state.
    pub start: Start,
    /// The steps.
    pub steps: Vec<Step>,
    /// How the run ends.
    pub ending: Ending,
    /// Of a program's run: what went wrong.
    pub failure: Option<Failed>,
}

/// How a program is started, and what was visible in its run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The arguments of the program.
    pub arguments: Vec<String>,
    /// The options it was compiled with.
    pub flags: Vec<String>,
    /// How often a thread's waits on condition variables may end by themselves.
    pub spurious: u32,
    /// Sleeping orders.
    pub ordered: bool,
    /// What was read from standard input.
    pub input: Vec<u8>,
    /// What was known of the program in this run.
    pub known: Known,
}

impl Default for Recording {
    fn default() -> Recording {
        Recording {
            file: String::new(),
            defines: Vec::new(),
            fingerprint: String::new(),
            program: None,
            start: Start::Number(0),
            steps: Vec::new(),
            ending: Ending::Open,
            failure: None,
        }
    }
}

impl Recording {
    /// Refuses a recording of another text.
    pub fn fits(&self, fingerprint: &str) -> Result<(), Failure> {
        if self.fingerprint == fingerprint {
            return Ok(());
        }
        Err(Failure::Request(format!(
            "the trace was recorded on another version of {}: the text, an included file or a -D definition has changed",
            self.file
        )))
    }
}
