//! `weave prove --outline`: the diagrams of files as they are written; nothing is proved.

use crate::cli::ProveArgs;
use crate::exit::Exit;
use crate::output::{line, out};
use crate::{json, reproduce, show};
use source::Diagnostic;
use workbench::Failure;
use workbench::prove::{Outline, Outlined, Part, PartKind, outlined};

pub(crate) fn run(args: &ProveArgs) -> Result<Exit, Failure> {
    crate::interrupt::phase("reading the program");
    let files: Vec<_> = args.files.iter().chain(&args.diagram).cloned().collect();
    let outlined = outlined(&files)?;
    let wrong = outlined.diagnostics.iter().any(Diagnostic::is_error);
    let exit = if wrong { Exit::Wrong } else { Exit::Good };
    let reproduce = reproduce::command();
    if args.output.json() {
        outlined.diagnostics.iter().for_each(|d| line(&json::diagnostic(&outlined.map, d).to_string()));
        line(&json::outline::result(&outlined, &reproduce, exit).to_string());
    } else {
        show::complain_all(&outlined.map, &outlined.diagnostics);
        out(&text(&outlined));
        line(&format!("\nreproduce: {reproduce}"));
    }
    Ok(exit)
}

fn text(outlined: &Outlined) -> String {
    let one = |d: &Outline| {
        let proves: Vec<&str> = d.proves.iter().map(|p| p.name.as_str()).collect();
        let proves = if proves.is_empty() { d.name.name.clone() } else { proves.join(", ") };
        let (nodes, edges) = count(&d.parts);
        let position = outlined.map.position(d.span);
        let (file, name, kind) = (outlined.map.name(d.span.file), &d.name.name, &d.kind.name);
        format!(
            "DIAGRAM {name} : {kind} proves {proves}   {file}:{}: {nodes} nodes, {edges} lines of edges\n",
            position.line
        )
    };
    match &outlined.diagrams[..] {
        [] => "There is no diagram.\n".to_string(),
        all => all.iter().map(one).collect(),
    }
}

/// How many nodes and lines of edges there are.
fn count(parts: &[Part]) -> (usize, usize) {
    let of = |part: &Part| match &part.kind {
        PartKind::Node { .. } => (1, 0),
        PartKind::Edge { .. } => (0, 1),
        PartKind::Compound { parts, .. } => count(parts),
        PartKind::Names { .. } => (0, 0),
    };
    parts.iter().map(of).fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}
