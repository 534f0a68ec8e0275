//! Never claims as automata.
//!
//! Read are the claims that SPIN, ltl2ba and our own writer produce: `if` or `do` with guards and
//! gotos, `skip`, `false`, and SPIN's `:: atomic { (p) -> assert(!(p)) }`, by which a claim ends at
//! once. Conditions are joined by `! && ||`; what is between is the host language's and becomes the
//! name of a proposition.

use crate::automata::bdd::{self, Bdd, Manager};
use crate::automata::graph::{self, Arc, Graph};
use crate::automata::named::Named;
use source::{Diagnostic, FileId, Span};
use std::collections::HashMap;

/// Deeper brackets are refused.
const DEPTH: usize = 200;

/// A word of the claim, with its place.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    start: usize,
}

/// The automaton of the first never claim in a text.
pub fn read(text: &str, file: FileId) -> Result<Named, Box<Diagnostic>> {
    let tokens = tokens(text);
    let mut reader = Reader {
        text,
        file,
        tokens: &tokens,
        states: HashMap::new(),
        names: Vec::new(),
        bdd: Manager::new(1 << 20),
        depth: 0,
    };
    reader.claim()
}

/// Words, numbers, and signs; comments are left out.
fn tokens(text: &str) -> Vec<Token<'_>> {
    const SIGNS: [&str; 10] = ["::", "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>"];
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if in_word(c) {
            rest.find(|c| !in_word(c)).unwrap_or(rest.len())
        } else {
            SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len())
        };
        if !c.is_whitespace() && !rest.starts_with("/*") {
            tokens.push(Token { text: &rest[..length], start: at });
        }
        at += length;
    }
    tokens
}

