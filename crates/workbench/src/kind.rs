//! What kind of file something is, by its name and else by what is in it, and which command is for
//! it.

use crate::failure::Failure;
use crate::{input, model};
use std::io::Read;
use std::path::Path;

/// What a file is, by its name and its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A Promela model.
    Promela,
    /// An SPL program.
    Spl,
    /// A fair transition system.
    Fts,
    /// A model of structures.
    Tvm,
    /// Java.
    Java,
    /// C.
    C,
    /// C++.
    Cpp,
    /// An executable of this system, or a script.
    Program,
    /// A run, written by `--trace`.
    Recorded,
    /// A file without content.
    Empty,
    /// A folder.
    Folder,
    /// A text of which nothing is known, or nothing that can be opened.
    Unknown,
}

/// What a file is written in, as far as options and engines tell files apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Promela.
    Promela,
    /// SPL programs and fair transition systems.
    Relation,
    /// Models of structures.
    Tvm,
    /// Java.
    Java,
    /// A program, or the source of one.
    Program,
}

/// By the ending of the name.
const ENDINGS: [(&str, Kind); 12] = [
    ("pml", Kind::Promela),
    ("prom", Kind::Promela),
    ("promela", Kind::Promela),
    ("spin", Kind::Promela),
    ("spl", Kind::Spl),
    ("fts", Kind::Fts),
    ("tvm", Kind::Tvm),
    ("java", Kind::Java),
    ("c", Kind::C),
    ("cc", Kind::Cpp),
    ("cpp", Kind::Cpp),
    ("cxx", Kind::Cpp),
];

/// Words that texts of a kind have and others hardly do, more telling ones first.
const WORDS: [(&str, Kind); 15] = [
    ("Transition System", Kind::Fts),
    ("proctype ", Kind::Promela),
    ("\"format\": \"everyweave-", Kind::Recorded),
    ("\"format\":\"everyweave-", Kind::Recorded),
    ("#include <", Kind::C),
    ("public class ", Kind::Java),
    ("int main(", Kind::C),
    ("\npredicate ", Kind::Tvm),
    ("\naction ", Kind::Tvm),
    ("init {", Kind::Promela),
    ("init{", Kind::Promela),
    (":: [", Kind::Spl),
    ("::[", Kind::Spl),
    ("\nPROPERTY", Kind::Spl),
    ("\nlocal ", Kind::Spl),
];

/// What standard input can be said to be.
pub const INPUTS: [(&str, Kind); 5] = [
    ("promela", Kind::Promela),
    ("spl", Kind::Spl),
    ("fts", Kind::Fts),
    ("tvm", Kind::Tvm),
    ("java", Kind::Java),
];

/// What a file is.
pub fn of(path: &Path) -> Kind {
    if path.is_dir() {
        return Kind::Folder;
    }
    let Some(head) = head(path) else { return Kind::Unknown };
    if head.is_empty() {
        return Kind::Empty;
    }
    if head.starts_with(b"\x7fELF") || head.starts_with(b"#!") {
        return Kind::Program;
    }
    by_name(path).unwrap_or_else(|| by_words(&String::from_utf8_lossy(&head)))
}

/// What a file is written in: Promela unless something else is known.
pub fn language(path: &Path) -> Language {
    match by_name(path).unwrap_or_else(|| of(path)) {
        Kind::Spl | Kind::Fts => Language::Relation,
        Kind::Tvm => Language::Tvm,
        Kind::Java => Language::Java,
        Kind::C | Kind::Cpp | Kind::Program => Language::Program,
        Kind::Promela | Kind::Recorded | Kind::Empty | Kind::Folder | Kind::Unknown => Language::Promela,
    }
}

impl Language {
    /// All languages.
    pub const ALL: &[Language] =
        &[Language::Promela, Language::Relation, Language::Tvm, Language::Java, Language::Program];

    /// Languages of one way in have most options in common: a number for each.
    pub fn family(self) -> usize {
        match self {
            Language::Promela => 0,
            Language::Relation => 1,
            Language::Tvm | Language::Java => 2,
            Language::Program => 3,
        }
    }

    /// What files in these languages are called.
    pub fn files(languages: &[Language]) -> String {
        let endings = languages.iter().flat_map(|language| match language {
            Language::Relation => &[".spl", ".fts"][..],
            Language::Tvm => &[".tvm"],
            Language::Java => &[".java"],
            Language::Promela | Language::Program => &[],
        });
        let endings = listed(&endings.copied().collect::<Vec<_>>());
        let has = |language: Language| languages.contains(&language);
        let models = has(Language::Promela).then(|| "Promela models".to_string());
        let files = (!endings.is_empty()).then(|| format!("{endings} files"));
        let programs = has(Language::Program).then(|| "programs".to_string());
        listed(&[models, files, programs].into_iter().flatten().collect::<Vec<_>>())
    }
}

