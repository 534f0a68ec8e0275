//! Answers on the screen.

pub(crate) mod certified;
pub(crate) mod chart;
pub(crate) mod formula;
pub(crate) mod list;
pub(crate) mod program;
pub(crate) mod progress;
pub(crate) mod proof;
pub(crate) mod remedy;
pub(crate) mod result;
#[cfg(test)]
pub(crate) mod samples;
pub(crate) mod violation;

use crate::exit::Exit;
use crate::json;
use crate::output::{complain, line, out};
use crate::style::Style;
use source::{Diagnostic, SourceMap, render};
use workbench::{Failure, Report, Variable};

/// Says why there is no answer.
pub(crate) fn failure(failure: &Failure, json: bool) -> Exit {
    let exit = Exit::of_failure(failure);
    if json {
        if let Failure::Rejected { map, diagnostics } = failure {
            diagnostics.iter().for_each(|d| line(&json::diagnostic(map, d).to_string()));
        }
        line(&json::failure(failure, exit).to_string());
    } else {
        if let Failure::Rejected { map, diagnostics } = failure {
            complain_all(map, diagnostics);
        }
        complain(&format!("weave: {}", failure.message()));
    }
    if exit == Exit::Bug && !json {
        complain("This is a bug in weave, not in your model. No verdict was given.");
    }
    exit
}

/// The answer has been shown; if a file that was asked for cannot be written, that is said after
/// it. A violation stays one.
pub(crate) fn written(written: Result<(), Failure>, exit: Exit) -> Exit {
    let Err(failure) = written else { return exit };
    complain(&format!(
        "weave: {}: the answer above stands, but this file was not written",
        failure.message()
    ));
    exit.unless_violated(Exit::Wrong)
}

/// Diagnostics to standard error.
pub(crate) fn complain_all(map: &SourceMap, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        complain(&format!("{}\n", render(map, diagnostic, Style::look_of_stderr())));
    }
}

/// A run as list and chart.
pub(crate) fn run(trace: &Report, style: &Style) {
    out(&list::list(trace, style));
    let chart = chart::chart(trace, style);
    if !chart.is_empty() {
        out("\n");
        out(&chart);
    }
}

/// Every variable of a state.
pub(crate) fn state(variables: &[Variable]) -> String {
    let width = variables.iter().map(|v| v.name.chars().count()).max().unwrap_or(0);
    variables.iter().map(|v| format!("  {:width$} = {}\n", v.name, v.value)).collect()
}
