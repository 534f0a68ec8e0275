//! Sorts, terms and formulas.
