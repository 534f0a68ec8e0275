//! `xtask tidy`: what no compiler checks about the files of the project.
//!
//! Every module opens with `//!`; no file is longer than 1,000 lines unless it is a table; no
//! trailing whitespace and no tabs in Rust; comments, pages and texts that are printed of at most
//! 100 columns; plain words, also where a phrase goes on in the next line of a message; nothing
//! unfinished or switched off; no path of one machine; every model says what is expected of
//! it; what the house has once is there once.

#[path = "../../models/head.rs"]
mod head;
pub(crate) mod literals;

use head::{Head, LINES};
use literals::literals;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

/// A line that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Offence {
    pub file: String,
    pub line: usize,
    pub words: String,
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.words)
    }
}

/// One text with its path from the root of the repository.
struct File<'a> {
    path: &'a str,
    text: &'a str,
}

type Rule = fn(&File) -> Vec<(usize, String)>;

const RULES: [Rule; 12] = [
    opens_with_its_purpose,
    shows_its_use,
    is_short,
    ends_lines_cleanly,
    has_no_tabs,
    is_narrow,
    is_plain,
    speaks_plainly,
    is_finished,
    is_portable,
    is_expected,
    is_no_copy,
];

const LONGEST: usize = 1000;

/// Columns of prose: comments and pages, apart from tables and what is quoted in pages.
const WIDEST: usize = 100;

/// Files by these names hold one table each and may be long.
const TABLES: [&str; 1] = ["codes.rs"];

/// Files whose long strings are tables of names, or drawings: no lines that are read.
pub(crate) const DATA: [&str; 4] =
    ["unseen/library.rs", "unseen/code.rs", "shapes/src/picture.rs", "diagram/picture.rs"];

/// Written apart so that this file does not offend.
const UNFINISHED: [&str; 5] = [
    concat!("to", "do!("),
    concat!("un", "implemented!("),
    concat!("#[ig", "nore"),
    concat!("db", "g!("),
    concat!("FIX", "ME"),
];

/// Phrases that say less than the field's words, in lower case, and what to say instead. Written
/// apart so that this file does not offend.
const BANNED: [(&str, &str); 10] = [
    (concat!("no", "body"), "no thread, no process, nothing"),
    (concat!("some", "body"), "a thread, another process, some client"),
    (concat!("who", "ever"), "the thread that, the process that"),
    (concat!("for", " ever"), "endlessly, never ends, forever"),
    (concat!("so", " many"), "this many, at most `n`"),
    (concat!("is", " told"), "learns, receives, is reported"),
    (concat!("who", "m"), "which thread, of which"),
    (concat!("as", "tray"), "diverged, lost"),
    (concat!("still", "born"), "no initial state"),
    (concat!("home", "less"), "out of domain"),
];

/// Invented words that stand in no text for users, and the field's words. Comments may still need
/// them, as names of what was there before.
const INVENTED: [(&str, &str); 14] = [
    (concat!("cannot", " go on"), "blocked"),
    (concat!("st", "uck"), "blocked"),
    (concat!("happ", "ening"), "environment move"),
    (concat!("after", "math"), "side effects"),
    (concat!("sce", "nario"), "run"),
    (concat!("st", "ory"), "report"),
    (concat!("t", "old"), "reported"),
    (concat!("d", "uty"), "proof obligation"),
    (concat!("br", "each"), "violation"),
    (concat!("do", "ubt"), "candidate counterexample"),
    (concat!("pass", "ing place"), "transient location"),
    (concat!("no", " beginning"), "no initial state"),
    (concat!("obst", "acle"), "not reduced because"),
    (concat!("disc", "ipline"), "scheduling rules"),
];

/// Files in which words count.
const WORDED: [&str; 12] =
    [".rs", ".c", ".h", ".inc", ".cpp", ".md", ".pml", ".spl", ".fts", ".tvm", ".java", ".json"];

const MACHINE_PATHS: [&str; 4] = ["work", "root", "home", "tmp"];

