//! Names of a text: where each is defined, and which uses mean which definition.
//!
//! The checker of a language fills a [`Recorder`] while it resolves names, and never asks it: what
//! is accepted does not depend on it. An editor reads the [`Index`] that comes of it. A definition
//! is known by its name and its place, so a text that is read several times (an inline, a
//! `foreach`) has each of its names once.

use crate::{Ident, Name, SourceMap, Span};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a name is the name of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NameKind {
    /// Something whose value changes.
    Variable,
    /// What a process, a macro, an inline or an action is given.
    Parameter,
    /// Something whose value stays.
    Constant,
    /// A type, or a set of constants.
    Type,
    /// A part of a record.
    Field,
    /// A kind of process or of thread.
    Process,
    /// A place in a process.
    Label,
    /// Something that is checked or proved.
    Property,
    /// A text that stands for another.
    Macro,
    /// A function.
    Function,
    /// A step, or a kind of steps.
    Action,
    /// A relation between individuals.
    Predicate,
    /// A diagram, or a node of one.
    Diagram,
}

impl NameKind {
    /// What it is called, behind "this is a".
    pub fn words(self) -> &'static str {
        match self {
            NameKind::Variable => "variable",
            NameKind::Parameter => "parameter",
            NameKind::Constant => "constant",
            NameKind::Type => "type",
            NameKind::Field => "field",
            NameKind::Process => "process",
            NameKind::Label => "label",
            NameKind::Property => "property",
            NameKind::Macro => "macro",
            NameKind::Function => "function",
            NameKind::Action => "transition",
            NameKind::Predicate => "predicate",
            NameKind::Diagram => "part of a diagram",
        }
    }
}

/// A name where it is introduced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name.
    pub name: Name,
    /// What it is the name of.
    pub kind: NameKind,
    /// Where the name stands.
    pub span: Span,
    /// All of what is named: a process with its body. At least the name.
    pub whole: Span,
}

/// A name at a place.
type Key = (Span, Name);

/// Collects definitions and uses while names are resolved.
#[derive(Clone, Default, Debug)]
pub struct Recorder {
    definitions: HashMap<Key, Definition>,
    /// Where a name is used, and where what it means is defined.
    uses: HashSet<(Key, Span)>,
}

impl Recorder {
    /// A name is introduced.
    pub fn define(&mut self, name: &Ident, kind: NameKind) {
        self.define_whole(name, kind, name.span);
    }

    /// A name is introduced, of something that reaches over more than its name.
    pub fn define_whole(&mut self, name: &Ident, kind: NameKind, whole: Span) {
        let definition = Definition { name: name.name.clone(), kind, span: name.span, whole };
        self.definitions.entry((name.span, name.name.clone())).or_insert(definition);
    }

    /// A name is used, and means what is defined under the same name at another place.
    pub fn mean(&mut self, used: &Ident, defined: Span) {
        self.mean_at(&used.name, used.span, defined);
    }

    /// As [`Recorder::mean`], for a name and its place.
    pub fn mean_at(&mut self, name: &Name, used: Span, defined: Span) {
        if used != defined {
            self.uses.insert(((used, name.clone()), defined));
        }
    }

    /// Everything that another recorder has.
    pub fn append(&mut self, other: Recorder) {
        for (key, definition) in other.definitions {
            self.definitions.entry(key).or_insert(definition);
        }
        self.uses.extend(other.uses);
    }

    /// What was collected, as places where the user typed a name. `expanded` says from where a name
    /// comes that stands in the text of a macro: its places in definitions of macros. What was not
    /// typed anywhere is left out, with all that means it.
    pub fn settle(self, map: &SourceMap, expanded: &HashMap<(Span, Name), Vec<Span>>) -> Index {
        let typed = |(span, name): &Key| -> Vec<Span> {
            match expanded.get(&(*span, name.clone())) {
                Some(places) => places.clone(),
                None if map.snippet(*span) == &**name => vec![*span],
                None => Vec::new(),
            }
        };
        let mut definitions: BTreeMap<(Span, Name), Definition> = BTreeMap::new();
        let mut moved: HashMap<Key, Key> = HashMap::new();
        for (key, definition) in self.definitions {
            if let [span] = typed(&key)[..] {
                let whole = if definition.whole == definition.span { span } else { definition.whole };
                moved.insert(key, (span, definition.name.clone()));
                let settled = Definition { span, whole, ..definition };
                definitions.entry((span, settled.name.clone())).or_insert(settled);
            }
        }
        let numbers: HashMap<&Key, usize> = definitions.keys().enumerate().map(|(n, k)| (k, n)).collect();
        let mut uses = Vec::new();
        for (used, defined) in &self.uses {
            let key = (*defined, used.1.clone());
            let Some(number) = moved.get(&key).and_then(|key| numbers.get(key)) else { continue };
            uses.extend(typed(used).into_iter().map(|span| (span, *number)));
        }
        let definitions: Vec<Definition> = definitions.into_values().collect();
        uses.retain(|(span, number)| definitions[*number].span != *span);
        uses.sort_unstable();
        uses.dedup();
        Index { definitions, uses }
    }
}

