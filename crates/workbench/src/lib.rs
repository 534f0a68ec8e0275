//! The facade of every front end: plain-data requests and results.
