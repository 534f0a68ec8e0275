//! Transitions of `.fts` files.
//!
//! ```text
//! Transition inc [i:[1..N]] Just:
//!   enable x < N
//!   assign x := x + i, y := 0
//! Transition any NoFairness:
//!   relation x' > x
//!   or enable x = 0 assign x := 1
//! ```

use super::Parser;
use crate::ast::{Case, TransitionText};
use source::{Descent, Parsed};
use system::fts::Fairness;

impl Parser {
    pub(super) fn transition(&mut self) -> Parsed<TransitionText> {
        let start = self.span();
        self.expect("Transition")?;
        let name = self.ident()?;
        let mut parameters = Vec::new();
        while self.is("[") {
            parameters.extend(self.between("[", "]", |this| this.separated(",", Self::replica))?);
        }
        let fairness = match self.peek().text() {
            "Just" => Some(Fairness::Weak),
            "Compassionate" => Some(Fairness::Strong),
            "NoFairness" | "Unfair" => Some(Fairness::None),
            _ => None,
        };
        if fairness.is_some() {
            self.advance();
        }
        self.expect(":")?;
        let cases = self.separated("or", Self::case)?;
        let fairness = fairness.unwrap_or(Fairness::None);
        Ok(TransitionText { name, parameters, fairness, cases, span: self.since(start) })
    }

    fn case(&mut self) -> Parsed<Case> {
        let mut case = Case::default();
        loop {
            match self.peek().text() {
                "enable" => {
                    self.advance();
                    case.enable.push(self.formula()?);
                }
                "relation" => {
                    self.advance();
                    case.relation.push(self.formula()?);
                }
                "assign" => {
                    self.advance();
                    case.assign.extend(self.separated(",", |this| {
                        let place = this.postfixed()?;
                        this.expect(":=")?;
                        Ok((place, this.formula()?))
                    })?);
                }
                _ => break,
            }
            self.eat(";");
        }
        if case.enable.is_empty() && case.assign.is_empty() && case.relation.is_empty() {
            return self.unexpected("`enable`, `assign` or `relation`");
        }
        Ok(case)
    }
}
