//! A run as it is written to a file: enough to execute it again, and to refuse a model that has
//! changed.

use crate::failure::Failure;
use crate::question::Define;
use crate::report::{Ending, Failed};
use native::execution::Known;
use space::{Start, Step};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The model or program, as the user named it.
    pub file: String,
    pub defines: Vec<Define>,
    /// Of the text; none of a program, which is executed instead.
    pub fingerprint: String,
    pub program: Option<Launch>,
    pub start: Start,
    pub steps: Vec<Step>,
    pub ending: Ending,
    /// Of a program's run: what went wrong.
    pub failure: Option<Failed>,
}

/// How a program is started, and what was visible in its run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    pub arguments: Vec<String>,
    pub flags: Vec<String>,
    /// How often a thread's waits on condition variables may end by themselves.
    pub spurious: u32,
    /// Sleeping orders.
    pub ordered: bool,
    /// What was read from standard input.
    pub input: Vec<u8>,
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