/// What there is once: what it is, how a copy would look, where the one is, and below which folder
/// that counts. Oracles of `xtask` are their own on purpose. Written without underscores, which
/// numbers may have anywhere.
const ONCE: [(&str, &str, &str, &str); 24] = [
    ("random generator", "z >> 30", "crates/logic/src/random.rs", ""),
    ("random generator", "6364136223846793005", "crates/logic/src/random.rs", ""),
    ("random generator", concat!("<< 1", "3;"), "crates/logic/src/random.rs", ""),
    ("reader of expectations", concat!("stripprefix(\"exp", "ect\")"), "models/head.rs", ""),
    ("kind of token", "enum TokenKind", "crates/source/src/token.rs", "crates/"),
    ("lexer", "startswith(**sign)", "crates/source/src/lex.rs", "crates/"),
    ("cursor over tokens", "fn ahead(&self, distance", "crates/source/src/cursor.rs", "crates/"),
    ("parser of temporal formulas", "trait Operands", "crates/logic/src/ltl/syntax/operands.rs", "crates/"),
    ("interface of objects", "pub trait Object", "crates/objects/src/object.rs", "crates/"),
    ("exhaustive check of objects", "fn checkexhaustively", "crates/objects/src/object.rs", "crates/"),
    ("stateless search", "pub trait World", "crates/explore/src/stateless/mod.rs", "crates/"),
    ("kind of fairness", "pub enum Fairness", "crates/space/src/fairness.rs", "crates/"),
    ("set of limits", "pub struct Limits", "crates/explore/src/limits.rs", "crates/"),
    ("run", "pub struct Run ", "crates/space/src/run.rs", "crates/"),
    ("path of states", "pub struct Path<", "crates/space/src/run.rs", "crates/"),
    ("stepper trait", "pub trait Stepper", "crates/space/src/stepper.rs", "crates/"),
    ("reference trait", "pub trait Reference", "crates/space/src/reference.rs", "crates/"),
    ("product", "pub struct Product", "crates/explore/src/product.rs", "crates/"),
    ("verdict", "pub enum Verdict", "crates/workbench/src/answer.rs", "crates/"),
    ("decided property", "pub struct Decided", "crates/workbench/src/answer.rs", "crates/"),
    ("SAT solver", "pub struct Sat ", "crates/solve/src/engine/sat/mod.rs", "crates/"),
    ("formula of temporal logic", "pub enum Formula<", "crates/logic/src/ltl/formula.rs", "crates/"),
    ("order of searching", "pub enum Order ", "crates/explore/src/search.rs", "crates/"),
    ("interactive loop", "pub trait Executor", "crates/workbench/src/executor/mod.rs", "crates/"),
];

const MODELS: [&str; 6] = [".pml", ".spl", ".fts", ".tvm", ".java", ".c"];

const VERDICTS: [&str; 4] = ["holds", "violated", "unknown", "rejected"];

/// Looks at every file that is, or may become, part of the repository at `root`.
pub fn offences(root: &Path) -> io::Result<Vec<Offence>> {
    let mut found = Vec::new();
    for path in files(root)? {
        // A file that is tracked but deleted, or no text, is no offence.
        if let Ok(text) = fs::read_to_string(root.join(&path)) {
            found.extend(look(&File { path: &path, text: &text }));
        }
    }
    Ok(found)
}

/// Every file that is, or may become, part of the repository.
pub(crate) fn files(root: &Path) -> io::Result<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()?;
    if !listed.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&listed.stderr).into_owned()));
    }
    let paths = String::from_utf8_lossy(&listed.stdout).into_owned();
    Ok(paths.split_terminator('\0').map(str::to_owned).collect())
}

fn look(file: &File) -> Vec<Offence> {
    let at = |(line, words)| Offence { file: file.path.to_owned(), line, words };
    RULES.iter().flat_map(|rule| rule(file)).map(at).collect()
}

