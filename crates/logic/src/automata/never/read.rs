//! Never claims as automata.
//!
//! Read are the claims that SPIN, ltl2ba and our own writer produce: `if` or `do` with guards and
//! gotos, `skip`, `false`, and SPIN's `:: atomic { (p) -> assert(!(p)) }`, by which a claim ends at
//! once. Conditions are joined by `! && ||`; what is between is the host language's and becomes the
//! name of a proposition.

use crate::automata::bdd::{self, Bdd, Manager};
use crate::automata::graph::{self, Arc, Graph};
use crate::automata::named::Named;
use source::{Cursor, Descent, Diagnostic, FileId, Language, Lexicon, Name, Parsed, Token};
use std::collections::HashMap;

const LEXICON: Lexicon = Lexicon {
    signs: &[
        "::", "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "(", ")", "[", "]", "{", "}", "!", "~",
        "&", "|", "<", ">", "=", "+", "-", "*", "/", "%", "^", "@", "#", "$", ".", ",", ";", ":", "?", "'",
        "\"", "\\", "`",
    ],
    comments: &[("/*", "*/")],
    starts_word: |c| c.is_alphabetic() || c == '_',
    in_word: |c| c.is_alphanumeric() || c == '_',
    in_number: |c| c.is_alphanumeric() || c == '_',
    ..Lexicon::PLAIN
};

const LANGUAGE: Language = Language { unexpected: "E0508", too_deep: "E0502", ..Language::PLAIN };

/// The automaton of the first never claim in a text.
pub fn read(text: &str, file: FileId) -> Result<Named, Box<Diagnostic>> {
    let mut reader = Reader {
        text,
        cursor: Cursor::new(source::lex(&LEXICON, file, text, 0), &LANGUAGE),
        states: HashMap::new(),
        names: Vec::new(),
        bdd: Manager::new(1 << 20),
    };
    let read = reader.claim();
    read.map_err(|_| reader.cursor.diagnostics.swap_remove(0).into())
}

struct Reader<'a> {
    text: &'a str,
    cursor: Cursor,
    states: HashMap<Name, usize>,
    names: Vec<String>,
    bdd: Manager,
}

