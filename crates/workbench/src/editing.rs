//! A text that is being edited: what is wrong with it, what its names mean, and what can be asked
//! about it.
//!
//! Everything comes from the readers that every other command uses; a text in the middle of a
//! change is read as far as it can be.

use crate::kind::{self, Language};
use crate::model::read_text;
use promela::{Define, Files, Unreadable};
use source::{Diagnostic, FileId, Index, Name, SourceMap, Span};
use std::path::Path;

/// What is known of a text.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The text, and those it includes.
    pub map: SourceMap,
    /// The text itself.
    pub root: FileId,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// What its names mean.
    pub index: Index,
    /// The properties by the names under which they can be asked about, and their places.
    pub properties: Vec<(Name, Span)>,
}

/// Texts that are open in an editor, by path: they count instead of those on disk.
pub type Open<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The language of a text by what an editor calls it, or else by the name of its file. Only texts
/// with names to look up have one here.
pub fn language(editor: &str, path: &Path) -> Option<Language> {
    let of = |kind| match kind {
        kind::Kind::Promela => Some(Language::Promela),
        kind::Kind::Spl | kind::Kind::Fts => Some(Language::Relation),
        kind::Kind::Tvm => Some(Language::Tvm),
        _ => None,
    };
    kind::named(editor).or_else(|| kind::by_name(path)).and_then(of)
}

/// Reads a text.
pub fn view(language: Language, name: &str, text: &str, open: Open<'_>) -> View {
    let mut map = SourceMap::new();
    let root = map.add(name, text);
    let (diagnostics, index, properties) = match language {
        Language::Promela => {
            let defines: [Define; 0] = [];
            let read = promela::read_names(&mut map, root, &OpenFirst(open), &defines);
            (read.diagnostics, read.index, read.formulas)
        }
        Language::Relation => {
            let read = spl::read_names(&map, root);
            (read.diagnostics, read.index, read.properties)
        }
        Language::Tvm => {
            let read = tvm::read_names(&map, root);
            (read.diagnostics, read.index, read.properties)
        }
        Language::Java | Language::Program => Default::default(),
    };
    View { map, root, diagnostics, index, properties }
}

impl View {
    /// The same text with another name for one thing, or why that cannot be. The text with the new
    /// name is read again: every name must mean then what it means now.
    pub fn renamed(
        &self,
        language: Language,
        number: usize,
        name: &str,
        open: Open<'_>,
    ) -> Result<Vec<Span>, NotRenamed> {
        let places = self.index.places(number);
        let shared = |place: &Span| self.index.at(*place).is_some_and(|(_, all)| all.len() > 1);
        if places.iter().any(shared) {
            return Err(NotRenamed::Several);
        }
        let renamed = |file: FileId| {
            let mut text = self.map.get(file)?.content.to_string();
            let mut here: Vec<&Span> = places.iter().filter(|place| place.file == file).collect();
            here.sort_by_key(|place| std::cmp::Reverse(place.start));
            for place in here {
                text.replace_range(place.start as usize..place.end as usize, name);
            }
            Some(text)
        };
        let files: Vec<(&str, String)> =
            self.map.iter().filter_map(|(file, text)| Some((text.name.as_str(), renamed(file)?))).collect();
        let again = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| text.clone()).or_else(|| open(path))
        };
        let text = again(self.map.name(self.root)).unwrap_or_default();
        let after = view(language, self.map.name(self.root), &text, &again);
        let codes = |view: &View| view.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>();
        if after.index.shape() == self.index.shape() && codes(&after) == codes(self) {
            Ok(places)
        } else {
            Err(NotRenamed::Changes(name.to_string()))
        }
    }
}

/// Why a name stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRenamed {
    /// A place means more than one thing, as in an inline that is called in several processes.
    #[error("this name means different things where the text around it is used")]
    Several,
    /// Something would have another meaning, or none.
    #[error("with the name `{0}`, the text would mean something else or become wrong")]
    Changes(String),
}

/// What is open counts before what is on disk.
struct OpenFirst<'a>(Open<'a>);

impl Files for OpenFirst<'_> {
    fn read(&self, path: &str) -> Result<String, Unreadable> {
        (self.0)(path).map_or_else(|| read_text(Path::new(path)).map_err(|e| Unreadable(e.message())), Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promela(text: &str) -> View {
        view(Language::Promela, "a.pml", text, &|_| None)
    }

    fn definition(view: &View, name: &str) -> usize {
        view.index.definitions().iter().position(|d| &*d.name == name).unwrap()
    }

    #[test]
    fn names_are_checked_beside_a_mistake_of_the_grammar() {
        let view =
            promela("byte x;\nactive proctype P() { x = = 1; conter = 2; lost = 1 }\nbyte lost = = 2;\n");
        let codes: Vec<_> =
            view.diagnostics.iter().map(|d| (d.code, view.map.snippet(d.primary.span))).collect();
        assert!(codes.contains(&("E0301", "conter")), "{codes:?}");
        assert!(!codes.contains(&("E0301", "lost")), "{codes:?}");
    }

    #[test]
    fn a_rename_follows_macros_and_inlines() {
        let text = "#define busy (turn > 0)\nbyte turn;\ninline take(n) { turn = n }\n\
                    active proctype P() { take(1); !busy }\n";
        let view = promela(text);
        assert!(view.diagnostics.is_empty(), "{:?}", view.diagnostics);
        let places = view.renamed(Language::Promela, definition(&view, "turn"), "next", &|_| None).unwrap();
        assert_eq!(places.len(), 3);
        let refused = |to: &str| view.renamed(Language::Promela, definition(&view, "turn"), to, &|_| None);
        for to in ["busy", "P", "n", "do", "1x", "a b", ""] {
            assert_eq!(refused(to), Err(NotRenamed::Changes(to.to_string())), "{to}");
        }
    }

    #[test]
    fn a_name_with_two_meanings_stays() {
        let text = "inline up() { own++ }\nactive proctype P() { byte own; up() }\n\
                    active proctype Q() { byte own; up() }\n";
        let view = promela(text);
        let number = definition(&view, "own");
        assert_eq!(view.renamed(Language::Promela, number, "mine", &|_| None), Err(NotRenamed::Several));
    }

    #[test]
    fn names_of_specifications_and_of_shapes() {
        let spl = "local x : int where x = 0\nP::[ l0: x := x + 1; l1: skip ]\n\
                   PROPERTY small : [] (at_l1 --> x <= 1)\n";
        let view = view(Language::Relation, "a.spl", spl, &|_| None);
        assert!(view.diagnostics.is_empty(), "{:?}", view.diagnostics);
        assert_eq!(view.index.places(definition(&view, "x")).len(), 5);
        assert_eq!(view.index.places(definition(&view, "l1")).len(), 2);
        assert_eq!(&*view.properties[0].0, "small");
        let tvm = "predicate taken\naction take { when !taken  taken := 1 }\n\
                   thread T { l: take -> m }\ninitial { node t: at[l] }\ninvariant no = !taken\n";
        let view = super::view(Language::Tvm, "a.tvm", tvm, &|_| None);
        assert!(view.diagnostics.is_empty(), "{:?}", view.diagnostics);
        assert_eq!(view.index.places(definition(&view, "taken")).len(), 4);
        assert_eq!(view.index.places(definition(&view, "l")).len(), 2);
        assert_eq!(view.index.places(definition(&view, "take")).len(), 2);
    }
}
