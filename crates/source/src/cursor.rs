//! A place in a row of tokens, and what every parser does there: look, take, complain, go on.
//!
//! A parser owns a [`Cursor`] and is used as one ([`reads_tokens!`](crate::reads_tokens)). It never
//! fails as a whole: what it cannot read is reported once, [`Abandoned`] takes it out of what it
//! was doing, and it goes on somewhere else. Nesting is bounded, so that no input exhausts the
//! stack.

use crate::{Diagnostic, Ident, Label, Span, Token, TokenKind};

/// The error has been reported; go on somewhere else.
#[derive(Debug)]
pub struct Abandoned;

/// What a parser returns: the tree it read, or that it gave up after it reported why.
pub type Parsed<T> = Result<T, Abandoned>;

/// What a language says about mistakes, and how much of them it hears.
#[derive(Clone, Copy)]
pub struct Language {
    /// The code for a token that does not belong where it stands.
    pub unexpected: &'static str,
    /// What is written at such a token, of what was expected.
    pub label: fn(&str) -> String,
    /// What is behind the last token.
    pub end: &'static str,
    /// Words that name nothing, and the code for using one as a name, if that is not the first.
    pub reserved: &'static [&'static str],
    /// The code for a reserved word as a name; none if it is that of any wrong token.
    pub misnamed: Option<&'static str>,
    /// The code for nesting deeper than this.
    pub too_deep: &'static str,
    /// How deep brackets and operators may nest.
    pub levels: usize,
    /// After this number of errors the rest is not read.
    pub errors: usize,
    /// What to write instead, where a token is wrong in a usual way; given what was expected.
    pub hint: fn(&Cursor, &str) -> Option<&'static str>,
}

impl Language {
    /// Forty errors, and 200 levels; the codes are to be given.
    pub const PLAIN: Language = Language {
        unexpected: "",
        label: |_| String::new(),
        end: "the end of the file",
        reserved: &[],
        misnamed: None,
        too_deep: "",
        levels: 200,
        errors: 40,
        hint: |_, _| None,
    };
}

/// A position in the tokens of a text, with the errors found so far.
pub struct Cursor {
    /// The text being read. Ends with `End`.
    pub tokens: Vec<Token>,
    /// The index of the next token.
    pub at: usize,
    /// The token read last.
    pub last: Span,
    /// Errors and warnings, in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
    /// What is being read, outermost first; the last is part of each report of a wrong token.
    pub within: Vec<Label>,
    nesting: usize,
    stopped: bool,
    language: &'static Language,
}

impl Cursor {
    /// Starts at the first token; adds the final `End` if it is missing.
    pub fn new(mut tokens: Vec<Token>, language: &'static Language) -> Cursor {
        if !tokens.last().is_some_and(Token::is_end) {
            let end = tokens.last().map_or(Span::default(), |last| last.span.after());
            tokens.push(Token::new(TokenKind::End, end));
        }
        let last = tokens[0].span;
        let (diagnostics, within) = (Vec::new(), Vec::new());
        Cursor { tokens, at: 0, last, diagnostics, within, nesting: 0, stopped: false, language }
    }

    // Looking. Beyond the end there is `End` again and again.

    /// The next token, which stays where it is.
    pub fn peek(&self) -> &Token {
        self.ahead(0)
    }

    /// The token this far behind the next one; `End` if the text is shorter.
    pub fn ahead(&self, distance: usize) -> &Token {
        &self.tokens[(self.at + distance).min(self.tokens.len() - 1)]
    }

    /// Where the next token stands.
    pub fn span(&self) -> Span {
        self.peek().span
    }

    /// From a place to the token read last.
    pub fn since(&self, start: Span) -> Span {
        start.to(self.last)
    }

    /// Whether the next token is this word or sign.
    pub fn is(&self, text: &str) -> bool {
        self.peek().is(text)
    }

    /// Whether the next token is one of these words and signs.
    pub fn is_any(&self, texts: &[&str]) -> bool {
        texts.contains(&self.peek().text())
    }

    /// Whether the token read last is this word or sign.
    pub fn last_is(&self, text: &str) -> bool {
        self.at.checked_sub(1).is_some_and(|at| self.tokens[at].is(text))
    }

    /// Whether every token has been read.
    pub fn at_end(&self) -> bool {
        self.peek().is_end()
    }

    /// Whether the token this far ahead can be a name: a word that is not reserved.
    pub fn is_name(&self, distance: usize) -> bool {
        self.ahead(distance).name().is_some_and(|name| !self.language.reserved.contains(&&**name))
    }

    // Taking.

    /// Steps over the next token and returns its place; stays at `End`.
    pub fn advance(&mut self) -> Span {
        self.last = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        self.last
    }

    /// Takes this number of tokens.
    pub fn skip(&mut self, tokens: usize) {
        (0..tokens).for_each(|_| self.last = self.advance());
    }

    /// Takes the next token.
    pub fn bump(&mut self) -> Token {
        let token = self.peek().clone();
        self.advance();
        token
    }