/// Definitions and uses in the order of the texts.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Index {
    definitions: Vec<Definition>,
    /// A place, and the number of a definition that it means.
    uses: Vec<(Span, usize)>,
}

impl Index {
    /// All definitions.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The place of the name at a byte of a text, and the definitions it means: several where a
    /// text is read several times.
    pub fn at(&self, place: Span) -> Option<(Span, Vec<usize>)> {
        let touches = |span: Span| span.file == place.file && (span.start..=span.end).contains(&place.start);
        let defined = self.definitions.iter().enumerate().map(|(number, d)| (d.span, number));
        let found: Vec<(Span, usize)> =
            defined.chain(self.uses.iter().copied()).filter(|(span, _)| touches(*span)).collect();
        // Between two names that touch, the one that begins here.
        let (span, _) = *found.iter().max_by_key(|(span, _)| span.start)?;
        let numbers = found.iter().filter(|(other, _)| *other == span).map(|(_, number)| *number);
        Some((span, numbers.collect()))
    }

    /// Everywhere a definition is used, its own place first.
    pub fn places(&self, number: usize) -> Vec<Span> {
        let own = self.definitions.get(number).map(|d| d.span);
        let used = self.uses.iter().filter(|(_, of)| *of == number).map(|(span, _)| *span);
        own.into_iter().chain(used).collect()
    }

    /// For each definition the innermost other one that it stands in.
    pub fn around(&self) -> Vec<Option<usize>> {
        let mut order: Vec<usize> = (0..self.definitions.len()).collect();
        let whole = |number: usize| self.definitions[number].whole;
        order.sort_by_key(|n| (whole(*n).file, whole(*n).start, std::cmp::Reverse(whole(*n).end)));
        let mut around = vec![None; order.len()];
        let mut open: Vec<usize> = Vec::new();
        for number in order {
            while open.last().is_some_and(|outer| !contains(whole(*outer), whole(number))) {
                open.pop();
            }
            around[number] = open.last().copied();
            if whole(number) != self.definitions[number].span {
                open.push(number);
            }
        }
        around
    }

    /// The innermost process, macro or type that a place stands in.
    pub fn inside(&self, place: Span) -> Option<usize> {
        let outer = self.definitions.iter().enumerate();
        let outer = outer.filter(|(_, d)| d.whole != d.span && contains(d.whole, place));
        outer.min_by_key(|(_, d)| d.whole.end - d.whole.start).map(|(n, _)| n)
    }

    /// The structure of the index without names and places: which definition each use means, in the
    /// order of the texts. Two texts that differ only in what one thing is called have the same.
    pub fn shape(&self) -> (Vec<NameKind>, Vec<usize>) {
        let kinds = self.definitions.iter().map(|d| d.kind).collect();
        (kinds, self.uses.iter().map(|(_, number)| *number).collect())
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    fn ident(name: &str, file: FileId, start: u32) -> Ident {
        Ident { name: name.into(), span: Span::new(file, start, start + name.len() as u32) }
    }

    #[test]
    fn uses_find_their_definitions() {
        let mut map = SourceMap::new();
        let file = map.add("a", "byte x; x = x + y");
        let mut recorder = Recorder::default();
        let x = ident("x", file, 5);
        recorder.define(&x, NameKind::Variable);
        recorder.mean(&ident("x", file, 8), x.span);
        recorder.mean(&ident("x", file, 12), x.span);
        recorder.mean(&ident("y", file, 16), x.span);
        let index = recorder.settle(&map, &HashMap::new());
        let starts: Vec<u32> = index.places(0).iter().map(|span| span.start).collect();
        assert_eq!(starts, [5, 8, 12]);
        assert_eq!(index.at(Span::new(file, 9, 9)), Some((Span::new(file, 8, 9), vec![0])));
        assert_eq!(index.at(Span::new(file, 16, 16)), None);
    }

    #[test]
    fn names_out_of_macros_stand_where_they_were_typed() {
        let mut map = SourceMap::new();
        let file = map.add("a", "#define p (x > 0)\nbyte x; p");
        let mut recorder = Recorder::default();
        let x = ident("x", file, 23);
        let call = Span::new(file, 26, 27);
        recorder.define(&x, NameKind::Variable);
        recorder.mean_at(&"x".into(), call, x.span);
        let typed = HashMap::from([((call, "x".into()), vec![Span::new(file, 11, 12)])]);
        let index = recorder.clone().settle(&map, &typed);
        assert_eq!(index.places(0)[1].start, 11);
        assert_eq!(recorder.settle(&map, &HashMap::new()).places(0).len(), 1);
    }

    #[test]
    fn the_innermost_definition_around_a_place() {
        let mut map = SourceMap::new();
        let file = map.add("a", "P { x }");
        let mut recorder = Recorder::default();
        recorder.define_whole(&ident("P", file, 0), NameKind::Process, Span::new(file, 0, 7));
        recorder.define(&ident("x", file, 4), NameKind::Variable);
        let index = recorder.settle(&map, &HashMap::new());
        assert_eq!(index.around(), [None, Some(0)]);
        assert_eq!(index.inside(Span::new(file, 5, 5)), Some(0));
    }
}
