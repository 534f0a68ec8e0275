//! HOA text as automata.

use super::condition::{Condition, condition};
use super::tokens::{Kind, Token, tokens};
use crate::automata::bdd::{self, Bdd, Manager};
use crate::automata::graph;
use crate::automata::named::Named;
use crate::automata::{Automaton, Edge};
use source::{Diagnostic, FileId, Span};
use std::collections::HashMap;

/// More states are refused.
const STATES: usize = 1 << 20;

/// More propositions are refused if labels are implicit, since there is an edge for each valuation.
const IMPLICIT: usize = 20;

/// Deeper brackets are refused.
pub(super) const DEPTH: usize = 200;

/// All automata of a text.
pub fn read(text: &str, file: FileId) -> Result<Vec<Named>, Box<Diagnostic>> {
    let tokens = tokens(text, file)?;
    let mut rest = &tokens[..];
    let mut automata = Vec::new();
    while rest[0].kind != Kind::End {
        let mut reader =
            Reader { tokens: rest, header: Header::default(), bdd: Manager::new(1 << 20), depth: 0 };
        automata.push(reader.automaton()?);
        rest = reader.tokens;
    }
    match automata.is_empty() {
        true => Err(wrong(rest, "an automaton, which begins with `HOA: v1`")),
        false => Ok(automata),
    }
}

#[derive(Default)]
struct Header {
    states: Option<usize>,
    starts: Vec<usize>,
    names: Vec<String>,
    aliases: HashMap<String, Bdd>,
    /// How many sets are declared, and what is asked of them.
    acceptance: Option<(usize, Condition)>,
    acceptance_name: Option<String>,
}

struct Reader<'a> {
    tokens: &'a [Token],
    header: Header,
    bdd: Manager,
    /// How many brackets are open.
    depth: usize,
}

/// An edge as it stands in the text.
struct Line {
    label: Option<Bdd>,
    to: usize,
    sets: u64,
}

