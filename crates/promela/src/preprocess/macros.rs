//! Macros and their expansion.
//!
//! As a C preprocessor does it: arguments are expanded before they are put in (except beside `#`
//! and `##`), the result is read again together with what follows, and a macro is off while its own
//! body is read. A name that was met while its macro was off stays unexpanded for good. The total
//! work is bounded, so that no chain of definitions can explode.

use std::collections::HashMap;

use source::{Diagnostic, Name, Recorder, Span, Token, TokenKind};

use crate::lexer::lex;

/// How many tokens one run may expand.
const MAX_TOKENS: usize = 4_000_000;
/// How deep macro calls may nest in the arguments of macro calls.
const MAX_DEPTH: usize = 64;

/// One `#define`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Macro {
    /// None for `#define N 3`, the names for `#define F(a, b) …`.
    parameters: Option<Vec<Name>>,
    /// The last parameter takes all remaining arguments.
    variadic: bool,
    body: Vec<Token>,
    /// The name.
    name: Span,
    pub(super) span: Span,
}

impl Macro {
    /// Reads what follows `#define`: a name, and if a parenthesis touches it, parameters; then the
    /// body.
    pub(super) fn parse(name: &Token, rest: &[Token]) -> Result<Macro, Box<Diagnostic>> {
        let span = rest.last().map_or(name.span, |last| name.span.to(last.span));
        let place = name.span;
        let is_function = name.joint && rest.first().is_some_and(|token| token.is("("));
        if !is_function {
            return Ok(Macro { parameters: None, variadic: false, body: rest.to_vec(), name: place, span });
        }
        let Some(length) = rest.iter().position(|token| token.is(")")) else {
            return Err(Box::new(Diagnostic::error(
                "E0111",
                span,
                "the parameters of the macro are not closed",
            )));
        };
        let (parameters, variadic) = parameters(&rest[1..length])?;
        let (parameters, body) = (Some(parameters), rest[length + 1..].to_vec());
        Ok(Macro { parameters, variadic, body, name: place, span })
    }

    /// Do two definitions read the same?
    fn same(&self, other: &Macro) -> bool {
        let spellings = |body: &[Token]| body.iter().map(Token::spelling).collect::<Vec<_>>();
        self.parameters == other.parameters && spellings(&self.body) == spellings(&other.body)
    }
}

fn parameters(tokens: &[Token]) -> Result<(Vec<Name>, bool), Box<Diagnostic>> {
    let mut names = Vec::new();
    let mut variadic = false;
    if tokens.is_empty() {
        return Ok((names, false));
    }
    for part in tokens.split(|token| token.is(",")) {
        match part {
            [name] if name.name().is_some() && !variadic => names.extend(name.name().cloned()),
            [dots, dot] if dots.is("..") && dot.is(".") && !variadic => {
                variadic = true;
                names.push("__VA_ARGS__".into());
            }
            _ => {
                let span = part.first().unwrap_or(&tokens[0]).span;
                return Err(Box::new(Diagnostic::error("E0111", span, "malformed macro parameter")));
            }
        }
    }
    Ok((names, variadic))
}

pub(super) struct Macros {
    table: HashMap<Name, Macro>,
    budget: usize,
    /// Which macros are called where.
    pub(super) names: Recorder,
}

impl Macros {
    pub(super) fn new() -> Macros {
        Macros { table: HashMap::new(), budget: MAX_TOKENS, names: Recorder::default() }
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    /// A directive names a macro.
    pub(super) fn named(&mut self, name: &Name, span: Span) {
        if let Some(known) = self.table.get(name) {
            self.names.mean_at(name, span, known.name);
        }
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.table.remove(name);
    }

    /// Adds a macro; the result is the place of an older one that differs.
    pub(super) fn insert(&mut self, name: Name, definition: Macro) -> Option<Span> {
        let old = self.table.insert(name.clone(), definition)?;
        let differs = self.table.get(&name).is_some_and(|new| !new.same(&old));
        differs.then_some(old.span)
    }

    /// Expands all macros in a piece of text.
    pub(super) fn expand(&mut self, tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
        if self.table.is_empty() {
            return tokens;
        }
        let budget = self.budget;
        let mut expander = Expander { table: &self.table, budget, diagnostics, names: &mut self.names };
        let output = expander.expand(tokens, &mut Vec::new(), 0);
        self.budget = expander.budget;
        output
    }
}

struct Expander<'a> {
    table: &'a HashMap<Name, Macro>,
    budget: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
    names: &'a mut Recorder,
}

