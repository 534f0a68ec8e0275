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

use super::{Parsed, Parser};
use crate::ast::{Case, TransitionText};
use system::fts::Fairness;

impl Parser {
    pub(super) fn transition(&mut self) -> Parsed<TransitionText> {
        let start = self.span();
        self.expect("Transition")?;
        let name = self.ident()?;
        let mut parameters = Vec::new();
        while self.accept("[") {
            loop {
                let index = self.ident()?;
                self.expect(":")?;
                let bracket = self.accept("[");
                let low = self.sum()?;
                self.expect("..")?;
                let high = self.sum()?;
                if bracket {
                    self.expect("]")?;
                }
                parameters.push((index, low, high));
                if !self.accept(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        let fairness = match self.peek().text() {
            "Just" => Some(Fairness::Weak),
            "Compassionate" => Some(Fairness::Strong),
            "NoFairness" | "Unfair" => Some(Fairness::None),
            _ => None,
        };
        if fairness.is_some() {
            self.bump();
        }
        self.expect(":")?;
        let mut cases = vec![self.case()?];
        while self.accept("or") {
            cases.push(self.case()?);
        }
        let fairness = fairness.unwrap_or(Fairness::None);
        Ok(TransitionText { name, parameters, fairness, cases, span: self.since(start) })
    }

    fn case(&mut self) -> Parsed<Case> {
        let mut case = Case::default();
        loop {
            match self.peek().text() {
                "enable" => {
                    self.bump();
                    case.enable.push(self.formula()?);
                }
                "relation" => {
                    self.bump();
                    case.relation.push(self.formula()?);
                }
                "assign" => {
                    self.bump();
                    loop {
                        let place = self.postfixed()?;
                        self.expect(":=")?;
                        case.assign.push((place, self.formula()?));
                        if !self.accept(",") {
                            break;
                        }
                    }
                }
                _ => break,
            }
            self.accept(";");
        }
        if case.enable.is_empty() && case.assign.is_empty() && case.relation.is_empty() {
            return Err(self.expected("`enable`, `assign` or `relation`"));
        }
        Ok(case)
    }
}
