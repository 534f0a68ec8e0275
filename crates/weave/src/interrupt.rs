//! The job of this process, and the signals that end it: Ctrl-C, and what `kill` sends.

use std::sync::OnceLock;
use workbench::Interrupt;

static JOB: OnceLock<Interrupt> = OnceLock::new();

/// The one job of this process.
pub(crate) fn listen() -> Interrupt {
    JOB.get_or_init(Interrupt::default).clone()
}

/// Says what the job does now, in words that follow "while".
pub(crate) fn phase(phase: &'static str) {
    listen().phase(phase);
}

/// Calls back at each signal.
pub(crate) fn on_signal(handler: impl Fn() + Send + 'static) {
    // Without a handler an interrupt ends the program in the usual way.
    let _ = ctrlc::set_handler(handler);
}