impl File<'_> {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    fn is_test(&self) -> bool {
        self.path.contains("tests/") || self.path.ends_with("tests.rs")
    }

    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// The lines for which `complaint` finds words.
    fn lines(&self, complaint: impl Fn(&str) -> Option<String>) -> Vec<(usize, String)> {
        let numbered = self.text.lines().enumerate();
        numbered.filter_map(|(at, line)| Some((at + 1, complaint(line)?))).collect()
    }
}

fn opens_with_its_purpose(file: &File) -> Vec<(usize, String)> {
    let silent = file.is_rust() && !file.text.starts_with("//! ");
    Vec::from_iter(silent.then(|| (1, "a module opens with `//!` and says what it is for".to_owned())))
}

/// An example that the tests of the documentation compile and run.
fn shows_its_use(file: &File) -> Vec<(usize, String)> {
    let library = file.path.starts_with("crates/") && file.path.ends_with("/src/lib.rs");
    let shown = file.text.lines().any(|line| line == "//! ```");
    Vec::from_iter((library && !shown).then(|| (1, "a library shows its use by an example".to_owned())))
}

fn is_short(file: &File) -> Vec<(usize, String)> {
    let lines = file.text.lines().count();
    let long = file.is_rust() && lines > LONGEST && !TABLES.contains(&file.name());
    Vec::from_iter(long.then(|| (lines, format!("more than {LONGEST} lines; split it by idea"))))
}

fn ends_lines_cleanly(file: &File) -> Vec<(usize, String)> {
    file.lines(|line| line.ends_with([' ', '\t', '\r']).then(|| "whitespace at the end".to_owned()))
}

fn has_no_tabs(file: &File) -> Vec<(usize, String)> {
    file.lines(|line| (file.is_rust() && line.contains('\t')).then(|| "a tab".to_owned()))
}

fn is_narrow(file: &File) -> Vec<(usize, String)> {
    let wide = |line: &str| (line.chars().count() > WIDEST).then(|| format!("wider than {WIDEST} columns"));
    if file.is_rust() {
        return file.lines(|line| wide(line).filter(|_| line.trim_start().starts_with("//")));
    }
    let mut quoted = false;
    let prose = file.text.lines().enumerate().filter(|(_, line)| {
        quoted ^= line.trim_start().starts_with("```");
        file.path.ends_with(".md") && !quoted && !line.starts_with('|')
    });
    prose.filter_map(|(at, line)| Some((at + 1, wide(line)?))).collect()
}

fn is_plain(file: &File) -> Vec<(usize, String)> {
    // Recordings of old versions, and the models they are of, never change.
    if file.path.contains("/traces/") || !WORDED.iter().any(|ending| file.path.ends_with(ending)) {
        return Vec::new();
    }
    // The phrases themselves stand in this file.
    let table = file.path == "xtask/src/tidy.rs";
    file.lines(|line| {
        let line = if table { &line[line.find("//")?..] } else { line }.to_lowercase();
        let (phrase, instead) = BANNED.iter().find(|(phrase, _)| has_words(&line, phrase))?;
        Some(format!("`{phrase}`: say what it is ({instead})"))
    })
}

/// Texts that are printed: no line too wide in those of several lines, and plain words.
fn speaks_plainly(file: &File) -> Vec<(usize, String)> {
    let shown = file.is_rust() && file.path.starts_with("crates/") && file.path.contains("/src/");
    if !shown || file.is_test() {
        return Vec::new();
    }
    // Models in the tests of a module are no texts for users.
    let code = file.text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut found = Vec::new();
    let data = DATA.iter().any(|table| file.path.ends_with(table));
    for literal in literals(code) {
        let several = literal.lines.len() > 1 && !data;
        let wide = |(at, line): (usize, &str)| {
            let columns = line.chars().count();
            let words = format!("prints a line of {columns} columns; at most {WIDEST}");
            (several && columns > WIDEST).then(|| (literal.lines[at], words))
        };
        found.extend(literal.text.split('\n').enumerate().filter_map(wide));
        // Of two words `is_plain` sees one alone, if the text goes on in the next line.
        let folded = literal.text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        let split = |(phrase, _): &&(&str, &str)| phrase.contains(' ');
        let banned = BANNED.iter().filter(split).chain(&INVENTED);
        let banned = banned.filter(|(phrase, _)| has_words(&folded, phrase));
        found.extend(banned.map(|(p, i)| (literal.lines[0], format!("prints `{p}`: say {i}"))));
    }
    found
}

