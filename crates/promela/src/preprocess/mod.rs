//! The C preprocessor, as far as Promela models use it: text to tokens with macros expanded and
//! conditions decided.
//!
//! Works on tokens, so that each keeps the place where the user wrote it. `-D` definitions are read
//! as a small text of their own. `#line` is accepted and has no effect: places are places in the
//! files read. Files come in through [`Files`].

mod condition;
mod macros;

use source::{Bad, Diagnostic, FileId, Ident, Name, NameKind, Recorder, SourceMap, Span, Token, TokenKind};

use crate::lexer::{self, lex};
use macros::{Macro, Macros};

/// Where `#include` finds its files.
pub trait Files {
    /// The content of a file.
    fn read(&self, path: &str) -> Result<String, Unreadable>;
}

/// Why a file cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// No file can be included.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> Result<String, Unreadable> {
        Err(Unreadable("no files can be included here".to_string()))
    }
}

/// `-D NAME` or `-D NAME=VALUE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Define {
    /// The name of the macro.
    pub name: String,
    /// What it stands for; without one, 1.
    pub value: Option<String>,
}

impl Define {
    /// Reads `NAME` or `NAME=VALUE`.
    pub fn parse(text: &str) -> Define {
        match text.split_once('=') {
            Some((name, value)) => Define { name: name.to_string(), value: Some(value.to_string()) },
            None => Define { name: text.to_string(), value: None },
        }
    }
}

/// What the text of the `-D` definitions is called.
pub const COMMAND_LINE: &str = "<command line>";

/// Deeper inclusion is taken for a file that includes itself.
const MAX_INCLUDES: usize = 40;

/// The tokens of texts, one behind the other, and of all they include; the last one is `End`; and
/// the macros. Places of included files are added to `map`.
pub fn preprocess(
    map: &mut SourceMap,
    texts: &[FileId],
    files: &dyn Files,
    defines: &[Define],
) -> (Vec<Token>, Vec<Diagnostic>, Recorder) {
    read(map, texts, files, defines).finish(texts.last().copied().unwrap_or_default())
}

/// Which of these names are macros at the end of the texts.
pub fn macros_among<'a>(
    map: &mut SourceMap,
    texts: &[FileId],
    (files, defines): (&dyn Files, &[Define]),
    names: impl Iterator<Item = &'a str>,
) -> Vec<&'a str> {
    let macros = read(map, texts, files, defines).macros;
    names.filter(|name| macros.contains(name)).collect()
}

fn read<'a>(
    map: &'a mut SourceMap,
    texts: &[FileId],
    files: &'a dyn Files,
    defines: &[Define],
) -> Preprocessor<'a> {
    let mut preprocessor = Preprocessor {
        map,
        files,
        macros: Macros::new(),
        pending: vec![],
        output: vec![],
        conditions: vec![],
        diagnostics: vec![],
    };
    if !defines.is_empty() {
        let file = preprocessor.map.add(COMMAND_LINE, command_line(defines));
        preprocessor.text(file, 0);
    }
    texts.iter().for_each(|text| preprocessor.text(*text, 0));
    preprocessor
}

fn command_line(defines: &[Define]) -> String {
    let line = |define: &Define| {
        let value = define.value.as_deref().unwrap_or("1").replace(['\n', '\r'], " ");
        format!("#define {} {}\n", define.name.replace(['\n', '\r'], " "), value)
    };
    defines.iter().map(line).collect()
}

struct Preprocessor<'a> {
    map: &'a mut SourceMap,
    files: &'a dyn Files,
    macros: Macros,
    /// Text lines since the last directive, not yet expanded: a macro's arguments may span lines.
    pending: Vec<Token>,
    output: Vec<Token>,
    conditions: Vec<Condition>,
    diagnostics: Vec<Diagnostic>,
}

/// One open `#if`.
struct Condition {
    span: Span,
    state: State,
    in_else: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// This branch is read.
    Reading,
    /// No branch was read yet.
    Waiting,
    /// A branch was read before, or the whole `#if` is being skipped.
    Done,
}

