//! Real programs under a controlled scheduler: launch, interpose, step, replay. After VeriSoft
//! (Godefroid, POPL 1997).
//!
//! * `preload/`: the C library inside every controlled process. `protocol`: what it and we say to
//!   each other.
//! * [`compile`]: source files, instrumented.
//! * [`launch`]: namespaces, limits (`group`: by control group), the server of runs. `machine`:
//!   the hand-over, one thread at a time; `tape`: most of it without us.
//! * [`operation`]: visible operations, objects, what depends on what. `objects`: what operations
//!   do.
//! * [`execution`]: one run: creation, joins and everything else that happens by itself.
//! * [`mod@explore`]: a search of a program, with all its parts.
//! * [`leftovers`]: what must not stay behind if we end in the middle.
//! * [`debug`]: a recorded run, stopped where it fails, under gdb.
//! * [`steps`]: a recorded run, executed again and reported; [`symbols`]: lines and names of
//!   addresses.
//! * `unseen`: code that is not instrumented. [`system_calls`]: what becomes of each of them.
//! * `small`: the tables of the model.
//!
//! The search and its reductions are [`::explore::stateless`], over [`execution::Execution`].
//!
//! ```
//! use native::system_calls::class;
//!
//! // What no table names is not controlled.
//! assert_eq!(class(u32::MAX), "UNCONTROLLED");
//! assert_eq!(class(libc::SYS_futex as u32), "LIBRARY");
//! ```

#![warn(missing_docs)]

pub mod compile;
pub mod debug;
pub mod execution;
pub mod explore;
mod group;
pub mod launch;
pub mod leftovers;
mod machine;
mod object_names;
mod objects;
pub mod operation;
mod protocol;
mod small;
pub mod steps;
pub mod symbols;
pub mod system_calls;
mod tape;
mod unseen;
pub mod waits;
