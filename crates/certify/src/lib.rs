//! Re-checks runs with the reference stepper.
