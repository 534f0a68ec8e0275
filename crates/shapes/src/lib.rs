//! Three-valued structures: programs with unboundedly many threads and objects.
//!
//! After Yahav, Reps and Sagiv, "LTL Model Checking for Systems with Unbounded Number of
//! Dynamically Created Threads and Objects" (3VMC).
//!
//! ```
//! let mut map = source::SourceMap::new();
//! let text = "predicate taken\naction take { when !taken  taken := 1 }\ninitial { node t }\n";
//! let file = map.add("lock.tvm", text);
//! let model = tvm::read(&map, file).0.unwrap();
//! let prepared = shapes::prepared::prepare(&model, &[]);
//! assert_eq!(prepared.initial.len(), 1);
//! ```

#![warn(missing_docs)]

pub mod abstracted;
pub mod answer;
mod blur;
pub mod codes;
mod coerce;
pub mod concrete;
pub mod concretize;
pub mod crosscheck;
mod difference;
mod fragment;
mod ground;
pub mod integrity;
mod machine;
mod names;
pub mod obligation;
pub mod picture;
mod plan;
pub mod prepared;
mod reach;
pub mod reduce;
