//! A panic is our bug: it is said so, with where it happened, and ends with the code for it.

use crate::exit::Exit;
use crate::output::{complain, line};
use serde_json::json;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook};

/// Runs the program; a panic becomes a report.
pub(crate) fn guarded(json: bool, program: impl FnOnce() -> Exit) -> Exit {
    set_hook(Box::new(report));
    catch_unwind(AssertUnwindSafe(program)).unwrap_or_else(|_| {
        if json {
            let reason = "internal error: the program panicked";
            let event =
                json!({"event": "result", "verdict": null, "reason": reason, "exit_code": Exit::Bug.code()});
            line(&event.to_string());
        }
        Exit::Bug
    })
}

fn report(info: &PanicHookInfo<'_>) {
    let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
    let payload = info.payload();
    let what =
        payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let what = what.unwrap_or("no message");
    complain(&format!("weave: internal error{place}: {what}"));
    complain(&format!(
        "This is a bug in weave {}, not in your model. No verdict was given.\nThe command was: {}",
        env!("CARGO_PKG_VERSION"),
        std::env::args().collect::<Vec<_>>().join(" ")
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_with_the_code_for_our_bugs() {
        assert_eq!(guarded(false, || panic!("wanted by this test")), Exit::Bug);
        assert_eq!(guarded(false, || Exit::Good), Exit::Good);
        drop(std::panic::take_hook());
    }
}
