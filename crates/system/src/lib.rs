//! The waist: processes, shared objects, guarded transitions, the reference stepper, runs.