/// Whether a phrase is in the line as whole words.
fn has_words(line: &str, phrase: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(phrase)
        .any(|(at, _)| !line[..at].ends_with(inside) && !line[at + phrase.len()..].starts_with(inside))
}

fn is_finished(file: &File) -> Vec<(usize, String)> {
    let mark = |line: &str| UNFINISHED.iter().find(|mark| line.contains(**mark));
    file.lines(|line| mark(line).filter(|_| file.is_rust()).map(|mark| format!("`{mark}` is left")))
}

fn is_portable(file: &File) -> Vec<(usize, String)> {
    if file.is_test() {
        return Vec::new();
    }
    file.lines(|line| machine_path(line).map(|path| format!("`{path}` is a path of one machine")))
}

/// An absolute path below one of [`MACHINE_PATHS`] that begins in this line.
fn machine_path(line: &str) -> Option<&str> {
    line.match_indices('/').find_map(|(at, _)| {
        let inside = line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}$)".contains(c));
        let (root, rest) = line[at + 1..].split_once('/')?;
        let path = !inside && MACHINE_PATHS.contains(&root) && rest.starts_with(char::is_alphanumeric);
        path.then(|| line[at..].split([' ', '"', '`', '\'', ')']).next().unwrap_or_default())
    })
}

fn is_no_copy(file: &File) -> Vec<(usize, String)> {
    if !file.is_rust() || file.path == "xtask/src/tidy.rs" {
        return Vec::new();
    }
    let counts =
        |(_, _, home, below): &&(_, _, &str, &str)| file.path.starts_with(*below) && file.path != *home;
    let copies: Vec<_> = ONCE.iter().filter(counts).collect();
    file.lines(|line| {
        let line = line.replace('_', "");
        let (what, _, home, _) = copies.iter().find(|(_, mark, ..)| line.contains(mark))?;
        Some(format!("another {what}: the one is in {home}"))
    })
}