source::reads_tokens!(Reader<'_>);

impl Reader<'_> {
    fn claim(&mut self) -> Parsed<Named> {
        self.expect("never")?;
        if !self.is("{") {
            self.advance();
        }
        self.expect("{")?;
        // State 0 is where the claim has ended: everything is accepted.
        let mut bodies = vec![vec![Arc { label: bdd::TRUE, to: 0, sets: 1 }]];
        self.number_labels();
        let mut initial = None;
        while !self.is("}") {
            let first = self.label()?;
            let state = self.states[&first];
            let mut accepting = first.starts_with("accept");
            while self.ahead(1).is(":") {
                let also = self.label()?;
                accepting |= also.starts_with("accept");
                self.states.insert(also, state);
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
            return self.refuse("E0502", "the conditions of the claim are too large");
        }
        Ok(Named { automaton, names })
    }

    /// Numbers the labels; several in a row are one state.
    fn number_labels(&mut self) {
        let (mut count, mut follows) = (0, false);
        for pair in self.cursor.tokens.windows(2) {
            let label = pair[0].name().filter(|_| pair[1].is(":"));
            if let Some(label) = label {
                count += usize::from(!follows);
                self.states.entry(label.clone()).or_insert(count);
            }
            follows = label.is_some() || follows && pair[0].is(":");
        }
    }

    fn label(&mut self) -> Parsed<Name> {
        let label = self.peek().name().filter(|name| self.states.contains_key(*name)).cloned();
        let Some(label) = label.filter(|_| self.ahead(1).is(":")) else {
            return self.unexpected("the label of a state");
        };
        self.skip(2);
        Ok(label)
    }

    /// What a state does.
    fn body(&mut self, state: usize) -> Parsed<Vec<Arc>> {
        let opener = self.bump();
        let arcs = match opener.text() {
            // The end of the claim follows, or the next state.
            "skip" => vec![Arc { label: bdd::TRUE, to: self.after_this(), sets: 0 }],
            "false" | "0" => Vec::new(),
            "if" | "do" => {
                let mut arcs = Vec::new();
                while self.eat("::") {
                    arcs.push(self.option(state, opener.is("do"))?);
                }
                self.expect(if opener.is("if") { "fi" } else { "od" })?;
                arcs
            }
            _ => return self.unexpected("`if`, `do`, `skip` or `false`"),
        };
        while self.eat(";") {}
        Ok(arcs)
    }

    /// The state that a statement at this place runs into.
    fn after_this(&self) -> usize {
        let next = self.tokens[self.at..].iter().find(|token| !token.is(";"));
        next.and_then(|token| self.states.get(token.text())).copied().unwrap_or(0)
    }

    /// `(p) -> goto L`, or SPIN's `atomic { (p) -> assert(!(p)) }`.
    fn option(&mut self, state: usize, again: bool) -> Parsed<Arc> {
        let ends = self.eat("atomic");
        if ends {
            self.expect("{")?;
        }
        let label = self.condition()?;
        self.eat_any(&["->", ";"]);
        let to = match self.peek().text() {
            "goto" => {
                self.advance();
                let Some(&to) = self.states.get(self.peek().text()) else {
                    return self.refuse("E0503", "there is no such label");
                };
                self.advance();
                to
            }
            "assert" if ends => {
                self.skip_to(&["}"]);
                0
            }
            "::" | "od" if again => state,
            _ => return self.unexpected("`goto`"),
        };
        while self.eat(";") {}
        if ends {
            self.expect("}")?;
        }
        Ok(Arc { label, to, sets: 0 })
    }

    fn condition(&mut self) -> Parsed<Bdd> {
        let mut any = self.conjunction()?;
        while self.eat("||") {
            let more = self.conjunction()?;
            any = self.bdd.or(any, more);
        }
        Ok(any)
    }

    fn conjunction(&mut self) -> Parsed<Bdd> {
        let mut all = self.operand()?;
        while self.eat("&&") {
            let more = self.operand()?;
            all = self.bdd.and(all, more);
        }
        Ok(all)
    }

    /// Negations, then a group in brackets or text of the host language up to the next `&&`, `||`,
    /// `->` or closing bracket.
    fn operand(&mut self) -> Parsed<Bdd> {
        let begin = self.at;
        let mut sign = true;
        while self.eat("!") {
            sign = !sign;
        }
        let length = self.operand_length();
        let here = &self.tokens[self.at..];
        let value = if self.is("(") && closing(here) == Some(length) {
            self.nested(|this| this.between("(", ")", Self::condition))?
        } else {
            // `!x == 1` negates x alone, so the whole is the host's.
            if length != 1 && call(here) != Some(length) {
                (self.at, sign) = (begin, true);
            }
            self.proposition()?
        };
        Ok(if sign { value } else { self.bdd.not(value) })
    }

    /// How many tokens there are up to the end of the operand.
    fn operand_length(&self) -> usize {
        let mut depth = 0;
        for (i, token) in self.tokens[self.at..].iter().enumerate() {
            match token.text() {
                _ if token.is_end() => return i,
                "(" | "[" => depth += 1,
                ")" | "]" if depth == 0 => return i,
                ")" | "]" => depth -= 1,
                "&&" | "||" | "->" | ";" | "::" | "}" | "od" | "fi" if depth == 0 => return i,
                _ => {}
            }
        }
        0
    }

    fn proposition(&mut self) -> Parsed<Bdd> {
        let length = self.operand_length();
        let start = self.span();
        if length == 0 {
            return self.unexpected("a condition");
        }
        self.skip(length);
        let name = &self.text[start.start as usize..self.last.end as usize];
        Ok(match name {
            "1" | "true" | "skip" => bdd::TRUE,
            "0" | "false" => bdd::FALSE,
            _ => {
                let known = self.names.iter().position(|known| known == name);
                let number = known.unwrap_or(self.names.len());
                if number == 64 {
                    return self.refuse("E0502", "the claim has more than 64 propositions");
                }
                if known.is_none() {
                    self.names.push(name.to_owned());
                }
                self.bdd.literal(number as u32, true)
            }
        })
    }

    fn refuse<T>(&mut self, code: &'static str, message: &str) -> Parsed<T> {
        let span = self.span();
        self.fail(Diagnostic::error(code, span, message))
    }
}

/// How many tokens a bracket that opens here has.
fn closing(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    let closes = |token: &Token| {
        depth += match token.text() {
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
    matches!(rest.first()?.text(), "(" | "[").then(|| closing(rest).map(|length| length + 1))?
}