impl<'a> Reader<'a> {
    fn automaton(&mut self) -> Result<Named, Box<Diagnostic>> {
        self.header()?;
        let mut states: Vec<Vec<Edge>> = vec![Vec::new(); self.header.states.unwrap_or(0)];
        while let Kind::Header(name) = &self.tokens[0].kind {
            if name != "State" {
                return Err(wrong(self.tokens, "`State:`"));
            }
            let (state, edges) = self.state()?;
            let largest = edges.iter().map(|edge| edge.to).fold(state, usize::max);
            if states.len() <= largest {
                states.resize(largest + 1, Vec::new());
            }
            states[state] = edges;
        }
        match &self.tokens[0].kind {
            Kind::Mark(mark) if mark == "END" => self.advance(),
            Kind::Mark(mark) if mark == "ABORT" => {
                let span = self.tokens[0].span;
                return Err(
                    Diagnostic::error("E0501", span, "the automaton was abandoned by its writer").into()
                );
            }
            _ => return Err(wrong(self.tokens, "`State:` or `--END--`")),
        };
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

    fn header(&mut self) -> Result<(), Box<Diagnostic>> {
        if self.tokens[0].kind != Kind::Header("HOA".into()) {
            return Err(wrong(self.tokens, "an automaton, which begins with `HOA: v1`"));
        }
        self.advance();
        match &self.tokens[0].kind {
            Kind::Word(version) if version == "v1" => self.advance(),
            _ => return Err(wrong(self.tokens, "`v1`, the version that is read")),
        };
        while let Kind::Header(name) = self.tokens[0].kind.clone() {
            let span = self.advance();
            self.item(&name, span)?;
        }
        match &self.tokens[0].kind {
            Kind::Mark(mark) if mark == "BODY" => {}
            _ => return Err(wrong(self.tokens, "a header line or `--BODY--`")),
        }
        let span = self.advance();
        if self.header.acceptance.is_none() {
            return Err(
                Diagnostic::error("E0501", span, "there is no line `Acceptance:` before the body").into()
            );
        }
        Ok(())
    }

    /// One line of the header.
    fn item(&mut self, name: &str, span: Span) -> Result<(), Box<Diagnostic>> {
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
                    let Kind::Text(name) = self.tokens[0].kind.clone() else {
                        return Err(wrong(self.tokens, "the name of a proposition in quotes"));
                    };
                    self.header.names.push(name);
                    self.advance();
                }
            }
            "Alias" => {
                let Kind::Alias(alias) = self.tokens[0].kind.clone() else {
                    return Err(wrong(self.tokens, "an alias such as `@a`"));
                };
                self.advance();
                let label = self.expression()?;
                self.header.aliases.insert(alias, label);
            }
            "Acceptance" => {
                let count = self.number("how many acceptance sets there are", 64)?;
                let name = self.header.acceptance_name.clone();
                let condition = condition(&mut self.tokens, count, name.as_deref(), DEPTH)?;
                self.header.acceptance = Some((count, condition));
            }
            "acc-name" => {
                if let Kind::Word(word) = &self.tokens[0].kind {
                    self.header.acceptance_name = Some(word.clone());
                }
                self.skip_values();
            }
            name if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let message = format!("the header line `{name}:` is not known here");
                return Err(Diagnostic::error("E0505", span, message)
                    .note("its capital letter says that the meaning of the automaton depends on it")
                    .into());
            }
            _ => self.skip_values(),
        }
        Ok(())
    }

    /// What follows a header line that does not matter.
    fn skip_values(&mut self) {
        while !matches!(self.tokens[0].kind, Kind::Header(_) | Kind::Mark(_) | Kind::End) {
            self.advance();
        }
    }

    /// A state with its edges.
    fn state(&mut self) -> Result<(usize, Vec<Edge>), Box<Diagnostic>> {
        let span = self.advance();
        let label = self.label()?;
        let state = self.target("the number of a state")?;
        if let Kind::Text(_) = self.tokens[0].kind {
            self.advance();
        }
        let sets = self.sets()?;
        let mut lines = Vec::new();
        while let Kind::Number(_) | Kind::Sign('[') = self.tokens[0].kind {
            let own = self.label()?;
            let to = self.target("the number of a state")?;
            lines.push(Line { label: label.or(own), to, sets: sets | self.sets()? });
        }
        self.implicit(&mut lines, span)?;
        let lines = lines.into_iter().filter(|line| line.label != Some(bdd::FALSE));
        let edges: Vec<Edge> = lines.map(|line| self.edge(&line)).collect();
        if self.bdd.full {
            return Err(Diagnostic::error("E0502", span, "the labels of this state are too large").into());
        }
        Ok((state, edges))
    }

    /// Edges without labels are for the valuations in order, the first proposition as the lowest
    /// bit.
    fn implicit(&mut self, lines: &mut [Line], span: Span) -> Result<(), Box<Diagnostic>> {
        let count = lines.iter().filter(|line| line.label.is_none()).count();
        if count == 0 {
            return Ok(());
        }
        let propositions = self.header.names.len();
        if propositions > IMPLICIT || count != lines.len() || count != 1 << propositions {
            let message = format!("{count} edges without label, and {} with", lines.len() - count);
            return Err(Diagnostic::error("E0506", span, message)
                .label(format!(
                    "a state has labels on all edges, or one edge for each of the 2^{propositions} valuations"
                ))
                .into());
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

    /// `[…]`, if it is there.
    fn label(&mut self) -> Result<Option<Bdd>, Box<Diagnostic>> {
        if self.tokens[0].kind != Kind::Sign('[') {
            return Ok(None);
        }
        self.advance();
        let label = self.expression()?;
        self.expect(']')?;
        Ok(Some(label))
    }

    fn expression(&mut self) -> Result<Bdd, Box<Diagnostic>> {
        let mut any = self.conjunction()?;
        while self.eat('|') {
            let more = self.conjunction()?;
            any = self.bdd.or(any, more);
        }
        Ok(any)
    }

    fn conjunction(&mut self) -> Result<Bdd, Box<Diagnostic>> {
        let mut all = self.literal()?;
        while self.eat('&') {
            let more = self.literal()?;
            all = self.bdd.and(all, more);
        }
        Ok(all)
    }

    fn literal(&mut self) -> Result<Bdd, Box<Diagnostic>> {
        let mut sign = true;
        while self.eat('!') {
            sign = !sign;
        }
        let token = self.tokens[0].clone();
        let value = match &token.kind {
            Kind::Word(word) if word == "t" => bdd::TRUE,
            Kind::Word(word) if word == "f" => bdd::FALSE,
            Kind::Number(p) if *p < self.header.names.len() => self.bdd.literal(*p as u32, true),
            Kind::Number(p) => {
                return Err(
                    Diagnostic::error("E0503", token.span, format!("there is no proposition {p}")).into()
                );
            }
            Kind::Alias(alias) => match self.header.aliases.get(alias) {
                Some(&label) => label,
                None => {
                    return Err(Diagnostic::error(
                        "E0503",
                        token.span,
                        format!("there is no alias @{alias}"),
                    )
                    .into());
                }
            },
            Kind::Sign('(') => {
                self.depth += 1;
                if self.depth > DEPTH {
                    return Err(
                        Diagnostic::error("E0502", token.span, "brackets are nested too deeply").into()
                    );
                }
                self.advance();
                let inner = self.expression()?;
                self.expect(')')?;
                self.depth -= 1;
                return Ok(if sign { inner } else { self.bdd.not(inner) });
            }
            _ => return Err(wrong(self.tokens, "a label")),
        };
        self.advance();
        Ok(if sign { value } else { self.bdd.not(value) })
    }

    /// The sets between braces, as bits.
    fn sets(&mut self) -> Result<u64, Box<Diagnostic>> {
        let mut sets = 0;
        if !self.eat('{') {
            return Ok(0);
        }
        let count = self.header.acceptance.as_ref().map_or(0, |&(count, _)| count);
        while !self.eat('}') {
            let span = self.tokens[0].span;
            let set = self.number("the number of a set", usize::MAX)?;
            if set >= count {
                return Err(Diagnostic::error("E0503", span, format!("there is no set {set}")).into());
            }
            sets |= 1 << set;
        }
        Ok(sets)
    }

    /// One state: conjunctions of states are alternation.
    fn target(&mut self, what: &str) -> Result<usize, Box<Diagnostic>> {
        let span = self.tokens[0].span;
        let limit = self.header.states.unwrap_or(STATES);
        let state = self.number(what, STATES)?;
        if state >= limit {
            return Err(Diagnostic::error("E0503", span, format!("there is no state {state}")).into());
        }
        match self.tokens[0].kind {
            Kind::Sign('&') => {
                let message = "alternating automata are not read";
                Err(Diagnostic::error("E0507", span.to(self.tokens[0].span), message)
                    .label("a conjunction of states")
                    .help("remove alternation first, for example with `autfilt`")
                    .into())
            }
            _ => Ok(state),
        }
    }

    fn number(&mut self, what: &str, most: usize) -> Result<usize, Box<Diagnostic>> {
        let token = self.tokens[0].clone();
        match token.kind {
            Kind::Number(n) if n <= most => {
                self.advance();
                Ok(n)
            }
            Kind::Number(_) => {
                Err(Diagnostic::error("E0502", token.span, format!("at most {most} can be read")).into())
            }
            _ => Err(wrong(self.tokens, what)),
        }
    }

    /// Goes on; the last token stays.
    fn advance(&mut self) -> Span {
        let span = self.tokens[0].span;
        if self.tokens.len() > 1 {
            self.tokens = &self.tokens[1..];
        }
        span
    }

    fn eat(&mut self, sign: char) -> bool {
        let found = self.tokens[0].kind == Kind::Sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: char) -> Result<(), Box<Diagnostic>> {
        if self.eat(sign) { Ok(()) } else { Err(wrong(self.tokens, &format!("`{sign}`"))) }
    }
}

fn wrong(tokens: &[Token], expected: &str) -> Box<Diagnostic> {
    Diagnostic::error("E0501", tokens[0].span, format!("expected {expected}")).into()
}
