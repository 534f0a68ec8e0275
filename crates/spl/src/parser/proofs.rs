//! Proof scripts: `PROOF name : RULE steps using names`.

use super::Parser;
use crate::ast::{Expr, Ident, Proof, ProofStep};
use source::{Descent, Parsed};

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
            while self.eat(";") {
                if self.ends_proof() {
                    break;
                }
                steps.push(self.proof_step()?);
            }
        }
        let using = self.after("using", Self::names)?;
        self.eat(";");
        Ok(Proof { of, rule, steps, using, span: self.since(start) })
    }

    pub(super) fn names(&mut self) -> Parsed<Vec<Ident>> {
        if self.eat("nothing") { Ok(Vec::new()) } else { self.separated(",", Self::background) }
    }

    /// A name of background: a property, an axiom, or a kind of generated invariants, of which one
    /// is a word of the language.
    fn background(&mut self) -> Parsed<Ident> {
        match self.peek().name().filter(|w| &***w == "local").cloned() {
            Some(name) => Ok(Ident { name, span: self.bump().span }),
            None => self.ident(),
        }
    }

    fn ends_proof(&self) -> bool {
        self.at_end()
            || self.is_any(&["using", "PROOF", "DIAGRAM", "PROPERTY", "AXIOM", "SPEC", "type", "macro"])
    }

    /// The name of a rule: words joined by `-`, such as `B-INV`.
    pub(super) fn rule(&mut self) -> Parsed<Ident> {
        let first = self.ident()?;
        let (mut name, mut span) = (first.name.to_string(), first.span);
        while self.is("-") && self.ahead(1).name().is_some() {
            self.advance();
            let word = self.bump();
            name = format!("{name}-{}", word.text());
            span = span.to(word.span);
        }
        Ok(Ident { name: name.into(), span })
    }

    /// A transition; one of a family by the values of its parameters.
    pub(super) fn helpful(&mut self) -> Parsed<(Ident, Vec<Expr>)> {
        let name = self.ident()?;
        let mut parameters = Vec::new();
        while self.is("[") {
            parameters.extend(self.between("[", "]", |this| this.separated(",", Self::sum))?);
        }
        Ok((name, parameters))
    }

    fn proof_step(&mut self) -> Parsed<ProofStep> {
        let formula = self.formula()?;
        let by = self.after("by", |this| this.separated(",", Self::helpful))?.unwrap_or_default();
        let rank = self.after("rank", |this| this.separated(",", Self::sum))?.unwrap_or_default();
        Ok(ProofStep { formula, by, rank })
    }
}
