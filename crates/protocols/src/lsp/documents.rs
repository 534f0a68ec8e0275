//! The texts that are open in an editor, as they are there and not on disk, and what is known of
//! each.

use super::places::{Encoding, Lines, Range};
use serde::Deserialize;
use serde_json::{Value, json};
use source::{FileId, Span};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use workbench::editing::{self, View};
use workbench::kind::Language;

/// A text that is open.
pub(crate) struct Document {
    pub(crate) uri: String,
    /// The file it is, or its address if it is none.
    pub(crate) name: String,
    /// None if nothing is known of such texts.
    pub(crate) language: Option<Language>,
    pub(crate) version: i64,
    pub(crate) text: String,
    pub(crate) lines: Lines,
    /// What was last found; none after a change.
    view: Option<Rc<View>>,
    /// What was found when the text could be read as a whole.
    pub(crate) whole: Option<Rc<View>>,
    /// What checks said of this text, by property; all of it by none.
    pub(crate) verdicts: HashMap<Option<String>, Verdict>,
    /// Where statements begin that no run reaches, as bytes.
    pub(crate) unreached: Vec<(usize, usize)>,
    /// What is known has not been sent yet.
    pub(crate) dirty: bool,
}

/// What a check said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    UnderWay,
    /// `holds`, `violated` or `unknown`, and why.
    Said(String, Option<String>),
}

/// All texts that are open, by their addresses.
#[derive(Default)]
pub(crate) struct Documents {
    pub(crate) encoding: Encoding,
    open: BTreeMap<String, Document>,
}

/// A change of a text: of a range, or all of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Change {
    range: Option<Range>,
    text: String,
}

impl Documents {
    pub(crate) fn open(&mut self, uri: String, editor: &str, version: i64, text: String) {
        let path = path_of(&uri);
        let language = editing::language(editor, path.as_deref().unwrap_or(Path::new(&uri)));
        let name = path.map_or_else(|| uri.clone(), |path| path.to_string_lossy().into_owned());
        let lines = Lines::of(&text, self.encoding);
        let (view, whole, verdicts, unreached) = (None, None, HashMap::new(), Vec::new());
        let document = Document {
            uri: uri.clone(),
            name,
            language,
            version,
            text,
            lines,
            view,
            whole,
            verdicts,
            unreached,
            dirty: true,
        };
        self.open.insert(uri, document);
        self.forget_all();
    }

    pub(crate) fn close(&mut self, uri: &str) -> bool {
        let closed = self.open.remove(uri);
        self.forget_all();
        closed.is_some()
    }

    /// Changes a text; what checks said of it was said of another.
    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: Vec<Change>) {
        let encoding = self.encoding;
        let Some(document) = self.open.get_mut(uri) else { return };
        for Change { range, text } in changes {
            match range {
                None => document.text = text,
                Some(range) => {
                    let start = document.lines.offset(&document.text, range.start);
                    let end = document.lines.offset(&document.text, range.end).max(start);
                    document.text.replace_range(start..end, &text);
                }
            }
            document.lines = Lines::of(&document.text, encoding);
        }
        document.version = version;
        document.verdicts.clear();
        document.unreached.clear();
        let name = document.name.clone();
        self.forget(&name);
    }

    /// Other files are there now, or none: what is known may have changed for all that include
    /// some.
    fn forget_all(&mut self) {
        for document in self.open.values_mut() {
            document.view = None;
            document.dirty = true;
        }
    }

    /// What is known of a text, and of all that include it, is known no longer.
    fn forget(&mut self, name: &str) {
        for document in self.open.values_mut() {
            let reads = |view: &Rc<View>| view.map.iter().any(|(_, text)| text.name == name);
            if document.name == name || document.view.as_ref().is_some_and(reads) {
                document.view = None;
                document.dirty = true;
            }
        }
    }

    pub(crate) fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri)
    }

    pub(crate) fn get_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.open.get_mut(uri)
    }

    pub(crate) fn dirty(&self) -> Vec<String> {
        self.open.values().filter(|document| document.dirty).map(|document| document.uri.clone()).collect()
    }

    /// The text of an open document by the name of its file.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.open.values().find(|document| document.name == name).map(|document| document.text.clone())
    }

    /// What is known of a text; none if nothing is known of such texts.
    pub(crate) fn view(&mut self, uri: &str) -> Option<Rc<View>> {
        let document = self.open.get(uri)?;
        if let Some(view) = &document.view {
            return Some(Rc::clone(view));
        }
        let language = document.language?;
        let found = editing::view(language, &document.name, &document.text, &|name| self.text(name));
        let found = Rc::new(found);
        let document = self.open.get_mut(uri)?;
        document.view = Some(Rc::clone(&found));
        if !found.diagnostics.iter().any(source::Diagnostic::is_error) {
            document.whole = Some(Rc::clone(&found));
        }
        Some(found)
    }

    /// A span of a view as a place of the protocol: an address and a range.
    pub(crate) fn location(&self, view: &View, span: Span) -> Option<Value> {
        let uri = self.uri(view, span.file)?;
        Some(json!({"uri": uri, "range": self.range(view, span)}))
    }

    /// The address of a text of a view; none if it is no file and not open.
    pub(crate) fn uri(&self, view: &View, file: FileId) -> Option<String> {
        let name = view.map.name(file);
        let open = self.open.values().find(|document| document.name == name);
        open.map(|document| document.uri.clone()).or_else(|| uri_of(Path::new(name)))
    }

    /// The range of a span in its text.
    pub(crate) fn range(&self, view: &View, span: Span) -> Value {
        let text = view.map.get(span.file).map_or("", |text| &*text.content);
        let (start, end) = (span.start as usize, span.end as usize);
        match self.open.values().find(|document| document.name == view.map.name(span.file)) {
            Some(document) if document.text == text => document.lines.range(text, start, end),
            _ => Lines::of(text, self.encoding).range(text, start, end),
        }
    }
}

