//! The small parts of HOA text: labels of edges, sets, states, numbers.

use super::read::{Reader, STATES};
use crate::automata::bdd::{self, Bdd};
use source::{Descent, Diagnostic, Parsed, Span};

impl Reader {
    /// `@name`, without the sign.
    pub(super) fn alias(&mut self) -> Option<String> {
        let named = self.is("@") && self.peek().joint;
        self.skip(usize::from(named));
        named.then(|| self.bump().spelling())
    }

    /// `[…]`, if it is there.
    pub(super) fn label(&mut self) -> Parsed<Option<Bdd>> {
        let there = self.is("[");
        there.then(|| self.between("[", "]", Self::expression)).transpose()
    }

    pub(super) fn expression(&mut self) -> Parsed<Bdd> {
        let mut any = self.conjunction()?;
        while self.eat("|") {
            let more = self.conjunction()?;
            any = self.bdd.or(any, more);
        }
        Ok(any)
    }

    fn conjunction(&mut self) -> Parsed<Bdd> {
        let mut all = self.literal()?;
        while self.eat("&") {
            let more = self.literal()?;
            all = self.bdd.and(all, more);
        }
        Ok(all)
    }

    fn literal(&mut self) -> Parsed<Bdd> {
        let mut sign = true;
        while self.eat("!") {
            sign = !sign;
        }
        let span = self.span();
        let value = match self.peek().text() {
            "(" => self.nested(|this| this.between("(", ")", Self::expression))?,
            "@" => {
                let alias = self.alias().unwrap_or_default();
                let Some(&label) = self.header.aliases.get(&alias) else {
                    return self.none(span.to(self.last), format!("there is no alias @{alias}"));
                };
                label
            }
            "t" | "f" => bdd::constant(self.bump().is("t")),
            _ => {
                let p = self.number("a label", usize::MAX)?;
                if p >= self.header.names.len() {
                    return self.none(span, format!("there is no proposition {p}"));
                }
                self.bdd.literal(p as u32, true)
            }
        };
        Ok(if sign { value } else { self.bdd.not(value) })
    }

    /// What is named is not there.
    pub(super) fn none<T>(&mut self, span: Span, message: String) -> Parsed<T> {
        self.fail(Diagnostic::error("E0503", span, message))
    }

    /// Why a condition cannot be read: its name, if it has one.
    pub(super) fn acceptance_name(&self) -> String {
        self.header.acceptance_name.as_ref().map_or(String::new(), |name| format!(" ({name})"))
    }

    /// The sets between braces, as bits.
    pub(super) fn sets(&mut self) -> Parsed<u64> {
        let mut sets = 0;
        if !self.eat("{") {
            return Ok(0);
        }
        let count = self.header.acceptance.as_ref().map_or(0, |&(count, _)| count);
        while !self.eat("}") {
            sets |= 1 << self.set(count)?;
        }
        Ok(sets)
    }

    /// One state: conjunctions of states are alternation.
    pub(super) fn target(&mut self, what: &str) -> Parsed<usize> {
        let span = self.span();
        let limit = self.header.states.unwrap_or(STATES);
        let state = self.number(what, STATES)?;
        if state >= limit {
            return self.none(span, format!("there is no state {state}"));
        }
        if !self.is("&") {
            return Ok(state);
        }
        let problem = Diagnostic::error("E0507", span.to(self.span()), "alternating automata are not read");
        let help = "remove alternation first, for example with `autfilt`";
        self.fail(problem.label("a conjunction of states").help(help))
    }

    /// The number of one of `count` sets.
    pub(super) fn set(&mut self, count: usize) -> Parsed<usize> {
        let span = self.span();
        match self.number("the number of a set", usize::MAX)? {
            set if set < count => Ok(set),
            set => self.none(span, format!("there is no set {set}")),
        }
    }

    pub(super) fn number(&mut self, what: &str, most: usize) -> Parsed<usize> {
        if !self.peek().is_number() {
            return self.unexpected(what);
        }
        let span = self.span();
        let number = self.bump().text().parse();
        match number {
            Ok(n) if n <= most => Ok(n),
            Ok(_) => self.fail(Diagnostic::error("E0502", span, format!("at most {most} can be read"))),
            Err(_) => self.fail(Diagnostic::error("E0502", span, "number too large")),
        }
    }
}