struct Reader<'a> {
    text: &'a str,
    file: FileId,
    tokens: &'a [Token<'a>],
    states: HashMap<&'a str, usize>,
    names: Vec<String>,
    bdd: Manager,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn claim(&mut self) -> Result<Named, Box<Diagnostic>> {
        self.expect("never")?;
        if self.peek() != "{" {
            self.advance();
        }
        self.expect("{")?;
        // State 0 is where the claim has ended: everything is accepted.
        let mut bodies = vec![vec![Arc { label: bdd::TRUE, to: 0, sets: 1 }]];
        self.number_labels();
        let mut initial = None;
        while self.peek() != "}" {
            let first = self.label()?;
            let state = self.states[first];
            let mut accepting = first.starts_with("accept");
            while self.tokens.get(1).is_some_and(|token| token.text == ":") {
                let also = self.label()?;
                self.states.insert(also, state);
                accepting |= also.starts_with("accept");
            }
            initial.get_or_insert(state);
            let mut arcs = self.body(state)?;
            arcs.iter_mut().for_each(|arc| arc.sets = accepting as u64);
            bodies.resize(bodies.len().max(state + 1), Vec::new());
            bodies[state] = arcs;
        }
        self.advance();
        let mut graph = Graph { sets: 1, initial: initial.unwrap_or(0), states: bodies }.reachable();
        graph.states.iter_mut().for_each(|arcs| graph::join(arcs, &mut self.bdd));
        let names = std::mem::take(&mut self.names);
        let automaton = graph::close(&graph, names.len(), &mut self.bdd);
        if self.bdd.full {
            return Err(self.wrong_at(0, "E0502", "the conditions of the claim are too large"));
        }
        Ok(Named { automaton, names })
    }

    /// Numbers the labels; several in a row are one state.
    fn number_labels(&mut self) {
        let mut count = 1;
        for (i, pair) in self.tokens.windows(2).enumerate() {
            if pair[1].text == ":" && is_word(pair[0].text) {
                let follows = i >= 2 && self.tokens[i - 1].text == ":" && is_word(self.tokens[i - 2].text);
                if !follows {
                    count += 1;
                }
                self.states.entry(pair[0].text).or_insert(count - 1);
            }
        }
    }

    fn label(&mut self) -> Result<&'a str, Box<Diagnostic>> {
        let label = self.peek();
        if !self.states.contains_key(label) || self.tokens.get(1).is_none_or(|token| token.text != ":") {
            return Err(self.wrong("E0508", "expected the label of a state"));
        }
        self.advance();
        self.advance();
        Ok(label)
    }

    /// What a state does.
    fn body(&mut self, state: usize) -> Result<Vec<Arc>, Box<Diagnostic>> {
        let opener = self.advance();
        let arcs = match opener {
            // The end of the claim follows, or the next state.
            "skip" => vec![Arc { label: bdd::TRUE, to: self.after(), sets: 0 }],
            "false" | "0" => Vec::new(),
            "if" | "do" => {
                let closer = if opener == "if" { "fi" } else { "od" };
                let mut arcs = Vec::new();
                while self.peek() == "::" {
                    self.advance();
                    arcs.push(self.option(state, opener == "do")?);
                }
                self.expect(closer)?;
                arcs
            }
            _ => return Err(self.wrong("E0508", "expected `if`, `do`, `skip` or `false`")),
        };
        while self.peek() == ";" {
            self.advance();
        }
        Ok(arcs)
    }

    /// The state that a statement at this place runs into.
    fn after(&self) -> usize {
        let next = self.tokens.iter().find(|token| token.text != ";").map_or("", |token| token.text);
        self.states.get(next).copied().unwrap_or(0)
    }

    /// `(p) -> goto L`, or SPIN's `atomic { (p) -> assert(!(p)) }`.
    fn option(&mut self, state: usize, again: bool) -> Result<Arc, Box<Diagnostic>> {
        let ends = self.peek() == "atomic";
        if ends {
            self.advance();
            self.expect("{")?;
        }
        let label = self.condition()?;
        if self.peek() == "->" || self.peek() == ";" {
            self.advance();
        }
        let to = match self.peek() {
            "goto" => {
                self.advance();
                let Some(&to) = self.states.get(self.peek()) else {
                    return Err(self.wrong("E0503", "there is no such label"));
                };
                self.advance();
                to
            }
            "assert" if ends => {
                while self.peek() != "}" && !self.tokens.is_empty() {
                    self.advance();
                }
                0
            }
            "::" | "od" if again => state,
            _ => return Err(self.wrong("E0508", "expected `goto`")),
        };
        while self.peek() == ";" {
            self.advance();
        }
        if ends {
            self.expect("}")?;
        }
        Ok(Arc { label, to, sets: 0 })
    }

    fn condition(&mut self) -> Result<Bdd, Box<Diagnostic>> {
        let mut any = self.conjunction()?;
        while self.peek() == "||" {
            self.advance();
            let more = self.conjunction()?;
            any = self.bdd.or(any, more);
        }
        Ok(any)
    }

    fn conjunction(&mut self) -> Result<Bdd, Box<Diagnostic>> {
        let mut all = self.operand()?;
        while self.peek() == "&&" {
            self.advance();
            let more = self.operand()?;
            all = self.bdd.and(all, more);
        }
        Ok(all)
    }

    /// Negations, then a group in brackets or text of the host language up to the next `&&`, `||`,
    /// `->` or closing bracket.
    fn operand(&mut self) -> Result<Bdd, Box<Diagnostic>> {
        let begin = self.tokens;
        let mut sign = true;
        while self.peek() == "!" {
            self.advance();
            sign = !sign;
        }
        let length = self.operand_length();
        let group = self.peek() == "(" && closing(self.tokens) == Some(length);
        let value = if group {
            self.depth += 1;
            if self.depth > DEPTH {
                return Err(self.wrong("E0502", "brackets are nested too deeply"));
            }
            self.advance();
            let inner = self.condition()?;
            self.expect(")")?;
            self.depth -= 1;
            inner
        } else {
            // `!x == 1` negates x alone, so the whole is the host's.
            let simple = length == 1 || call(self.tokens) == Some(length);
            if !simple {
                (self.tokens, sign) = (begin, true);
            }
            let length = if simple { length } else { self.operand_length() };
            self.proposition(length)?
        };
        Ok(if sign { value } else { self.bdd.not(value) })
    }

    /// How many tokens there are up to the end of the operand.
    fn operand_length(&self) -> usize {
        let mut depth = 0;
        for (i, token) in self.tokens.iter().enumerate() {
            match token.text {
                "(" | "[" => depth += 1,
                ")" | "]" if depth == 0 => return i,
                ")" | "]" => depth -= 1,
                "&&" | "||" | "->" | ";" | "::" | "}" | "od" | "fi" if depth == 0 => return i,
                _ => {}
            }
        }
        self.tokens.len()
    }

    fn proposition(&mut self, length: usize) -> Result<Bdd, Box<Diagnostic>> {
        let Some((first, last)) = self.tokens.get(..length).and_then(|t| Some((t.first()?, t.last()?)))
        else {
            return Err(self.wrong("E0508", "expected a condition"));
        };
        let name = &self.text[first.start..last.start + last.text.len()];
        self.tokens = &self.tokens[length..];
        Ok(match name {
            "1" | "true" | "skip" => bdd::TRUE,
            "0" | "false" => bdd::FALSE,
            _ => {
                let known = self.names.iter().position(|known| known == name);
                let number = known.unwrap_or(self.names.len());
                if known.is_none() {
                    if number == 64 {
                        return Err(self.wrong("E0502", "the claim has more than 64 propositions"));
                    }
                    self.names.push(name.to_owned());
                }
                self.bdd.literal(number as u32, true)
            }
        })
    }

    fn peek(&self) -> &'a str {
        self.tokens.first().map_or("", |token| token.text)
    }

    fn advance(&mut self) -> &'a str {
        let text = self.peek();
        self.tokens = self.tokens.get(1..).unwrap_or(&[]);
        text
    }

    fn expect(&mut self, word: &str) -> Result<(), Box<Diagnostic>> {
        match self.peek() == word {
            true => {
                self.advance();
                Ok(())
            }
            false => Err(self.wrong("E0508", &format!("expected `{word}`"))),
        }
    }

    fn wrong(&self, code: &'static str, message: &str) -> Box<Diagnostic> {
        let at = self.tokens.first().map_or(self.text.len(), |token| token.start);
        self.wrong_at(at, code, message)
    }

    fn wrong_at(&self, at: usize, code: &'static str, message: &str) -> Box<Diagnostic> {
        let end = at + self.peek().len();
        Diagnostic::error(code, Span::new(self.file, at as u32, end as u32), message).into()
    }
}

/// How many tokens a bracket that opens here has.
fn closing(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    let closes = |token: &Token| {
        depth += match token.text {
            "(" | "[" => 1,
            ")" | "]" => -1,
            _ => 0,
        };
        depth == 0
    };
    tokens.iter().position(closes).map(|last| last + 1)
}

/// How many tokens a word with brackets behind it has, such as `len(q)` or `a[i]`.
fn call(tokens: &[Token]) -> Option<usize> {
    let rest = tokens.get(1..)?;
    matches!(rest.first()?.text, "(" | "[").then(|| closing(rest).map(|length| length + 1))?
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
