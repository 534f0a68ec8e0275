//! HOA text as automata.

use super::condition::Condition;
use crate::automata::bdd::{self, Bdd, Manager};
use crate::automata::graph;
use crate::automata::named::Named;
use crate::automata::{Automaton, Edge};
use source::{Bad, Cursor, Diagnostic, FileId, Language, Lexicon, Name, Parsed, Span, Token, TokenKind};
use std::collections::HashMap;

/// More states are refused.
pub(super) const STATES: usize = 1 << 20;

/// More propositions are refused if labels are implicit, since there is an edge for each valuation.
const IMPLICIT: usize = 20;

const LEXICON: Lexicon = Lexicon {
    signs: &["--BODY--", "--END--", "--ABORT--", "[", "]", "{", "}", "(", ")", "!", "&", "|", ":", "@"],
    comments: &[("/*", "*/")],
    nested: true,
    in_word: |c| c.is_ascii_alphanumeric() || c == '_' || c == '-',
    in_number: |c| c.is_ascii_alphanumeric() || c == '_',
    quotes: "\"",
    escapes: true,
    texts_span_lines: true,
    ..Lexicon::PLAIN
};

const LANGUAGE: Language = Language { unexpected: "E0501", too_deep: "E0502", ..Language::PLAIN };

/// What an automaton begins with.
const BEGINNING: &str = "an automaton, which begins with `HOA: v1`";

/// All automata of a text.
pub fn read(text: &str, file: FileId) -> Result<Vec<Named>, Box<Diagnostic>> {
    let tokens = source::lex(&LEXICON, file, text, 0);
    if let Some(problem) = tokens.iter().find_map(unreadable) {
        return Err(problem.into());
    }
    let cursor = Cursor::new(tokens, &LANGUAGE);
    let mut reader = Reader { cursor, header: Header::default(), bdd: Manager::new(1 << 20) };
    let read = reader.automata();
    read.map_err(|_| reader.cursor.diagnostics.swap_remove(0).into())
}

fn unreadable(token: &Token) -> Option<Diagnostic> {
    let TokenKind::Bad(bad) = token.kind else { return None };
    let message = match bad {
        Bad::Comment(_) => "comment without an end".to_owned(),
        Bad::Text => "text without a closing quote".to_owned(),
        _ => format!("{} has no meaning here", token.describe()),
    };
    let end = if bad == Bad::Text { token.span.start + 1 } else { token.span.end };
    Some(Diagnostic::error("E0501", Span { end, ..token.span }, message))
}

#[derive(Default)]
pub(super) struct Header {
    pub(super) states: Option<usize>,
    starts: Vec<usize>,
    pub(super) names: Vec<String>,
    pub(super) aliases: HashMap<String, Bdd>,
    /// How many sets are declared, and what is asked of them.
    pub(super) acceptance: Option<(usize, Condition)>,
    pub(super) acceptance_name: Option<Name>,
}

pub(super) struct Reader {
    cursor: Cursor,
    pub(super) header: Header,
    pub(super) bdd: Manager,
}

source::reads_tokens!(Reader);

/// An edge as it stands in the text.
struct Line {
    label: Option<Bdd>,
    to: usize,
    sets: u64,
}

impl Reader {
    fn automata(&mut self) -> Parsed<Vec<Named>> {
        let mut automata = vec![self.automaton()?];
        while !self.at_end() {
            (self.header, self.bdd) = (Header::default(), Manager::new(1 << 20));
            automata.push(self.automaton()?);
        }
        Ok(automata)
    }

    fn automaton(&mut self) -> Parsed<Named> {
        self.header()?;
        let mut states: Vec<Vec<Edge>> = vec![Vec::new(); self.header.states.unwrap_or(0)];
        while let Some(name) = self.at_header() {
            if &*name != "State" {
                return self.unexpected("`State:`");
            }
            let (state, edges) = self.state()?;
            let largest = edges.iter().map(|edge| edge.to).fold(state, usize::max);
            if states.len() <= largest {
                states.resize(largest + 1, Vec::new());
            }
            states[state] = edges;
        }
        if self.is("--ABORT--") {
            let span = self.span();
            return self.fail(Diagnostic::error("E0501", span, "the automaton was abandoned by its writer"));
        }
        if !self.eat("--END--") {
            return self.unexpected("`State:` or `--END--`");
        }
        let initial = self.initial(&mut states);
        let sets = self.header.acceptance.as_ref().map_or(0, |(_, condition)| condition.0.len());
        let names = std::mem::take(&mut self.header.names);
        Ok(Named { automaton: Automaton { propositions: names.len(), sets, initial, states }, names })
    }

    /// The initial state: the only one there is, or a new one that does what any of them does.
    fn initial(&self, states: &mut Vec<Vec<Edge>>) -> usize {
        match self.header.starts[..] {
            [start] => {
                states.resize(states.len().max(start + 1), Vec::new());
                start
            }
            _ => {
                let edges = self.header.starts.iter().filter_map(|&start| states.get(start));
                let edges = edges.flatten().cloned().collect();
                states.push(edges);
                states.len() - 1
            }
        }
    }

