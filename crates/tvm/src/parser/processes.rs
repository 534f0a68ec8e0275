//! Items of several steps or facts: threads, procedures, initial structures, fairness.

use super::Parser;
use crate::ast::{Fact, FairDef, Item, ProcedureDef, ThreadDef, Transition};
use source::{Descent, Parsed};
use structures::kleene::Kleene;
use structures::syntax::Formulas;

impl Parser {
    pub(super) fn thread(&mut self) -> Parsed<Item> {
        let start = self.advance();
        let name = self.ident()?;
        let guard = self.after("when", |this| this.separated(",", Self::name))?.unwrap_or_default();
        let (mut ends, mut transitions) = (Vec::new(), Vec::new());
        self.block(|this| {
            if this.begins("end") {
                ends.extend(this.idents()?);
            } else {
                transitions.push(this.transition()?);
            }
            Ok(())
        })?;
        Ok(Item::Thread(ThreadDef { name, span: self.since(start), guard, ends, transitions }))
    }

    pub(super) fn procedure(&mut self) -> Parsed<Item> {
        self.advance();
        let name = self.ident()?;
        let (mut returns, mut raises, mut transitions) = (Vec::new(), Vec::new(), Vec::new());
        self.block(|this| {
            if this.begins("return") {
                returns.extend(this.idents()?);
            } else if this.begins("raise") {
                raises.extend(this.idents()?);
            } else {
                transitions.push(this.transition()?);
            }
            Ok(())
        })?;
        Ok(Item::Procedure(ProcedureDef { name, transitions, returns, raises }))
    }

    /// Takes this word, unless it is the name of a place.
    fn begins(&mut self, word: &str) -> bool {
        !self.ahead(1).is(":") && self.eat(word)
    }

    fn transition(&mut self) -> Parsed<Transition> {
        let from = self.ident()?;
        self.expect(":")?;
        let calls = !self.ahead(1).is("->") && !self.ahead(1).is("[") && self.eat("call");
        let call = self.call()?;
        self.expect("->")?;
        let to = self.ident()?;
        let otherwise = if calls { self.after("else", Self::ident)? } else { None };
        Ok(Transition { span: from.span.to(to.span), from, call, to, calls, otherwise })
    }

    pub(super) fn initial(&mut self) -> Parsed<Item> {
        let start = self.advance();
        let name = if self.is("{") { None } else { Some(self.ident()?) };
        let span = self.since(start);
        Ok(Item::Initial { name, span, facts: self.block(Self::fact)? })
    }

    fn fact(&mut self) -> Parsed<Fact> {
        if !self.eat("node") {
            let (name, arguments) = (self.name()?, self.arguments()?);
            return Ok(Fact::Value { name, arguments, value: self.given()? });
        }
        let name = self.ident()?;
        let summary = self.eat("*");
        let holds = self.after(":", |this| this.separated(",", |this| Ok((this.name()?, this.given()?))))?;
        Ok(Fact::Node { name, summary, holds: holds.unwrap_or_default() })
    }

    /// `= VALUE`, or 1 if nothing is said.
    fn given(&mut self) -> Parsed<Kleene> {
        Ok(self.after("=", Self::value)?.unwrap_or(Kleene::True))
    }

    pub(super) fn fair(&mut self) -> Parsed<Item> {
        let start = self.advance();
        let strong = self.eat("strong");
        if !strong && !self.eat("weak") {
            return self.unexpected("`weak` or `strong`");
        }
        let actions = self.separated(",", Self::name)?;
        let who = self.after("by", Self::name)?;
        Ok(Item::Fair(FairDef { span: self.since(start), strong, actions, who }))
    }
}