fn is_expected(file: &File) -> Vec<(usize, String)> {
    let model = file.path.starts_with("models/") && MODELS.iter().any(|ending| file.path.ends_with(ending));
    let said = Head::of(file.text);
    let verdict = |(_, verdict): &(&str, &str)| VERDICTS.contains(verdict);
    let silent = model && !said.expected().iter().any(verdict);
    let words = format!("no `expect: {}` within the first {LINES} lines", VERDICTS.join("|"));
    Vec::from_iter(silent.then_some((1, words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<(usize, String)> {
        look(&File { path, text }).into_iter().map(|o| (o.line, o.words)).collect()
    }

    #[test]
    fn clean_files_pass() {
        assert_eq!(complaints("crates/a/src/b.rs", "//! A.\nfn f() {}\n"), []);
        assert_eq!(complaints("crates/a/src/lib.rs", "//! A.\n//! ```\n//! a();\n//! ```\n"), []);
        assert_eq!(
            complaints("models/a/b.pml", "/* Why.\n * expect: holds\n * expect safety: unknown */\n"),
            []
        );
        assert_eq!(complaints("models/a/b.h", "byte x;\n"), []);
        assert_eq!(complaints("docs/a.md", "see ../tmp/x and https://a.example/tmp/x\n"), []);
    }

    #[test]
    fn each_rule_finds_its_line() {
        let rust = |text: &str| complaints("crates/a/src/b.rs", &format!("//! A.\n{text}\n"));
        assert_eq!(complaints("crates/a/src/lib.rs", "//! A.\n")[0].0, 1);
        assert_eq!(complaints("a.rs", "fn f() {}\n")[0].0, 1);
        assert_eq!(rust("a \nb")[0].0, 2);
        assert_eq!(rust("b\n\ta")[0].0, 3);
        let wide = "é".repeat(WIDEST - 2);
        assert_eq!(rust(&format!("// {wide}"))[0].0, 2);
        assert_eq!(rust(&format!("//{wide}\nlet {wide};")), []);
        let page = |line: &str| complaints("docs/a.md", &format!("```\n{wide}xyz\n```\n{line}\n"));
        assert_eq!(page(&format!("| {wide}z")), []);
        assert_eq!(page(&format!("x {wide}z"))[0].0, 4);
        for (phrase, _) in BANNED {
            assert_eq!(rust(&format!("\n// A {phrase}."))[0].0, 3, "{phrase}");
            assert_eq!(rust(&format!("x; // {phrase}"))[0].0, 2, "{phrase}");
            assert_eq!(rust(&format!("let x = \"{phrase}\";"))[0].0, 2, "{phrase}");
            assert_eq!(complaints("docs/a.md", &phrase.to_uppercase())[0].0, 1, "{phrase}");
            assert_eq!(complaints("docs/a.md", &format!("x{phrase}s, {phrase}_")), [], "{phrase}");
            assert_eq!(complaints("tests/traces/a.c", phrase), [], "{phrase}");
        }
        for mark in UNFINISHED {
            assert_eq!(rust(&format!("\n{mark}"))[0].0, 3, "{mark}");
        }
        for root in MACHINE_PATHS {
            assert_eq!(complaints("docs/a.md", &format!("\nin `/{root}/a`"))[0].0, 2, "{root}");
        }
        for silent in ["byte x;\n", "/* expect: */\n", "/* expected: holds */\n", "/* expect: perhaps */\n"] {
            assert_eq!(complaints("models/a.pml", silent)[0].0, 1, "{silent}");
        }
    }

    #[test]
    fn what_is_printed_is_narrow_and_plain() {
        let printed = |text: &str| complaints("crates/a/src/b.rs", &format!("//! A.\nlet x = {text};\n"));
        let wide = "x".repeat(WIDEST + 1);
        assert_eq!(printed(&format!("\"{wide}\"")), []);
        assert_eq!(printed(&format!("\"a\n{wide}\""))[0].0, 3);
        assert_eq!(printed(&format!("\"a\\n\\\n   {wide}\""))[0].0, 2);
        for (phrase, _) in INVENTED {
            assert_eq!(printed(&format!("\"a {phrase}\""))[0].0, 2, "{phrase}");
            assert_eq!(complaints("crates/a/src/b.rs", &format!("//! A {phrase}.\n")), [], "{phrase}");
        }
        let split = concat!("for", "\\\n    ever").replace("for\\", "for \\");
        assert_eq!(printed(&format!("\"a {split}\""))[0].0, 2);
        assert_eq!(complaints("crates/a/src/unseen/library.rs", &format!("//! A.\n\"a\n{wide}\"\n")), []);
    }

    #[test]
    fn what_there_is_once_is_there_once() {
        for (_, mark, home, below) in ONCE {
            let text = format!("//! A.\n{mark}x\n");
            assert_eq!(complaints(home, &text), [], "{mark}");
            assert_eq!(complaints(&format!("{below}a.rs"), &text)[0].0, 2, "{mark}");
        }
        assert_eq!(complaints("xtask/src/a.rs", "//! A.\npub enum Fairness {}\n"), []);
    }

    #[test]
    fn only_tables_may_be_long() {
        let long = format!("//! A.\n{}", "x\n".repeat(LONGEST));
        assert_eq!(complaints("crates/a/src/codes.rs", &long), []);
        assert_eq!(complaints("crates/a/src/b.rs", &long)[0].0, LONGEST + 1);
    }
}
