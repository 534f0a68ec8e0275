//! A model read from files: the system it means, the texts it came from, and the words for its
//! values.

use crate::answer::Kind;
use crate::engine;
use crate::failure::Failure;
use crate::formula;
use crate::input;
use crate::question::{Define, ModelRequest};
use crate::report::Location;
use num_bigint::BigInt;
use promela::lower::properties::Uncheckable;
use source::{Diagnostic, SourceMap, Span};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use system::{ObjectId, ProcessTypeId, Property, System};

/// The words for the values of an object, or of a field of it (a record's, or a message's).
pub(crate) type WordTable = HashMap<(Option<ProcessTypeId>, ObjectId, Vec<usize>), HashMap<BigInt, String>>;

/// A Promela model, ready to be checked.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// As the user named it.
    pub file: String,
    /// The definitions it was read with.
    pub defines: Vec<Define>,
    /// Of all texts read and the definitions: two models with the same one are the same.
    pub fingerprint: String,
    /// What it means.
    pub system: System,
    /// The texts it was read from.
    pub map: SourceMap,
    /// What is suspicious in the text.
    pub warnings: Vec<Diagnostic>,
    /// Properties in the text beyond deadlocks, assertions and run-time errors.
    pub claims: Vec<Claim>,
    /// What the claims and labels of the text mean, or why they cannot be checked, by name.
    pub properties: Vec<Stated>,
    /// The symbolic names of values.
    pub words: WordTable,
}

/// What a property that the text states means.
#[derive(Clone, Debug)]
pub struct Stated {
    /// What it is called, and its kind.
    pub claim: Claim,
    /// A formula as it is written.
    pub text: Option<String>,
    /// What is checked, or why it cannot be.
    pub property: Result<Property, Uncheckable>,
    /// The system it is about, if that is one with more variables; steps are the same.
    pub(crate) tracked: Option<System>,
}

/// A property that the text states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The name by which `--property` selects it.
    pub name: String,
    /// What kind of property it is.
    pub kind: Kind,
}

impl Model {
    /// Reads and checks a file.
    pub fn read(request: &ModelRequest) -> Result<Model, Failure> {
        let text = read_text(&request.file)?;
        let file = request.file.to_string_lossy().into_owned();
        let mut model = engine::load(&file, text, request)?;
        unused(&model.map, &request.defines).map_or(Ok(()), Err)?;
        model.fingerprint = fingerprint(&model.map, &request.defines);
        model.file = file;
        model.defines = request.defines.clone();
        Ok(model)
    }

    /// The name of a process type, `init` without its colons.
    pub(crate) fn process_name(&self, process_type: ProcessTypeId) -> &str {
        self.system.process_types.get(process_type).map_or("?", |t| t.name.trim_matches(':'))
    }

    /// The word for a value, if it has one.
    pub(crate) fn word(
        &self,
        process_type: Option<ProcessTypeId>,
        object: ObjectId,
        fields: &[usize],
        value: &BigInt,
    ) -> Option<&str> {
        self.words.get(&(process_type, object, fields.to_vec()))?.get(value).map(String::as_str)
    }

    /// A formula as it is written, if the property is one.
    pub(crate) fn text_of(&self, name: &str, kind: Kind) -> Option<&str> {
        let stated = self.properties.iter().find(|p| p.claim.name == name && p.claim.kind == kind)?;
        stated.text.as_deref()
    }

    /// Where a span stands; `None` if it points nowhere.
    pub fn location(&self, span: Span) -> Option<Location> {
        Location::of(&self.map, span)
    }
}

/// The largest text that is read: places in it are counted with 32 bits.
pub(crate) const LARGEST: u64 = 1 << 30;

/// Reads a text of a sensible size. What is not UTF-8 is Latin-1, where every byte is one
/// character.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = bytes(path)?;
    if bytes.len() as u64 > LARGEST {
        let message = "too large: no more than 1 GiB is read".to_string();
        return Err(Failure::File { path: path.to_path_buf(), message });
    }
    Ok(decode(bytes))
}

/// What is in a file, or comes from standard input.
fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if input::is_standard(path) {
        return input::content(LARGEST).map(<[u8]>::to_vec);
    }
    let fail = |message: String| Failure::File { path: path.to_path_buf(), message };
    if !crate::root::may_read(path) {
        return Err(fail("lies outside of the folder that may be read".to_string()));
    }
    let file = std::fs::File::open(path).map_err(|e| fail(describe(&e)))?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|e| fail(describe(&e)))?;
    Ok(bytes)
}

fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().into_iter().map(char::from).collect())
}

/// An error of the operating system without its number.
pub fn describe(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_string(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        std::io::ErrorKind::IsADirectory => "is a directory".to_string(),
        _ => error.to_string(),
    }
}

/// A definition of the command line that no text mentions does nothing: it is a mistake.
fn unused(map: &SourceMap, defines: &[Define]) -> Option<Failure> {
    let texts = || map.iter().filter(|(_, text)| text.name != promela::COMMAND_LINE);
    let is_used = |define: &&Define| {
        let name = &define.name;
        let mut others = defines.iter().filter(|d| d.name != *name).flat_map(|d| &d.value);
        texts().any(|(_, text)| mentions(&text.content, name)) || others.any(|value| mentions(value, name))
    };
    let idle = defines.iter().find(|define| !is_used(define))?;
    let name = &idle.name;
    Some(Failure::Request(format!("-D {}: the model does not mention `{name}`", idle.text())))
}

/// Whether a name is a word of a text.
pub(crate) fn mentions(text: &str, name: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: usize| !text[..at].ends_with(inside) && !text[at + name.len()..].starts_with(inside);
    !name.is_empty() && text.match_indices(name).any(|(at, _)| alone(at))
}

/// FNV-1a (Fowler, Noll, Vo) over definitions and texts, each ended by a byte that no text has.
pub(crate) fn fingerprint(map: &SourceMap, defines: &[Define]) -> String {
    let own = map.iter().filter(|(_, text)| text.name != formula::FORMULA);
    let texts = own.map(|(_, text)| text.content.to_string());
    let parts = defines.iter().map(Define::text).chain(texts);
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part.bytes().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("fnv1a64:{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::{decode, mentions};

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(mentions("#if N > 2", "N") && mentions("N", "N"));
        assert!(!mentions("NN _N N_ xN", "N") && !mentions("", "N"));
    }

    #[test]
    fn what_is_not_utf_8_is_latin_1() {
        assert_eq!(decode("größe".as_bytes().to_vec()), "größe");
        assert_eq!(decode(b"gr\xf6\xdfe".to_vec()), "größe");
    }
}
