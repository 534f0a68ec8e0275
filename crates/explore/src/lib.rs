//! Search over any stepper: stores, orders, limits.
