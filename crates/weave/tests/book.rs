//! The book and the README tell the truth: every `console` block is run, and what it shows must be
//! what comes out.
//!
//! In a block, a line `$ command` is run from the root of the project, and the lines below it are
//! its output. A line `...` stands for any lines; lines with times (`states/s`) are not compared.

mod support;

use std::path::{Path, PathBuf};

#[test]
fn every_console_block_is_true() {
    // Where the book writes a trace.
    std::fs::create_dir_all(support::root().join("target")).unwrap();
    let mut ran = 0;
    for file in pages() {
        let text = std::fs::read_to_string(&file).unwrap();
        for block in blocks(&text) {
            for (command, expected) in commands(&block) {
                let shown = run(&command);
                let message = || format!("{}: `{command}` shows\n{shown}", file.display());
                assert!(matches(&lines(&expected), &lines(&shown)), "{}", message());
                ran += 1;
            }
        }
    }
    assert!(ran >= 8, "only {ran} commands found");
}

fn pages() -> Vec<PathBuf> {
    let root = support::root();
    let book = std::fs::read_dir(root.join("docs/book")).unwrap().map(|e| e.unwrap().path());
    let mut pages: Vec<PathBuf> = book.chain([root.join("README.md")]).collect();
    pages.sort();
    pages
}

fn blocks(text: &str) -> Vec<String> {
    let parts = text.split("```console\n").skip(1);
    parts.filter_map(|part| part.split_once("```")).map(|(block, _)| block.to_string()).collect()
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
fn run(command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_weave"));
    let command = command.replace("cargo run --release --quiet --bin weave --", "weave");
    let path = std::env::join_paths(
        std::iter::once(binary.parent().unwrap().to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .current_dir(support::root())
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