impl Preprocessor<'_> {
    fn text(&mut self, file: FileId, depth: usize) {
        let Some(content) = self.map.get(file).map(|text| text.content.clone()) else {
            return;
        };
        let tokens = lex(file, &content);
        let open = self.conditions.len();
        let mut rest = &tokens[..];
        while let Some(first) = rest.first() {
            let length = 1 + rest[1..].iter().take_while(|token| !token.starts_line).count();
            let (line, tail) = rest.split_at(length);
            if first.is("#") && first.starts_line {
                self.flush();
                self.directive(line, depth);
            } else if self.reading() {
                self.pending.extend_from_slice(line);
            }
            rest = tail;
        }
        self.flush();
        for condition in self.conditions.split_off(open.min(self.conditions.len())) {
            let message = "`#if` without `#endif`";
            self.diagnostics.push(Diagnostic::error("E0117", condition.span, message).label("never closed"));
        }
    }

    fn finish(mut self, root: FileId) -> (Vec<Token>, Vec<Diagnostic>, Recorder) {
        let length = self.map.get(root).map_or(0, |text| text.content.len() as u32);
        let diagnostics = &mut self.diagnostics;
        self.output.retain(|token| {
            let before = diagnostics.len();
            diagnostics.extend(unreadable(token));
            diagnostics.len() == before
        });
        self.output.push(Token::new(TokenKind::End, Span::new(root, length, length)));
        (self.output, self.diagnostics, self.macros.names)
    }

    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.output.extend(self.macros.expand(pending, &mut self.diagnostics));
    }

    fn reading(&self) -> bool {
        self.conditions.iter().all(|condition| condition.state == State::Reading)
    }

    fn directive(&mut self, line: &[Token], depth: usize) {
        let hash = &line[0];
        let Some(name) = line.get(1) else { return };
        let span = hash.span.to(name.span);
        let rest = &line[2..];
        match name.text() {
            "if" => self.open(span, |this| this.condition(span, rest)),
            "ifdef" => self.open(span, |this| this.is_defined(span, rest)),
            "ifndef" => self.open(span, |this| !this.is_defined(span, rest)),
            "elif" => self.next_branch(span, |this| this.condition(span, rest), false),
            "else" => self.next_branch(span, |_| true, true),
            "endif" => self.close(span),
            _ if !self.reading() => {}
            "define" => self.define(span, rest),
            "undef" => self.undefine(span, rest),
            "include" => self.include(span, rest, depth),
            "error" => {
                let message = format!("#error {}", self.words(rest));
                self.diagnostics.push(Diagnostic::error("E0118", span, message));
            }
            "warning" => {
                let message = format!("#warning {}", self.words(rest));
                self.diagnostics.push(Diagnostic::warning("W0102", span, message));
            }
            "line" | "ident" | "pragma" => {}
            _ if name.is_number() => {}
            _ => {
                let message = format!("unknown preprocessor directive {}", name.describe());
                let help = "known are #define #undef #include #if #ifdef #ifndef #elif #else #endif #error #line #pragma";
                self.diagnostics.push(Diagnostic::error("E0110", span, message).help(help));
            }
        }
    }

    /// The source text of the rest of a directive.
    fn words(&self, tokens: &[Token]) -> String {
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => self.map.snippet(first.span.to(last.span)).to_string(),
            _ => String::new(),
        }
    }

    fn open(&mut self, span: Span, holds: impl FnOnce(&mut Self) -> bool) {
        let state = match self.reading() {
            false => State::Done,
            true if holds(self) => State::Reading,
            true => State::Waiting,
        };
        self.conditions.push(Condition { span, state, in_else: false });
    }

    fn next_branch(&mut self, span: Span, holds: impl FnOnce(&mut Self) -> bool, is_else: bool) {
        let Some(condition) = self.conditions.last_mut() else {
            return self.stray(span);
        };
        if condition.in_else {
            let first = condition.span;
            let message = "another branch after `#else`";
            self.diagnostics.push(Diagnostic::error("E0116", span, message).also(first, "of this `#if`"));
            return;
        }
        condition.in_else = is_else;
        let state = condition.state;
        let state = match state {
            State::Waiting if holds(self) => State::Reading,
            State::Waiting => State::Waiting,
            State::Reading | State::Done => State::Done,
        };
        if let Some(condition) = self.conditions.last_mut() {
            condition.state = state;
        }
    }

    fn close(&mut self, span: Span) {
        if self.conditions.pop().is_none() {
            self.stray(span);
        }
    }

    fn stray(&mut self, span: Span) {
        let message = format!("`{}` without `#if`", self.map.snippet(span));
        self.diagnostics.push(Diagnostic::error("E0116", span, message));
    }

    fn condition(&mut self, span: Span, tokens: &[Token]) -> bool {
        condition::holds(span, tokens, &mut self.macros, &mut self.diagnostics)
    }

    fn is_defined(&mut self, span: Span, tokens: &[Token]) -> bool {
        let Some(name) = self.macro_name(span, tokens) else { return false };
        self.macros.named(&name, tokens[0].span);
        self.macros.contains(&name)
    }

    fn undefine(&mut self, span: Span, tokens: &[Token]) {
        if let Some(name) = self.macro_name(span, tokens) {
            self.macros.named(&name, tokens[0].span);
            self.macros.remove(&name);
        }
    }

    /// The name behind `#define`, `#undef`, `#ifdef`.
    fn macro_name(&mut self, span: Span, tokens: &[Token]) -> Option<Name> {
        let name = tokens.first().and_then(Token::name).cloned();
        if name.is_none() {
            let span = tokens.first().map_or(span, |token| token.span);
            self.diagnostics.push(Diagnostic::error("E0111", span, "expected the name of a macro"));
        }
        name
    }

    fn define(&mut self, span: Span, tokens: &[Token]) {
        let Some(name) = self.macro_name(span, tokens) else {
            return;
        };
        match Macro::parse(&tokens[0], &tokens[1..]) {
            Ok(definition) => {
                let span = definition.span;
                let ident = Ident { name: name.clone(), span: tokens[0].span };
                self.macros.names.define_whole(&ident, NameKind::Macro, span);
                if let Some(old) = self.macros.insert(name.clone(), definition) {
                    let message = format!("macro `{name}` is defined again, differently");
                    let warning =
                        Diagnostic::warning("W0101", span, message).label("this definition counts from here");
                    self.diagnostics.push(
                        warning.also(old, "first definition").help(format!("write `#undef {name}` first")),
                    );
                }
            }
            Err(diagnostic) => self.diagnostics.push(*diagnostic),
        }
    }

    fn include(&mut self, span: Span, tokens: &[Token], depth: usize) {
        let tokens = self.macros.expand(tokens.to_vec(), &mut self.diagnostics);
        let Some(name) = included_name(&tokens) else {
            let message = "expected a file name in quotes";
            self.diagnostics
                .push(Diagnostic::error("E0112", span, message).help("write `#include \"file\"`"));
            return;
        };
        let span = span.to(tokens[0].span);
        if depth >= MAX_INCLUDES {
            let message = format!("includes are nested too deeply, at \"{name}\"");
            self.diagnostics
                .push(Diagnostic::error("E0114", span, message).help("guard the file with `#ifndef`"));
            return;
        }
        let path = beside(self.map.name(span.file), &name);
        match self.files.read(&path) {
            Ok(content) => {
                let file = self.map.add(path, content);
                self.text(file, depth + 1);
            }
            Err(reason) => {
                let message = format!("cannot include \"{name}\": {reason}");
                self.diagnostics.push(Diagnostic::error("E0113", span, message));
            }
        }
    }
}

