//! What is asked about the name at a place: what it is, where it is defined and used, another name
//! for it, and which names could stand there.

use super::documents::Documents;
use super::places::Position;
use serde_json::{Value, json};
use source::{Definition, NameKind, Span};
use std::collections::BTreeMap;
use std::rc::Rc;
use workbench::editing::View;

/// The longest line that is shown of a definition.
const LONGEST: usize = 200;

/// A place in a text.
pub(crate) struct Asked {
    pub(crate) view: Rc<View>,
    place: Span,
}

/// The place that a request is about; none where nothing is known.
pub(crate) fn at(documents: &mut Documents, uri: &str, position: Position) -> Option<Asked> {
    let view = documents.view(uri)?;
    let document = documents.get(uri)?;
    let offset = document.lines.offset(&document.text, position) as u32;
    Some(Asked { place: Span::new(view.root, offset, offset), view })
}

impl Asked {
    /// The name here, and the definitions it means.
    fn found(&self) -> Option<(Span, Vec<&Definition>)> {
        let (span, numbers) = self.view.index.at(self.place)?;
        let all = self.view.index.definitions();
        Some((span, numbers.into_iter().map(|number| &all[number]).collect()))
    }

    /// The only definition that the name here means, by its number.
    pub(crate) fn number(&self) -> Option<usize> {
        self.view.index.at(self.place)?.1.first().copied()
    }

    pub(crate) fn hover(&self, documents: &Documents) -> Option<Value> {
        let (span, definitions) = self.found()?;
        let shown = definitions.iter().map(|d| {
            let file = self.view.map.name(d.span.file);
            let place = match d.span.file == self.view.root {
                true => format!("line {}", self.view.map.position(d.span).line),
                false => format!("line {} of {file}", self.view.map.position(d.span).line),
            };
            format!("```\n{}\n```\n{}, {place}", line(&self.view, d), d.kind.words())
        });
        let value = shown.collect::<Vec<_>>().join("\n\n");
        Some(json!({
            "contents": {"kind": "markdown", "value": value}, "range": documents.range(&self.view, span),
        }))
    }

    pub(crate) fn definition(&self, documents: &Documents) -> Vec<Value> {
        let (_, definitions) = self.found().unwrap_or_default();
        definitions.iter().filter_map(|d| documents.location(&self.view, d.span)).collect()
    }

    pub(crate) fn references(&self, documents: &Documents, declared: bool) -> Vec<Value> {
        let numbers = self.view.index.at(self.place).map(|(_, numbers)| numbers).unwrap_or_default();
        let skipped = usize::from(!declared);
        let mut places: Vec<Span> =
            numbers.iter().flat_map(|number| self.view.index.places(*number).split_off(skipped)).collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().filter_map(|place| documents.location(&self.view, place)).collect()
    }

    /// The range of the name here, if it can have another.
    pub(crate) fn renameable(&self, documents: &Documents) -> Option<Value> {
        let (span, definitions) = self.found()?;
        let name = &definitions.first()?.name;
        Some(json!({"range": documents.range(&self.view, span), "placeholder": &**name}))
    }

    /// The edits that replace a name at places, by text.
    pub(crate) fn edits(&self, documents: &Documents, places: &[Span], name: &str) -> Value {
        let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for place in places {
            if let Some(uri) = documents.uri(&self.view, place.file) {
                let edit = json!({"range": documents.range(&self.view, *place), "newText": name});
                changes.entry(uri).or_default().push(edit);
            }
        }
        json!({"changes": changes})
    }
}

/// The line in which a name is introduced.
fn line(view: &View, d: &Definition) -> String {
    let text = view.map.get(d.span.file).map_or("", |text| &*text.content);
    let (start, end) = (d.span.start as usize, d.span.end as usize);
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    text[begin..end].trim().chars().take(LONGEST).collect()
}

/// The names that could stand at a place: fields behind a point, labels behind `@` and `goto`, else
/// all that are known in the process around it.
pub(crate) fn completion(documents: &mut Documents, uri: &str, position: Position) -> Vec<Value> {
    let Some(asked) = at(documents, uri, position) else { return Vec::new() };
    let Some(document) = documents.get(uri) else { return Vec::new() };
    let before = &document.text[..asked.place.start as usize];
    let before = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let is_label = before.ends_with('@') || before.trim_end().ends_with("goto");
    let fits = |kind: NameKind| match kind {
        NameKind::Field => before.ends_with('.'),
        NameKind::Label => is_label || document.language != Some(workbench::kind::Language::Promela),
        _ => !before.ends_with('.') && !is_label,
    };
    let mut items = BTreeMap::new();
    let wholes = document.whole.iter().filter(|whole| !Rc::ptr_eq(whole, &asked.view));
    for (view, in_scope) in std::iter::once((&asked.view, true)).chain(wholes.map(|whole| (whole, false))) {
        let inside = view.index.inside(asked.place);
        let around = view.index.around();
        for (d, outer) in view.index.definitions().iter().zip(around) {
            let private = outer.is_some_and(|outer| hides(view.index.definitions()[outer].kind, d.kind));
            let visible = !private || (in_scope && outer == inside) || is_label;
            if fits(d.kind) && visible {
                items.entry(d.name.to_string()).or_insert_with(|| item(view, d));
            }
        }
    }
    items.into_values().collect()
}

/// Whether what stands in a process, a macro or an inline is known only there.
fn hides(outer: NameKind, inner: NameKind) -> bool {
    let inside = matches!(inner, NameKind::Variable | NameKind::Parameter | NameKind::Label);
    inside && matches!(outer, NameKind::Process | NameKind::Macro | NameKind::Action | NameKind::Property)
}

fn item(view: &View, d: &Definition) -> Value {
    // The numbers of the protocol for kinds of completions.
    let kind = match d.kind {
        NameKind::Variable | NameKind::Parameter => 6,
        NameKind::Constant => 21,
        NameKind::Type => 22,
        NameKind::Field => 5,
        NameKind::Process => 7,
        NameKind::Label | NameKind::Diagram => 18,
        NameKind::Property => 10,
        NameKind::Macro | NameKind::Function | NameKind::Action | NameKind::Predicate => 3,
    };
    json!({"label": &*d.name, "kind": kind, "detail": format!("{}: {}", d.kind.words(), line(view, d))})
}