/// Text being read: the input at the bottom, bodies of macros above it.
struct Frame {
    tokens: std::vec::IntoIter<Token>,
    off: Option<Name>,
}

impl Expander<'_> {
    /// `off` names the macros that are off around this text.
    fn expand(&mut self, tokens: Vec<Token>, off: &mut Vec<Name>, depth: usize) -> Vec<Token> {
        let mut output = Vec::with_capacity(tokens.len());
        let mut frames = vec![Frame { tokens: tokens.into_iter(), off: None }];
        let mut line_pending = false;
        while let Some(mut token) = next(&mut frames) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            if self.budget == 0 {
                self.diagnostics.push(Diagnostic::error(
                    "E0121",
                    token.span,
                    "macros expand to too much text",
                ));
            }
            token.starts_line |= std::mem::take(&mut line_pending);
            match self.replacement(&mut token, &mut frames, off, depth) {
                Some((name, body)) => {
                    line_pending = token.starts_line;
                    frames.push(Frame { tokens: body.into_iter(), off: Some(name) });
                }
                None => output.push(token),
            }
        }
        output
    }

    /// What stands for this token, if it calls a macro; takes the arguments out of the frames.
    fn replacement(
        &mut self,
        token: &mut Token,
        frames: &mut Vec<Frame>,
        off: &mut Vec<Name>,
        depth: usize,
    ) -> Option<(Name, Vec<Token>)> {
        let name = token.name()?.clone();
        let definition = self.table.get(&name).filter(|_| !token.painted)?;
        let is_off = off.contains(&name) || frames.iter().any(|frame| frame.off.as_ref() == Some(&name));
        if is_off {
            token.painted = true;
            return None;
        }
        let Some(parameters) = &definition.parameters else {
            self.names.mean_at(&name, token.origin.unwrap_or(token.span), definition.name);
            return Some((name, self.substitute(token, definition, &[], &[])));
        };
        peek(frames).filter(|token| token.is("("))?;
        self.names.mean_at(&name, token.origin.unwrap_or(token.span), definition.name);
        let arguments = self.arguments(token, frames)?;
        let arguments = self.fit(token, definition, parameters, arguments)?;
        let outer = off.len();
        off.extend(frames.iter().filter_map(|frame| frame.off.clone()));
        let expanded: Vec<_> =
            arguments.iter().map(|argument| self.argument(token, argument, off, depth)).collect();
        off.truncate(outer);
        Some((name, self.substitute(token, definition, &arguments, &expanded)))
    }

    fn argument(&mut self, call: &Token, tokens: &[Token], off: &mut Vec<Name>, depth: usize) -> Vec<Token> {
        if depth >= MAX_DEPTH {
            let message = "macro calls are nested too deeply";
            self.diagnostics.push(Diagnostic::error("E0121", call.span, message));
            return vec![];
        }
        self.expand(tokens.to_vec(), off, depth + 1)
    }

    /// Reads `( … )` and splits it at the outer commas.
    fn arguments(&mut self, call: &Token, frames: &mut Vec<Frame>) -> Option<Vec<Vec<Token>>> {
        next(frames)?;
        let mut arguments = vec![vec![]];
        let mut open = 1;
        while let Some(mut token) = next(frames) {
            token.starts_line = false;
            match token.text() {
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            if open == 0 {
                return Some(arguments);
            }
            match arguments.last_mut() {
                Some(last) if !(open == 1 && token.is(",")) => last.push(token),
                _ => arguments.push(vec![]),
            }
        }
        let message = format!("the call of macro {} is not closed", call.describe());
        self.diagnostics.push(Diagnostic::error("E0119", call.span, message));
        None
    }

    /// Checks the number of arguments; surplus ones go to a variadic last parameter.
    fn fit(
        &mut self,
        call: &Token,
        definition: &Macro,
        parameters: &[Name],
        mut arguments: Vec<Vec<Token>>,
    ) -> Option<Vec<Vec<Token>>> {
        let nothing = arguments.len() == 1 && arguments[0].is_empty();
        if parameters.is_empty() && nothing {
            return Some(vec![]);
        }
        if definition.variadic {
            if arguments.len() + 1 == parameters.len() {
                arguments.push(vec![]);
            }
            while arguments.len() > parameters.len() {
                let last = arguments.pop().unwrap_or_default();
                let comma = Token::new(TokenKind::Sign(","), call.span);
                if let Some(before) = arguments.last_mut() {
                    before.push(comma);
                    before.extend(last);
                }
            }
        }
        if arguments.len() == parameters.len() {
            return Some(arguments);
        }
        let (wanted, given) = (parameters.len(), if nothing { 0 } else { arguments.len() });
        let message = format!("macro {} takes {wanted} arguments, not {given}", call.describe());
        let diagnostic = Diagnostic::error("E0119", call.span, message).also(definition.span, "defined here");
        self.diagnostics.push(diagnostic);
        None
    }

    /// The body of a macro with its arguments put in.
    fn substitute(
        &mut self,
        call: &Token,
        definition: &Macro,
        raw: &[Vec<Token>],
        expanded: &[Vec<Token>],
    ) -> Vec<Token> {
        let names = definition.parameters.as_deref().unwrap_or(&[]);
        let index = |token: &Token| {
            token.name().and_then(|name| names.iter().position(|parameter| parameter == name))
        };
        let body = &definition.body;
        let mut output: Vec<Token> = Vec::with_capacity(body.len());
        let (mut paste, mut left_is_empty) = (false, true);
        let mut at = 0;
        while let Some(token) = body.get(at) {
            at += 1;
            if token.is("##") && at > 1 && at < body.len() {
                paste = true;
                continue;
            }
            let before_paste = body.get(at).is_some_and(|next| next.is("##"));
            let piece = match index(token) {
                Some(argument) if paste || before_paste => raw[argument].clone(),
                Some(argument) => expanded[argument].clone(),
                None if token.is("#") && definition.parameters.is_some() => {
                    match body.get(at).and_then(index) {
                        Some(argument) => {
                            at += 1;
                            vec![placed(
                                Token::new(TokenKind::Text(spell(&raw[argument]).into()), token.span),
                                call,
                            )]
                        }
                        None => vec![placed(token.clone(), call)],
                    }
                }
                None => vec![placed(token.clone(), call)],
            };
            let is_empty = piece.is_empty() && (!paste || left_is_empty);
            let mut piece = piece.into_iter();
            if std::mem::take(&mut paste)
                && !left_is_empty
                && let Some(right) = piece.next()
                && let Some(left) = output.pop()
            {
                output.extend(self.paste(call, left, right));
            }
            left_is_empty = is_empty;
            output.extend(piece);
        }
        if let Some(first) = output.first_mut() {
            first.starts_line = false;
        }
        output
    }

    /// `left ## right`.
    fn paste(&mut self, call: &Token, left: Token, right: Token) -> Vec<Token> {
        let text = left.spelling() + &right.spelling();
        match <[Token; 1]>::try_from(lex(call.span.file, &text)) {
            Ok([mut token]) => {
                token.span = left.span;
                token.origin = left.origin;
                token.joint = right.joint;
                token.starts_line = false;
                vec![token]
            }
            Err(_) => {
                let message = format!("`##` makes `{text}`, which is not one token");
                self.diagnostics.push(Diagnostic::error("E0120", call.span, message));
                vec![left, right]
            }
        }
    }
}

/// A token of a body at the place of the call.
fn placed(mut token: Token, call: &Token) -> Token {
    token.origin = token.origin.or(Some(token.span));
    token.span = call.span;
    token.starts_line = false;
    token
}

/// The text of an argument for `#`: single spaces, quotes and backslashes in strings escaped.
fn spell(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let quoted = matches!(token.kind, TokenKind::Text(_) | TokenKind::Character(_));
        let spelling = token.spelling();
        text += &if quoted { spelling.replace('\\', "\\\\").replace('"', "\\\"") } else { spelling };
        if !token.joint && at + 1 < tokens.len() {
            text.push(' ');
        }
    }
    text
}

fn next(frames: &mut Vec<Frame>) -> Option<Token> {
    loop {
        let frame = frames.last_mut()?;
        if let Some(token) = frame.tokens.next() {
            return Some(token);
        }
        if frames.len() == 1 {
            return None;
        }
        frames.pop();
    }
}

fn peek(frames: &[Frame]) -> Option<&Token> {
    frames.iter().rev().find_map(|frame| frame.tokens.as_slice().first())
}
