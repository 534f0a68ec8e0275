//! `weave doctor`: what this machine has that weave can use. None of it is needed to check a model.

use crate::cli::DoctorArgs;
use crate::exit::Exit;
use crate::json;
use crate::output::{line, out};
use serde_json::{Value, json};
use workbench::Failure;
use workbench::tools::{Facility, Tool, facilities, tools};

pub(crate) fn run(args: &DoctorArgs) -> Result<Exit, Failure> {
    let (tools, facilities) = (tools(), facilities());
    match args.json {
        true => line(&object(&tools, &facilities).to_string()),
        false => out(&text(&tools, &facilities)),
    }
    Ok(Exit::Good)
}

/// The widest state before which its purpose still stands on the same line.
const STATE: usize = 24;

fn text(tools: &[Tool], facilities: &[Facility]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "weave {version}: models, proofs and Java need nothing but this program;\n\
         C and C++ need a compiler.\n\nTools:\n"
    );
    for tool in tools {
        let found = tool.found.as_ref().map_or_else(|| "not found".to_string(), |p| p.display().to_string());
        text.push_str(&row(tool.name, &found, tool.purpose));
    }
    text.push_str("\nThe kernel:\n");
    facilities.iter().for_each(|f| text.push_str(&row(f.name, &f.state, f.purpose)));
    text
}

fn row(name: &str, state: &str, purpose: &str) -> String {
    if state.chars().count() > STATE {
        let indent = " ".repeat(13);
        return format!("  {name:<10} {state}\n{indent}{purpose}\n");
    }
    format!("  {name:<10} {state:<STATE$} {purpose}\n")
}

fn object(tools: &[Tool], facilities: &[Facility]) -> Value {
    let tool = |t: &Tool| json!({"name": t.name, "purpose": t.purpose, "found": t.found});
    let facility =
        |f: &Facility| json!({"name": f.name, "purpose": f.purpose, "usable": f.usable, "state": f.state});
    json!({
        "event": "result", "schema": json::VERSION, "command": "doctor", "exit_code": Exit::Good.code(),
        "version": env!("CARGO_PKG_VERSION"),
        "tools": tools.iter().map(tool).collect::<Vec<_>>(),
        "kernel": facilities.iter().map(facility).collect::<Vec<_>>(),
    })
}
