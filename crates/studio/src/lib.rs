//! Weave in the browser: a page, and the local server that gives it to one person on this machine.
//!
//! * `server`: connections and routes. `guard`: who is answered. `folder`: the files under one
//!   root. `assets`: the page itself, part of the binary.
//! * `ask`: what the page may ask, as a command line. `jobs`: the command under way, a process of
//!   its own. `relay`: its lines, on their way to the page.
//! * `graph` and `layout`: states around one, as a picture. `tour`: the examples of the tour.
//!
//! Every question of the page is a command of `weave`, started as a process: it answers with the
//! lines of `--json`, holds its limits, and ends when it is asked to. So nothing here knows
//! verification, and a search that goes wrong does not take the page with it
//! (docs/decisions/0036-studio.md).
//!
//! ```no_run
//! use studio::{Options, Studio};
//!
//! # fn main() -> Result<(), studio::Failure> {
//! let (root, weave) = ("models".into(), "/usr/bin/weave".into());
//! let options = Options { root, file: None, tour: false, port: 0, weave, limits: Vec::new() };
//! let studio = Studio::open(options)?;
//! println!("{}", studio.address());
//! studio.serve(&|| false)
//! # }
//! ```

#![warn(missing_docs)]

mod ask;
mod assets;
mod folder;
mod graph;
mod guard;
#[path = "../../../models/head.rs"]
mod head;
mod jobs;
mod layout;
mod relay;
mod secret;
mod server;
mod tour;

pub use server::{Failure, Options, Studio};
pub use tour::Tour;
