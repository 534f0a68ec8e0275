//! Finite systems as packed bytes and bytecode: the fast stepper.