    fn header(&mut self) -> Parsed<()> {
        if self.at_header().as_deref() != Some("HOA") {
            return self.unexpected(BEGINNING);
        }
        self.skip(2);
        if !self.eat("v1") {
            return self.unexpected("`v1`, the version that is read");
        }
        while let Some(name) = self.at_header() {
            let start = self.advance();
            let span = start.to(self.advance());
            self.item(&name, span)?;
        }
        let span = self.span();
        if !self.eat("--BODY--") {
            return self.unexpected("a header line or `--BODY--`");
        }
        if self.header.acceptance.is_none() {
            let message = "there is no line `Acceptance:` before the body";
            return self.fail(Diagnostic::error("E0501", span, message));
        }
        Ok(())
    }

    /// `Start:`, without the colon.
    fn at_header(&self) -> Option<Name> {
        let colon = self.peek().joint && self.ahead(1).is(":");
        self.peek().name().filter(|_| colon).cloned()
    }

    /// What is between quotes, without the signs before quotes in it.
    fn text(&mut self) -> Option<String> {
        let TokenKind::Text(text) = &self.peek().kind else { return None };
        let mut chars = text.chars();
        let next = || chars.next().and_then(|c| if c == '\\' { chars.next() } else { Some(c) });
        let text = std::iter::from_fn(next).collect();
        self.advance();
        Some(text)
    }

    /// One line of the header.
    fn item(&mut self, name: &str, span: Span) -> Parsed<()> {
        match name {
            "States" => {
                let states = self.number("how many states there are", STATES)?;
                self.header.states = Some(states);
            }
            "Start" => {
                let start = self.target("the number of a state")?;
                self.header.starts.push(start);
            }
            "AP" => {
                let count = self.number("how many propositions there are", 64)?;
                for _ in 0..count {
                    let Some(name) = self.text() else {
                        return self.unexpected("the name of a proposition in quotes");
                    };
                    self.header.names.push(name);
                }
            }
            "Alias" => {
                let Some(alias) = self.alias() else { return self.unexpected("an alias such as `@a`") };
                let label = self.expression()?;
                self.header.aliases.insert(alias, label);
            }
            "Acceptance" => {
                let count = self.number("how many acceptance sets there are", 64)?;
                let condition = self.condition(count)?;
                self.header.acceptance = Some((count, condition));
            }
            "acc-name" => {
                self.header.acceptance_name = self.peek().name().cloned();
                self.skip_values();
            }
            name if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let message = format!("the header line `{name}:` is not known here");
                let note = "its capital letter says that the meaning of the automaton depends on it";
                return self.fail(Diagnostic::error("E0505", span, message).note(note));
            }
            _ => self.skip_values(),
        }
        Ok(())
    }

    /// What follows a header line that does not matter.
    fn skip_values(&mut self) {
        while self.at_header().is_none() && !self.at_end() && !self.peek().text().starts_with("--") {
            self.advance();
        }
    }

    /// A state with its edges.
    fn state(&mut self) -> Parsed<(usize, Vec<Edge>)> {
        let start = self.advance();
        let span = start.to(self.advance());
        let label = self.label()?;
        let state = self.target("the number of a state")?;
        self.text();
        let sets = self.sets()?;
        let mut lines = Vec::new();
        while self.peek().is_number() || self.is("[") {
            let own = self.label()?;
            let to = self.target("the number of a state")?;
            lines.push(Line { label: label.or(own), to, sets: sets | self.sets()? });
        }
        self.implicit(&mut lines, span)?;
        let lines = lines.into_iter().filter(|line| line.label != Some(bdd::FALSE));
        let edges: Vec<Edge> = lines.map(|line| self.edge(&line)).collect();
        if self.bdd.full {
            return self.fail(Diagnostic::error("E0502", span, "the labels of this state are too large"));
        }
        Ok((state, edges))
    }

    /// Edges without labels are for the valuations in order, the first proposition as the lowest
    /// bit.
    fn implicit(&mut self, lines: &mut [Line], span: Span) -> Parsed<()> {
        let count = lines.iter().filter(|line| line.label.is_none()).count();
        if count == 0 {
            return Ok(());
        }
        let propositions = self.header.names.len();
        if propositions > IMPLICIT || count != lines.len() || count != 1 << propositions {
            let message = format!("{count} edges without label, and {} with", lines.len() - count);
            let label = format!(
                "a state has labels on all edges, or one edge for each of the 2^{propositions} valuations"
            );
            return self.fail(Diagnostic::error("E0506", span, message).label(label));
        }
        for (valuation, line) in lines.iter_mut().enumerate() {
            let label = (0..propositions as u32).fold(bdd::TRUE, |label, p| {
                let literal = self.bdd.literal(p, valuation >> p & 1 == 1);
                self.bdd.and(label, literal)
            });
            line.label = Some(label);
        }
        Ok(())
    }

    fn edge(&mut self, line: &Line) -> Edge {
        let label = graph::label(line.label.unwrap_or(bdd::TRUE), &mut self.bdd);
        let sets = self.header.acceptance.as_ref().map_or(0, |(_, condition)| condition.translate(line.sets));
        Edge { label, to: line.to, sets }
    }
}
