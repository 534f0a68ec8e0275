//! The outline of a text, and what is wrong with it, as the protocol has them.

use super::documents::{Document, Documents};
use serde_json::{Value, json};
use source::{Definition, Diagnostic, Label, NameKind};
use workbench::editing::View;

/// What is defined in a text, what stands inside of something below it. Clients that know no trees
/// get a list.
pub(crate) fn outline(documents: &Documents, uri: &str, view: &View, trees: bool) -> Vec<Value> {
    let all = view.index.definitions();
    let around = view.index.around();
    let shown = |d: &Definition| d.span.file == view.root && d.kind != NameKind::Parameter;
    let symbol = |number: usize| {
        let d = &all[number];
        let range = documents.range(view, d.whole.to(d.span));
        if !trees {
            return json!({"name": &*d.name, "kind": kind(d.kind), "location": {"uri": uri, "range": range}});
        }
        let own = documents.range(view, d.span);
        json!({
            "name": &*d.name, "kind": kind(d.kind), "detail": d.kind.words(), "range": range,
            "selectionRange": own,
        })
    };
    let numbers: Vec<usize> = (0..all.len()).filter(|number| shown(&all[*number])).collect();
    if !trees {
        return numbers.into_iter().map(symbol).collect();
    }
    // Inside out: a symbol takes what is below it along.
    let mut order = numbers.clone();
    order.sort_by_key(|n| (all[*n].whole.end - all[*n].whole.start, std::cmp::Reverse(*n)));
    let mut below: Vec<Vec<(u32, Value)>> = vec![Vec::new(); all.len()];
    let mut top = Vec::new();
    for number in order {
        let mut value = symbol(number);
        let mut children = std::mem::take(&mut below[number]);
        children.sort_by_key(|(start, _)| *start);
        value["children"] = children.into_iter().map(|(_, child)| child).collect();
        let list = match around[number].filter(|outer| numbers.binary_search(outer).is_ok()) {
            Some(outer) => &mut below[outer],
            None => &mut top,
        };
        list.push((all[number].span.start, value));
    }
    top.sort_by_key(|(start, _)| *start);
    top.into_iter().map(|(_, value)| value).collect()
}

/// The numbers of the protocol for kinds of symbols.
fn kind(kind: NameKind) -> u32 {
    match kind {
        NameKind::Variable | NameKind::Parameter => 13,
        NameKind::Constant => 14,
        NameKind::Type => 23,
        NameKind::Field => 8,
        NameKind::Process => 5,
        NameKind::Label => 20,
        NameKind::Property => 7,
        NameKind::Macro | NameKind::Function => 12,
        NameKind::Action => 24,
        NameKind::Predicate => 17,
        NameKind::Diagram => 3,
    }
}

/// Everything that is wrong with a text, and what no run reaches, faded.
pub(crate) fn diagnostics(documents: &Documents, document: &Document, view: &View) -> Vec<Value> {
    let found = view.diagnostics.iter().map(|d| diagnostic(documents, view, d));
    let faded = document.unreached.iter().map(|(start, end)| {
        json!({
            "range": document.lines.range(&document.text, *start, *end), "severity": 4, "source": "weave",
            "message": "no run gets here", "tags": [1],
        })
    });
    found.chain(faded).collect()
}

fn diagnostic(documents: &Documents, view: &View, d: &Diagnostic) -> Value {
    let place = |label: &Label| label.span.file == view.root;
    let mut lines = vec![d.message.clone()];
    lines.extend(Some(d.primary.text.clone()).filter(|text| !text.is_empty()));
    lines.extend(d.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(d.help.iter().map(|help| format!("help: {help}")));
    let here = std::iter::once(&d.primary).chain(&d.secondary).find(|label| place(label));
    if !place(&d.primary) {
        let at = view.map.position(d.primary.span);
        lines[0] = format!("{}:{}: {}", view.map.name(d.primary.span.file), at.line, lines[0]);
    }
    let range = match here {
        Some(label) => documents.range(view, label.span),
        None => documents.range(view, source::Span::new(view.root, 0, 0)),
    };
    let related = d.secondary.iter().filter(|label| !label.text.is_empty());
    let related = related.filter_map(|label| {
        Some(json!({"location": documents.location(view, label.span)?, "message": label.text}))
    });
    json!({
        "range": range, "severity": if d.is_error() { 1 } else { 2 }, "code": d.code, "source": "weave",
        "message": lines.join("\n"), "relatedInformation": related.collect::<Vec<_>>(),
    })
}
