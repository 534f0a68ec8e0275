//! The heads of corpus files: lines `KEY: VALUE` among the first fifteen, behind the marks of a
//! comment.
//!
//! `expect: VERDICT` is about everything, `expect NAME: VERDICT` about one property;
//! `run: COMMAND OPTIONS` says how the file is asked. Every test that reads the corpus includes
//! this file, and so does `xtask tidy`.

#![allow(dead_code, reason = "each reader uses a part")]

/// How many lines a file has to say what is expected of it.
pub const LINES: usize = 15;

/// The first lines, without the marks of a comment.
pub struct Head(Vec<String>);

impl Head {
    pub fn of(text: &str) -> Head {
        let bare = |line: &str| {
            line.trim_start_matches([' ', '*', '/', '!', '#', '%']).trim_end_matches("*/").trim().to_string()
        };
        Head(text.lines().take(LINES).map(bare).collect())
    }

    /// The value of the first line that begins with the key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim)
    }

    /// Names of properties, empty for everything, with the verdicts expected.
    pub fn expected(&self) -> Vec<(&str, &str)> {
        self.0.iter().filter_map(|line| expectation(line)).collect()
    }

    /// The words of the line `run: COMMAND OPTIONS` behind the command; none if there is no such
    /// line.
    pub fn options(&self, command: &str) -> Option<Vec<&str>> {
        let mut words = self.get("run")?.split_whitespace();
        (words.next()? == command).then(|| words.collect())
    }
}

fn expectation(line: &str) -> Option<(&str, &str)> {
    let (name, verdict) = line.strip_prefix("expect")?.split_once(':')?;
    let named = name.is_empty() || name.starts_with(' ');
    named.then(|| (name.trim(), verdict.split_whitespace().next().unwrap_or("")))
}
