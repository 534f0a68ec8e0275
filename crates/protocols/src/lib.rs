//! Weave behind two protocols, each on standard input and output: the Language Server Protocol for
//! editors, and the Model Context Protocol for programs that use tools.
//!
//! * `rpc`: JSON-RPC, which both are made of. `framing`: how messages are told apart.
//! * [`lsp`]: texts that are being edited; what is said of them comes from `workbench::editing`.
//! * [`mcp`]: a few commands as tools, confined to a folder.
//!
//! A question that searches is a command of `weave`, started as a process
//! (`workbench::asking`): it holds its limits, and ends when it is asked to. What goes wrong with a
//! message is answered, and the next one is read
//! (docs/decisions/0038-servers-by-hand.md).
//!
//! ```no_run
//! use protocols::{Bounds, lsp};
//! use std::io;
//! use std::time::Duration;
//!
//! let weave = "/usr/bin/weave".into();
//! let bounds = Bounds { weave, time: Duration::from_secs(60), limits: Vec::new() };
//! let input = Box::new(io::BufReader::new(io::stdin()));
//! lsp::serve(bounds, input, Box::new(io::stdout()), &|| false);
//! ```

#![warn(missing_docs)]

mod framing;
pub mod lsp;
pub mod mcp;
mod rpc;
mod wire;

pub use wire::Ended;

use std::path::PathBuf;
use std::time::Duration;

/// What the processes that a server starts may use.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The program that answers.
    pub weave: PathBuf,
    /// How long a question may take.
    pub time: Duration,
    /// Options that every question gets.
    pub limits: Vec<String>,
}

/// A bug of ours.
#[derive(Debug)]
struct Panicked;

/// Does something for one message: if that goes wrong, the next message is still answered.
fn shielded<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|_| Panicked)
}
