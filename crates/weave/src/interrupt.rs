//! Ctrl-C: the first asks for a clean stop, the second ends the program at once.

use crate::exit::Exit;
use workbench::Interrupt;

pub(crate) fn listen() -> Interrupt {
    let interrupt = Interrupt::default();
    let raised = interrupt.clone();
    let handler = move || {
        if raised.is_raised() {
            std::process::exit(Exit::Interrupted.code().into());
        }
        raised.raise();
    };
    // Without a handler an interrupt ends the program in the usual way.
    let _ = ctrlc::set_handler(handler);
    interrupt
}
