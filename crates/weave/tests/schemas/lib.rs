//! Nothing: only the manifest beside this file counts.
