//! Proof scripts: `PROOF name : RULE steps using names`.

use super::{Parsed, Parser};
use crate::ast::{Expr, Ident, Proof, ProofStep};

impl Parser {
    pub(super) fn proof(&mut self) -> Parsed<Proof> {
        let start = self.span();
        self.expect("PROOF")?;
        let of = self.ident()?;
        self.expect(":")?;
        let rule = self.rule()?;
        let mut steps = Vec::new();
        if !self.ends_proof() {
            steps.push(self.proof_step()?);
            while self.accept(";") {
                if self.ends_proof() {
                    break;
                }
                steps.push(self.proof_step()?);
            }
        }
        let using = if self.accept("using") { Some(self.names()?) } else { None };
        self.accept(";");
        Ok(Proof { of, rule, steps, using, span: self.since(start) })
    }

    fn names(&mut self) -> Parsed<Vec<Ident>> {
        let nothing = self.peek().word().is_some_and(|w| &**w == "nothing");
        if nothing {
            self.bump();
            return Ok(Vec::new());
        }
        let mut names = vec![self.background()?];
        while self.accept(",") {
            names.push(self.background()?);
        }
        Ok(names)
    }

    /// A name of background: a property, an axiom, or a kind of generated invariants, of which one
    /// is a word of the language.
    fn background(&mut self) -> Parsed<Ident> {
        match self.peek().word().filter(|w| &***w == "local").cloned() {
            Some(name) => Ok(Ident { name, span: self.bump().span }),
            None => self.ident(),
        }
    }

    fn ends_proof(&self) -> bool {
        self.at_end() || self.is_any(&["using", "PROOF", "PROPERTY", "AXIOM", "SPEC", "type", "macro"])
    }

    /// The name of a rule: words joined by `-`, such as `B-INV`.
    fn rule(&mut self) -> Parsed<Ident> {
        let first = self.ident()?;
        let (mut name, mut span) = (first.name.to_string(), first.span);
        while self.is("-") && self.ahead(1).word().is_some() {
            self.bump();
            let word = self.bump();
            name = format!("{name}-{}", word.text());
            span = span.to(word.span);
        }
        Ok(Ident { name: name.into(), span })
    }

    /// A transition; one of a family by the values of its parameters.
    fn helpful(&mut self) -> Parsed<(Ident, Vec<Expr>)> {
        let name = self.ident()?;
        let mut parameters = Vec::new();
        while self.accept("[") {
            parameters.push(self.sum()?);
            while self.accept(",") {
                parameters.push(self.sum()?);
            }
            self.expect("]")?;
        }
        Ok((name, parameters))
    }

    fn proof_step(&mut self) -> Parsed<ProofStep> {
        let formula = self.formula()?;
        let mut by = Vec::new();
        if self.accept("by") {
            by.push(self.helpful()?);
            while self.accept(",") {
                by.push(self.helpful()?);
            }
        }
        let mut rank = Vec::new();
        if self.accept("rank") {
            rank.push(self.sum()?);
            while self.accept(",") {
                rank.push(self.sum()?);
            }
        }
        Ok(ProofStep { formula, by, rank })
    }
}