/// The file that an address names.
pub(crate) fn path_of(uri: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut left = path.as_bytes();
    while let Some((first, rest)) = left.split_first() {
        let hex = rest.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                left = &rest[2..];
            }
            None => {
                bytes.push(*first);
                left = rest;
            }
        }
    }
    Some(std::ffi::OsString::from_vec(bytes).into())
}

/// The address of a file.
pub(crate) fn uri_of(path: &Path) -> Option<String> {
    use std::os::unix::ffi::OsStrExt;
    let path = if path.is_absolute() { path.to_path_buf() } else { path.canonicalize().ok()? };
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(byte);
    let written = |byte: &u8| match plain(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    Some(format!("file://{}", path.as_os_str().as_bytes().iter().map(written).collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_files_and_back() {
        for (uri, path) in
            [("file:///a/b%20c.pml", "/a/b c.pml"), ("file:///%C3%B6", "/ö"), ("file:///a%2", "/a%2")]
        {
            assert_eq!(path_of(uri), Some(PathBuf::from(path)));
        }
        assert_eq!(uri_of(Path::new("/a b/ö%")).unwrap(), "file:///a%20b/%C3%B6%25");
        assert_eq!((path_of("untitled:Untitled-1"), path_of("file://host")), (None, None));
    }

    fn change(range: Option<[u32; 4]>, text: &str) -> Change {
        let at = |line, character| super::super::places::Position { line, character };
        let range = range.map(|[a, b, c, d]| Range { start: at(a, b), end: at(c, d) });
        Change { range, text: text.to_string() }
    }

    #[test]
    fn changes_come_one_after_the_other() {
        let mut documents = Documents::default();
        documents.open("file:///a.pml".into(), "promela", 1, "byte x;\nbyte y;\n".into());
        let changes = vec![
            change(Some([0, 5, 0, 6]), "zz"),
            change(Some([0, 7, 1, 0]), " "),
            change(Some([9, 9, 1, 1]), "!"),
        ];
        documents.change("file:///a.pml", 2, changes);
        assert_eq!(documents.get("file:///a.pml").unwrap().text, "byte zz byte y;\n!");
        documents.change("file:///a.pml", 3, vec![change(None, "")]);
        assert_eq!(documents.get("file:///a.pml").unwrap().text, "");
    }

    #[test]
    fn a_text_is_read_again_when_what_it_includes_changes() {
        let mut documents = Documents::default();
        documents.open(
            "file:///t/a.pml".into(),
            "",
            1,
            "#include \"b.h\"\nactive proctype P() { x = 1 }".into(),
        );
        documents.open("file:///t/b.h".into(), "", 1, "byte y;".into());
        let codes = |documents: &mut Documents| -> Vec<&str> {
            let view = documents.view("file:///t/a.pml").unwrap();
            view.diagnostics.iter().map(|d| d.code).collect()
        };
        assert_eq!(codes(&mut documents), ["E0301"]);
        documents.change("file:///t/b.h", 2, vec![change(None, "byte x;")]);
        assert!(codes(&mut documents).is_empty());
        assert!(documents.view("file:///t/b.h").is_none());
    }
}
