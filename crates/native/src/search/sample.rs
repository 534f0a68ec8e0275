//! Runs at random, for programs too large to be exhausted, and the size of their trees.
