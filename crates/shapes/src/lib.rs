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

pub mod abstracted;
pub mod answer;
pub mod blur;
pub mod codes;
pub mod coerce;
pub mod concrete;
pub mod concretize;
pub mod crosscheck;
pub mod difference;
pub mod fragment;
pub mod ground;
pub mod integrity;
pub mod machine;
pub mod names;
pub mod obligation;
pub mod picture;
pub mod plan;
pub mod prepared;
pub mod reach;
pub mod reduce;