    /// Steps over this word or sign if it is the next one, and returns whether it was.
    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    /// Steps over the next token if it is one of these.
    pub fn eat_any(&mut self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.eat(text))
    }

    /// Steps over this word or sign, or reports what stands there instead.
    pub fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.is(text) { Ok(self.advance()) } else { self.unexpected(&format!("`{text}`")) }
    }

    /// A word that is not reserved.
    pub fn name(&mut self, what: &str) -> Parsed<Ident> {
        match (self.peek().name().cloned(), self.language.misnamed) {
            (Some(name), _) if self.is_name(0) => Ok(Ident { name, span: self.advance() }),
            (Some(name), Some(code)) => {
                let message = format!("`{name}` is a reserved word and cannot be {what}");
                let diagnostic = Diagnostic::error(code, self.span(), message);
                let hint = (self.language.hint)(self, what);
                self.fail(hint.into_iter().fold(diagnostic, |d, hint| d.help(hint)))
            }
            _ => self.unexpected(what),
        }
    }

    // Complaining.

    /// Reports a finding; of errors, one for each place, and of one code, one for each beginning:
    /// a chain of operators that is too long is too long again behind every further operator.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let mut errors = self.diagnostics.iter().filter(|other| other.is_error());
        let new = diagnostic.primary.span;
        let same = |other: &Diagnostic| {
            let old = other.primary.span;
            old == new || other.code == diagnostic.code && (old.file, old.start) == (new.file, new.start)
        };
        if self.stopped || diagnostic.is_error() && errors.clone().any(same) {
            return;
        }
        let full = diagnostic.is_error() && errors.by_ref().count() + 1 >= self.language.errors;
        self.diagnostics.push(diagnostic);
        if full {
            self.stop();
        }
    }

    /// Nothing more is read, and nothing more reported.
    pub fn stop(&mut self) {
        self.stopped = true;
        self.at = self.tokens.len() - 1;
    }

    /// Reports an error and gives up the item being read.
    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.report(diagnostic);
        Err(Abandoned)
    }

    /// Steps over what closes a bracket, or reports where that was opened.
    pub fn close(&mut self, text: &str, opened: Span) -> Parsed<Span> {
        if self.is(text) {
            return Ok(self.advance());
        }
        let diagnostic = self.wrong(&format!("`{text}`"));
        self.fail(diagnostic.also(opened, "opened here"))
    }

    /// Reports that something else was expected here.
    pub fn unexpected<T>(&mut self, what: &str) -> Parsed<T> {
        let diagnostic = self.wrong(what);
        self.fail(diagnostic)
    }

    /// That something else was expected here.
    fn wrong(&self, what: &str) -> Diagnostic {
        let token = self.peek();
        let understood = token.is(";") && token.span.start == token.span.end;
        let found = match &token.kind {
            TokenKind::End => self.language.end.to_string(),
            _ if understood => "the end of the statement".to_string(),
            _ => token.describe(),
        };
        let message = format!("expected {what}, found {found}");
        let mut diagnostic = Diagnostic::error(self.language.unexpected, token.span, message);
        diagnostic = diagnostic.label((self.language.label)(what));
        if let Some(origin) = token.origin {
            diagnostic = diagnostic.also(origin, "comes from this macro");
        }
        diagnostic.secondary.extend(self.within.last().cloned());
        match (self.language.hint)(self, what) {
            Some(hint) => diagnostic.help(hint),
            None => diagnostic,
        }
    }

    /// One level deeper. What is too deep ends the reading.
    pub fn enter(&mut self) -> Parsed<()> {
        let Language { levels, too_deep, .. } = *self.language;
        if self.nesting >= levels {
            let message = format!("nested too deeply (more than {levels} levels)");
            self.report(Diagnostic::error(too_deep, self.span(), message));
            self.stop();
            return Err(Abandoned);
        }
        self.nesting += 1;
        Ok(())
    }

    /// Leaves a level of nesting.
    pub fn leave(&mut self) {
        self.nesting -= 1;
    }

    // Going on.

    /// Skips to the next of these, which is left to be read.
    pub fn skip_to(&mut self, stops: &[&str]) {
        while !self.at_end() && !self.is_any(stops) {
            self.advance();
        }
    }

    /// Skips `open … close`, if it stands here; true if it is closed.
    pub fn skip_group(&mut self, open: &str, close: &str) -> bool {
        let mut depth = 0_usize;
        while self.is(open) || depth > 0 && !self.at_end() {
            depth += usize::from(self.is(open));
            depth -= usize::from(self.is(close));
            self.advance();
            if depth == 0 {
                return true;
            }
        }
        false
    }

    /// Reads another text in between; then goes on behind where it was.
    pub fn exchange(&mut self, tokens: Vec<Token>, at: usize) -> (Vec<Token>, usize) {
        let at = if self.stopped { tokens.len() - 1 } else { at };
        (std::mem::replace(&mut self.tokens, tokens), std::mem::replace(&mut self.at, at))
    }
}
