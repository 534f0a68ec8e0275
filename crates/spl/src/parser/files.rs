//! A whole file: its parts in any sensible order.

use super::Parser;
use crate::ast::{Claim, File};
use source::{Descent, Parsed};

/// Where a part of a file begins.
const PARTS: [&str; 15] = [
    "in",
    "local",
    "out",
    "value",
    "type",
    "macro",
    "AXIOM",
    "PROPERTY",
    "PROOF",
    "DIAGRAM",
    "SPEC",
    "Transition",
    "Initially",
    "BACKGROUND",
    "SPL",
];

impl Parser {
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        while !self.at_end() {
            let before = self.at;
            if self.part(&mut file).is_err() {
                self.skip_to(&PARTS);
            }
            // A part that cannot begin here must not be tried again and again.
            if self.at == before {
                self.advance();
            }
        }
        file
    }

    fn part(&mut self, file: &mut File) -> Parsed<()> {
        match self.peek().text() {
            "in" | "local" | "out" | "value" => file.declarations.extend(self.declarations()),
            "type" => file.types.push(self.type_definition()?),
            "macro" => file.macros.extend(self.macro_definition()?),
            "AXIOM" => file.axioms.push(self.claim()?),
            "PROPERTY" => file.properties.push(self.claim()?),
            "PROOF" => file.proofs.push(self.proof()?),
            "DIAGRAM" if self.is_name(1) => file.diagrams.push(self.diagram()?),
            // Headings, as STeP's files have them.
            "SPEC" | "SPL" | ";" => self.skip(1),
            "Transition" if self.ahead(1).is("System") => self.skip(2),
            "Transition" => file.transitions.push(self.transition()?),
            "Initially" => {
                self.advance();
                file.initially.extend(self.separated(",", Self::formula)?);
            }
            _ if file.body.is_none() => file.body = Some(self.parallel()),
            _ => return self.unexpected("a declaration, a specification or a proof"),
        }
        Ok(())
    }

    /// `PROPERTY name : formula`.
    fn claim(&mut self) -> Parsed<Claim> {
        self.advance();
        let name = self.ident()?;
        self.expect(":")?;
        let formula = self.formula()?;
        self.eat(";");
        Ok(Claim { name, formula })
    }
}