/// `"file"` or `<file>`.
fn included_name(tokens: &[Token]) -> Option<String> {
    match tokens {
        [Token { kind: TokenKind::Text(name), .. }, ..] => Some(name.to_string()),
        [open, name @ .., close] if open.is("<") && close.is(">") && !name.is_empty() => {
            Some(name.iter().map(Token::spelling).collect())
        }
        _ => None,
    }
}

/// A path that is not absolute starts in the folder of the file that includes it.
fn beside(includer: &str, name: &str) -> String {
    match includer.rsplit_once('/') {
        Some((folder, _)) if !name.starts_with('/') => format!("{folder}/{name}"),
        _ => name.to_string(),
    }
}

/// What is wrong with a token that `#if` does not skip.
fn unreadable(token: &Token) -> Option<Diagnostic> {
    let error = |code, message: &str| Diagnostic::error(code, token.span, message);
    Some(match &token.kind {
        TokenKind::Bad(Bad::Character(c)) => {
            error("E0101", &format!("unexpected character `{}`", c.escape_debug()))
        }
        TokenKind::Bad(Bad::Comment(_)) => error("E0102", "comment is not closed").label("starts here"),
        TokenKind::Bad(Bad::Text) => error("E0103", "string is not closed").label("starts here"),
        TokenKind::Bad(Bad::Quote) => error("E0104", "character constant is not closed"),
        TokenKind::Number(text) => match lexer::number(text) {
            Some(value) if text.starts_with("0x") || text.starts_with("0X") => {
                error("E0105", "hexadecimal numbers are not part of Promela").help(format!("write `{value}`"))
            }
            Some(_) => return None,
            None => error("E0105", "number is too large"),
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
