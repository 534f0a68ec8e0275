//! The list of tests, a file in TOML: which files, by which command, with what verdicts. With
//! `expect = "head"` the head of each file says that itself.

use super::head::Head;
use super::judge::Expected;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use workbench::Failure;
use workbench::kind::{Language, language};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct List {
    #[serde(default)]
    defaults: Given,
    #[serde(default)]
    test: Vec<Entry>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    /// Files; `*` in the last part of a name stands for anything.
    files: Vec<String>,
    expect: Option<Expect>,
    command: Option<Word>,
    property: Option<Vec<String>>,
    ltl: Option<Vec<String>>,
    timeout: Option<String>,
    max_memory: Option<String>,
    args: Option<Vec<String>>,
    /// What a program reads from standard input.
    input: Option<String>,
}

/// What holds for all tests that do not say otherwise.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Given {
    timeout: Option<String>,
    max_memory: Option<String>,
    args: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Check,
    Prove,
    Run,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Holds,
    Violated,
    Unknown,
}

/// What is expected of a file as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Whole {
    Holds,
    Violated,
    Unknown,
    /// What the head of the file states.
    Head,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Expect {
    Whole(Whole),
    Each(BTreeMap<String, Verdict>),
}

/// One file, and what is done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) file: String,
    pub(super) expect: Expected,
    pub(super) input: String,
    command: &'static str,
    options: Vec<String>,
}

impl Test {
    /// The words of its command; `shared` if others run beside it.
    pub(super) fn words(&self, shared: bool) -> Vec<String> {
        let mut words = vec![self.command.to_string()];
        words.extend(self.options.iter().cloned());
        if shared && !self.options.iter().any(|o| o.starts_with("--threads")) {
            words.extend(["--threads".to_string(), "1".to_string()]);
        }
        words.push(self.file.clone());
        words
    }
}

/// The tests of a list, in its order.
pub(super) fn read(path: &Path) -> Result<Vec<Test>, Failure> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|e| {
        let why = workbench::describe(&e);
        let help = "a list names files and what is expected of them: `weave test --help`";
        Failure::File { path: path.to_path_buf(), message: format!("{why}; {help}") }
    })?;
    let list: List = toml::from_str(&text).map_err(|e| wrong(path, &e.to_string()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut tests = Vec::new();
    for entry in &list.test {
        for pattern in &entry.files {
            for file in files(folder, pattern).map_err(|why| wrong(path, &why))? {
                tests.push(match &entry.expect {
                    Some(Expect::Whole(Whole::Head)) => stated(&file, entry, &list.defaults)?,
                    _ => test(&file, entry, &list.defaults),
                });
            }
        }
    }
    Ok(tests)
}

fn wrong(path: &Path, why: &str) -> Failure {
    Failure::Request(format!("{}: {why}", path.display()))
}

fn test(file: &Path, entry: &Entry, given: &Given) -> Test {
    let expect = match &entry.expect {
        None | Some(Expect::Whole(Whole::Holds | Whole::Head)) => Expected::Each(BTreeMap::new()),
        Some(Expect::Whole(Whole::Violated)) => Expected::Whole(Verdict::Violated.name().to_string()),
        Some(Expect::Whole(Whole::Unknown)) => Expected::Whole(Verdict::Unknown.name().to_string()),
        Some(Expect::Each(each)) => {
            Expected::Each(each.iter().map(|(name, v)| (name.clone(), v.name().to_string())).collect())
        }
    };
    let mut options = options(entry, given);
    // Where one property is to be violated, the others are asked about all the same.
    if matches!(&entry.expect, Some(Expect::Each(each)) if each.values().any(|v| *v == Verdict::Violated)) {
        options.push("--keep-going".to_string());
    }
    options.extend(given.args.iter().chain(&entry.args).flatten().cloned());
    let command = entry.command.map_or_else(|| usual(file), Word::name);
    let input = entry.input.clone().unwrap_or_default();
    Test { file: file.to_string_lossy().into_owned(), expect, input, command, options }
}

/// By the head of the file: `run: COMMAND OPTIONS`, `expect: VERDICT`, `expect NAME: VERDICT`,
/// `input: TEXT`.
fn stated(file: &Path, entry: &Entry, given: &Given) -> Result<Test, Failure> {
    let head = Head::of(&workbench::model::read_text(file)?);
    let expected: Vec<(String, String)> =
        head.expected().iter().map(|(name, word)| (name.to_string(), word.to_string())).collect();
    if expected.is_empty() {
        let message = "no verdict is expected: its first lines have no `expect: VERDICT`".to_string();
        return Err(Failure::File { path: file.to_path_buf(), message });
    }
    let mut run = head.get("run").unwrap_or_default().split_whitespace();
    let command = run.next().and_then(Word::of);
    let given_options = run.filter(|_| command.is_some()).map(str::to_string);
    let command = command.or(entry.command).map_or_else(|| searched(file), Word::name);
    let test = test(file, entry, given);
    let mut options = test.options;
    if language(file) == Language::Promela && command == "check" {
        options.push("--keep-going".to_string());
    }
    options.extend(given_options);
    let input = head.get("input").map_or(test.input, str::to_string);
    Ok(Test { file: test.file, expect: Expected::Stated(expected), input, command, options })
}

/// What is asked, and the limits.
fn options(entry: &Entry, given: &Given) -> Vec<String> {
    let mut options = Vec::new();
    let mut option = |name: &str, value: &str| options.push(format!("--{name}={value}"));
    entry.property.iter().flatten().for_each(|p| option("property", p));
    entry.ltl.iter().flatten().for_each(|formula| option("ltl", formula));
    let time = entry.timeout.as_ref().or(given.timeout.as_ref());
    time.into_iter().for_each(|t| option("timeout", t));
    let memory = entry.max_memory.as_ref().or(given.max_memory.as_ref());
    memory.into_iter().for_each(|m| option("max-memory", m));
    options
}

/// The command for a file of which nothing else is said.
fn usual(file: &Path) -> &'static str {
    match language(file) {
        Language::Relation => "prove",
        _ => searched(file),
    }
}