/// `a, b and c`.
fn listed<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match &words[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// By the ending of the name alone; of standard input, what it was called, or else what its words
/// say.
pub fn by_name(path: &Path) -> Option<Kind> {
    if input::is_standard(path) {
        let words = || head(path).map(|head| by_words(&String::from_utf8_lossy(&head)));
        return input::called().or_else(words).filter(|kind| *kind != Kind::Unknown);
    }
    named(path.extension().and_then(|e| e.to_str())?)
}

/// By an ending of names, which is also what editors call a language.
pub fn named(ending: &str) -> Option<Kind> {
    ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

fn by_words(text: &str) -> Kind {
    WORDS.iter().find(|(word, _)| text.contains(word)).map_or(Kind::Unknown, |(_, kind)| *kind)
}

/// The beginning of a regular file. Pipes and devices are not looked into: what is read there is
/// gone.
fn head(path: &Path) -> Option<Vec<u8>> {
    const HEAD: u64 = 64 << 10;
    if input::is_standard(path) {
        let all = input::content(model::LARGEST).ok()?;
        return Some(all[..all.len().min(HEAD as usize)].to_vec());
    }
    let mut head = Vec::new();
    let file = std::fs::File::open(path).ok().filter(|f| f.metadata().is_ok_and(|m| m.is_file()))?;
    file.take(HEAD).read_to_end(&mut head).ok()?;
    Some(head)
}

impl Kind {
    /// What it is called, behind "this is".
    pub fn words(self) -> &'static str {
        match self {
            Kind::Promela => "a Promela model",
            Kind::Spl => "an SPL program",
            Kind::Fts => "a fair transition system",
            Kind::Tvm => "a model of shapes",
            Kind::Java => "Java",
            Kind::C => "C",
            Kind::Cpp => "C++",
            Kind::Program => "a program",
            Kind::Recorded => "a recorded run",
            Kind::Empty => "an empty file",
            Kind::Folder => "a folder",
            Kind::Unknown => "a text",
        }
    }

    /// The commands for it, the first one first.
    pub fn commands(self) -> &'static [&'static str] {
        match self {
            Kind::Promela => &["check", "prove", "simulate"],
            Kind::Spl | Kind::Fts => &["check", "prove", "simulate"],
            Kind::Tvm | Kind::Java => &["check", "simulate"],
            Kind::C | Kind::Cpp | Kind::Program => &["run", "simulate"],
            Kind::Recorded => &["replay"],
            Kind::Empty | Kind::Folder | Kind::Unknown => &[],
        }
    }
}

/// Why standard input is no program.
const NO_PROGRAM: &str = "a program is a file that is compiled and started; standard input is its own";

/// Refuses a file that is for another command, with what to do instead.
pub fn fits(command: &str, path: &Path) -> Result<(), Failure> {
    let kind = of(path);
    let wrong = |message: String| Err(Failure::File { path: path.to_path_buf(), message });
    let shown = path.display();
    if input::is_standard(path) {
        let unclear =
            "the text does not show which language this is: give --kind promela, spl, fts, tvm or java";
        match kind {
            Kind::Unknown if command != "replay" => return wrong(unclear.to_string()),
            Kind::C | Kind::Cpp | Kind::Program => return wrong(NO_PROGRAM.to_string()),
            _ => {}
        }
    }
    match kind {
        Kind::Unknown => Ok(()),
        Kind::Folder => wrong(format!("is a directory: weave {command} takes a file")),
        Kind::Empty => wrong("this file is empty".to_string()),
        Kind::Spl | Kind::Fts | Kind::Tvm | Kind::Java | Kind::C if by_name(path).is_none() => {
            let ending = ENDINGS.iter().find(|(_, named)| *named == kind).map_or("", |(ending, _)| ending);
            let (what, can) = (kind.words(), kind.commands()[0]);
            wrong(format!("this is {what}: name it {shown}.{ending}, then `weave {can} {shown}.{ending}`"))
        }
        _ if kind.commands().contains(&command) => Ok(()),
        _ => {
            let all: Vec<String> = kind.commands().iter().map(|c| format!("`weave {c} {shown}`")).collect();
            let (what, can) = (kind.words(), all.join(" or "));
            wrong(match command {
                "prove" => {
                    format!("this is {what}: {can}; weave prove takes Promela models, .spl and .fts files")
                }
                _ => format!("this is {what}: {can}"),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_an_ending_are_known_by_their_words() {
        let cases = [
            ("byte x;\nactive proctype P() { x = 1 }", Kind::Promela),
            ("init { skip }", Kind::Promela),
            ("#include <stdio.h>\nint main(void) {}", Kind::C),
            ("public class A { }", Kind::Java),
            ("{\"format\": \"everyweave-trace\"}", Kind::Recorded),
            ("local x: integer\nP :: [ l0: skip ]", Kind::Spl),
            ("nothing known", Kind::Unknown),
        ];
        for (text, kind) in cases {
            assert_eq!(by_words(text), kind, "{text}");
        }
    }

    /// Standard input has no name.
    #[test]
    fn the_words_of_the_corpus_say_what_it_is() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let mut known = 0;
        for folder in ["promela", "spl", "shapes"] {
            for file in std::fs::read_dir(models.join(folder)).unwrap().map(|e| e.unwrap().path()) {
                let Some(kind) = by_name(&file) else { continue };
                let head = head(&file).unwrap();
                assert_eq!(by_words(&String::from_utf8_lossy(&head)), kind, "{}", file.display());
                known += 1;
            }
        }
        assert!(known > 200, "{known}");
    }

    #[test]
    fn each_kind_has_its_commands() {
        let folder = std::env::temp_dir().join(format!("weave-kinds-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("x.c");
        std::fs::write(&path, "int main(void) { return 0; }").unwrap();
        let refused = |command: &str| fits(command, &path).err().map(|f| f.message());
        assert!(refused("check").unwrap().contains("this is C: `weave run "));
        assert_eq!((refused("run"), refused("simulate")), (None, None));
        assert!(fits("check", &folder).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
