//! The book and the README tell the truth: every `console` block is run, and what it shows must be
//! what comes out.
//!
//! In a block, a line `$ command` is run from the root of the project, and the lines below it are
//! its output. A line `...` stands for any lines; lines with times (`states/s`) are not compared.
//!
//! A block whose fence names a file after its language (`promela mutex.pml`) is a file that the
//! reader writes. Where a page has such blocks, everything in it happens in an empty folder of its
//! own, from top to bottom: a file is written when its block comes, and commands are run there.

mod support;

use std::path::{Path, PathBuf};

#[test]
fn every_console_block_is_true() {
    // Where the book writes a trace.
    std::fs::create_dir_all(support::root().join("target")).unwrap();
    let mut ran = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let blocks = blocks(&text);
        let folder = folder(&page, &blocks);
        for block in &blocks {
            if let Some(file) = block.file {
                std::fs::write(folder.join(file), format!("{}\n", block.text)).unwrap();
            } else if block.language == "console" {
                ran += is_true(&page, &folder, block.text);
            }
        }
    }
    assert!(ran >= 8, "only {ran} commands found");
}

/// The commands of a block print what stands below them; how many there are.
fn is_true(page: &Path, folder: &Path, block: &str) -> usize {
    let commands = commands(block);
    for (command, expected) in &commands {
        let shown = run(folder, command);
        let message = || format!("{}: `{command}` shows\n{shown}", page.display());
        assert!(matches(&lines(expected), &lines(&shown)), "{}", message());
    }
    commands.len()
}

#[test]
fn the_summary_lists_every_page() {
    let docs = support::root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let listed = summary.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let mut listed: Vec<PathBuf> = listed.map(|(page, _)| docs.join(page)).collect();
    let mut there = vec![docs];
    let mut found = Vec::new();
    while let Some(folder) = there.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            match entry.extension() {
                _ if entry.is_dir() => there.push(entry),
                Some(ending) if ending == "md" && !entry.ends_with("SUMMARY.md") => found.push(entry),
                _ => {}
            }
        }
    }
    listed.sort();
    found.sort();
    assert_eq!(listed, found, "docs/SUMMARY.md lists each page of docs once");
}

fn pages() -> Vec<PathBuf> {
    let root = support::root();
    let book = std::fs::read_dir(root.join("docs/book")).unwrap().map(|e| e.unwrap().path());
    let mut pages: Vec<PathBuf> = book.chain([root.join("README.md")]).collect();
    pages.sort();
    pages
}

/// What stands between two fences.
struct Block<'a> {
    language: &'a str,
    /// The file that the reader writes, if it is one.
    file: Option<&'a str>,
    text: &'a str,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let parts = text.split("\n```").skip(1).step_by(2);
    parts.filter_map(|part| part.split_once('\n')).map(|(fence, text)| block(fence, text)).collect()
}

fn block<'a>(fence: &'a str, text: &'a str) -> Block<'a> {
    let (language, file) = fence.split_once(' ').map_or((fence, None), |(l, file)| (l, Some(file)));
    Block { language, file, text }
}

/// Where the commands of a page are run: the root of the project, or an empty folder if the reader
/// writes files.
fn folder(page: &Path, blocks: &[Block]) -> PathBuf {
    if blocks.iter().all(|block| block.file.is_none()) {
        return support::root();
    }
    let folder = support::root().join("target/book").join(page.file_stem().unwrap());
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Commands with the output below them.
fn commands(block: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_string(), String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    commands
}

/// Runs a command line in a shell that knows `weave`; what the README runs by cargo is the same
/// program.
fn run(folder: &Path, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_weave"));
    let command = command.replace("cargo run --release --quiet --bin weave --", "weave");
    let path = std::env::join_paths(
        std::iter::once(binary.parent().unwrap().to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .current_dir(folder)
        .env("PATH", path.unwrap())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|l| !l.contains(" states/s")).map(str::trim_end).collect()
}

fn matches(expected: &[&str], shown: &[&str]) -> bool {
    match expected {
        [] => shown.is_empty(),
        ["...", rest @ ..] => (0..=shown.len()).any(|i| matches(rest, &shown[i..])),
        [first, rest @ ..] => shown.first() == Some(first) && matches(rest, &shown[1..]),
    }
}