fn searched(file: &Path) -> &'static str {
    match language(file) {
        Language::Program => "run",
        _ => "check",
    }
}

impl Word {
    fn of(word: &str) -> Option<Word> {
        [Word::Check, Word::Prove, Word::Run].into_iter().find(|known| known.name() == word)
    }

    fn name(self) -> &'static str {
        match self {
            Word::Check => "check",
            Word::Prove => "prove",
            Word::Run => "run",
        }
    }
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }
}

/// The files that a name stands for, in order.
fn files(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let path = folder.join(pattern);
    let last = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    if !last.contains('*') {
        return Ok(vec![path]);
    }
    let within = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(within).map_err(|e| format!("`{pattern}`: {e}"))?;
    let names = entries.filter_map(Result::ok).map(|e| e.file_name().to_string_lossy().into_owned());
    let mut found: Vec<PathBuf> = names.filter(|n| fits(n, &last)).map(|n| path.with_file_name(n)).collect();
    found.sort();
    if found.is_empty() { Err(format!("`{pattern}` matches no file")) } else { Ok(found) }
}

/// Whether a name is one that a pattern with `*` stands for.
fn fits(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => name == pattern,
        Some((head, rest)) => name.strip_prefix(head).is_some_and(|name| {
            (0..=name.len()).any(|at| name.is_char_boundary(at) && fits(&name[at..], rest))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (name, pattern, expected) in [
            ("a.pml", "*.pml", true),
            ("a.pml.bak", "*.pml", false),
            ("abc", "a*b*c", true),
            ("acb", "a*b*c", false),
            ("é.pml", "*.pml", true),
        ] {
            assert_eq!(fits(name, pattern), expected, "{name} {pattern}");
        }
    }

    #[test]
    fn an_entry_says_what_is_done() {
        let list = "[[test]]\nfiles = [\"a.pml\"]\nexpect = { p = \"violated\" }\ntimeout = \"5s\"\nargs = [\"--raw\"]";
        let list: List = toml::from_str(list).unwrap();
        let test = test(Path::new("a.pml"), &list.test[0], &Given::default());
        assert_eq!(
            test.words(true),
            ["check", "--timeout=5s", "--keep-going", "--raw", "--threads", "1", "a.pml"]
        );
        assert!(toml::from_str::<List>("[[test]]\nfile = \"a.pml\"").is_err());
    }
}
