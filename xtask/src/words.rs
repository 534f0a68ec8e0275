//! `xtask words`: every text that a user can see, in one list that is committed.
//!
//! What is listed: string literals of the crates that have more than one word, the help texts of
//! the command line (its doc comments), and what the page of the studio shows. The list is there to
//! be read: a text that is not in it has not been read, and a test fails (`xtask/tests/words.rs`).
//! Which words they are to use stands in `docs/words.md`.

mod page;

use crate::tidy::{self, DATA};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::{fs, io};

/// The head of the list.
const HEAD: &str = "\
# Every text that a user can see, by file; `cargo xtask words` writes this list. Read what a change
# adds, and change what does not say it plainly (docs/words.md); then commit the list with it.
";

/// Texts by the file in which they stand, each once.
pub type Texts = BTreeMap<String, Vec<String>>;

/// Writes the list, or prints the texts with a word in them.
pub fn update(root: &Path, list: &Path, find: Option<&str>) -> io::Result<()> {
    let texts = texts(root)?;
    if let Some(word) = find {
        for (file, texts) in &texts {
            texts.iter().filter(|text| text.contains(word)).for_each(|text| println!("{file}: {text}"));
        }
        return Ok(());
    }
    let written = written(&texts);
    let before = fs::read_to_string(list).unwrap_or_default();
    let before: HashSet<&str> = before.lines().collect();
    written.lines().filter(|line| !before.contains(line)).for_each(|line| println!("new: {line}"));
    println!("{} texts", texts.values().map(Vec::len).sum::<usize>());
    fs::write(list, written)
}

/// The list as it is committed.
pub fn written(texts: &Texts) -> String {
    let mut list = HEAD.to_string();
    for (file, texts) in texts {
        list.push_str(&format!("\n## {file}\n"));
        texts.iter().for_each(|text| list.push_str(&format!("{text}\n")));
    }
    list
}

/// Every text of the repository at `root`.
pub fn texts(root: &Path) -> io::Result<Texts> {
    let mut found = Texts::new();
    for path in tidy::files(root)? {
        let Some(reader) = reader(&path) else { continue };
        let Ok(content) = fs::read_to_string(root.join(&path)) else { continue };
        let mut texts: Vec<String> = Vec::new();
        for text in reader(&content).iter().map(|text| on_one_line(text)) {
            if is_text(&text) && !texts.contains(&text) {
                texts.push(text);
            }
        }
        if !texts.is_empty() {
            found.insert(path, texts);
        }
    }
    Ok(found)
}

type Reader = fn(&str) -> Vec<String>;

/// How the texts of a file are found, if it shows any.
fn reader(path: &str) -> Option<Reader> {
    let shown = path.starts_with("crates/") && !path.contains("/tests/") && !path.ends_with("tests.rs");
    let is = |ending: &str| shown && path.ends_with(ending);
    if path.starts_with("crates/weave/src/cli") && is(".rs") {
        return Some(|text| [literals(text), help(text)].concat());
    }
    if is(".rs") && path.contains("/src/") && !DATA.iter().any(|table| path.ends_with(table)) {
        return Some(literals);
    }
    if path.starts_with("crates/studio/page/") {
        return match path.rsplit('.').next() {
            Some("js") => Some(page::strings),
            Some("html") => Some(page::between_tags),
            _ => None,
        };
    }
    None
}

/// String literals outside of tests and of attributes that no user sees.
fn literals(text: &str) -> Vec<String> {
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let seen: String =
        code.lines().map(|line| if is_reason(line) { "\n" } else { line }.to_string() + "\n").collect();
    tidy::literals::literals(&seen).into_iter().map(|literal| literal.text).collect()
}

/// The reason of a lint is for readers of the code.
fn is_reason(line: &str) -> bool {
    let line = line.trim_start();
    ["#[allow(", "#![allow(", "#[expect("].iter().any(|begin| line.starts_with(begin))
}

/// Paragraphs of doc comments.
fn help(text: &str) -> Vec<String> {
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut paragraphs = vec![String::new()];
    for line in code.lines() {
        match line.trim_start().strip_prefix("///").map(str::trim) {
            Some("") | None => paragraphs.push(String::new()),
            Some(words) => {
                let last = paragraphs.len() - 1;
                paragraphs[last] = format!("{} {words}", paragraphs[last]).trim().to_string();
            }
        }
    }
    paragraphs
}

/// Ends of lines as `\n`, so that each text is one line of the list.
fn on_one_line(text: &str) -> String {
    text.trim().replace('\n', "\\n").replace('\t', "\\t")
}

/// Two words, letters in both: all else is a name, a format or a mark.
fn is_text(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 1 && !word.contains('{');
    text.split_whitespace().filter(is_word).take(2).count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_two_words() {
        for text in ["no such file", "{} of {} steps are blocked", "a bug in weave"] {
            assert!(is_text(text), "{text}");
        }
        for text in ["deadlock", "{}: {name}", "--max-states", "%d %s", "x y"] {
            assert!(!is_text(text), "{text}");
        }
    }

    #[test]
    fn literals_and_help_are_found() {
        let text = "/// Stop after N\n/// states.\n///\n/// More of it.\n#[allow(x, reason = \"not seen here\")]\nlet a = \"is seen\";\n\n#[cfg(test)]\nmod tests { \"not this\" }";
        assert_eq!(literals(text), ["is seen"]);
        let shown: Vec<String> = help(text).into_iter().filter(|p| !p.is_empty()).collect();
        assert_eq!(shown, ["Stop after N states.", "More of it."]);
        assert!(reader("crates/weave/tests/cli.rs").is_none() && reader("xtask/src/words.rs").is_none());
    }
}
