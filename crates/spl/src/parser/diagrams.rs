//! Verification diagrams: `DIAGRAM name : kind proves properties { nodes and edges } using names`.
//!
//! The words inside of the braces are words there alone.

use super::Parser;
use crate::ast::{
    Bound, Diagram, DiagramItem, DiagramItemKind, DiagramNode, Expr, ExprKind, Ident, Quantifier,
};
use source::{Descent, Parsed, TokenKind};

/// Two names with an arrow between them.
type Arrow = (Ident, Ident);

impl Parser {
    pub(super) fn diagram(&mut self) -> Parsed<Diagram> {
        let start = self.span();
        self.expect("DIAGRAM")?;
        let name = self.ident()?;
        self.expect(":")?;
        let kind = self.diagram_kind()?;
        let proves = self.after("proves", |this| this.separated(",", Self::ident))?.unwrap_or_default();
        let open = self.span();
        let items = self.between("{", "}", Self::diagram_items)?;
        let body = self.since(open);
        let using = self.after("using", Self::names)?;
        self.eat(";");
        Ok(Diagram { name, kind, proves, items, body, using, span: self.since(start) })
    }

    /// The kind of a diagram, of which one is a word of the language.
    fn diagram_kind(&mut self) -> Parsed<Ident> {
        match self.peek().name().filter(|w| &***w == "rank").cloned() {
            Some(name) => Ok(Ident { name, span: self.bump().span }),
            None => self.rule(),
        }
    }

    fn diagram_items(&mut self) -> Parsed<Vec<DiagramItem>> {
        let mut items = Vec::new();
        while !self.is("}") && !self.at_end() {
            let start = self.span();
            let kind = self.diagram_item()?;
            items.push(DiagramItem { kind, span: self.since(start) });
            while self.eat(";") {}
        }
        Ok(items)
    }

    fn diagram_item(&mut self) -> Parsed<DiagramItemKind> {
        let word = self.peek().text().to_string();
        if matches!(&*word, "node" | "compound" | "edge" | "initial" | "terminal" | "accept" | "streett") {
            self.advance();
        }
        Ok(match &*word {
            "node" => DiagramItemKind::Node(self.diagram_node()?),
            "compound" => {
                let name = self.node_name()?;
                let assertion = self.after(":", Self::formula)?;
                let inner = |this: &mut Self| this.nested(Self::diagram_items);
                DiagramItemKind::Compound(name, assertion, self.between("{", "}", inner)?)
            }
            "edge" => {
                let from = self.node_names()?;
                self.expect("->")?;
                let to = self.node_names()?;
                let by = self.after("by", |this| this.separated(",", Self::helpful))?;
                DiagramItemKind::Edge(from, to, by.unwrap_or_default())
            }
            "initial" => DiagramItemKind::Initial(self.node_names()?),
            "terminal" => DiagramItemKind::Terminal(self.node_names()?),
            "accept" => {
                let more = self.eat("containing");
                let set = |this: &mut Self| this.between("{", "}", Self::node_names);
                DiagramItemKind::Accept(self.separated(",", set)?, more)
            }
            "streett" => {
                let stays = self.arrows()?;
                self.expect("or")?;
                DiagramItemKind::Streett(stays, self.arrows()?)
            }
            _ => return self.unexpected("a node, an edge, or another part of a diagram"),
        })
    }

    fn diagram_node(&mut self) -> Parsed<DiagramNode> {
        let name = self.node_name()?;
        self.expect(":")?;
        let assertion = self.formula()?;
        let rank = self.after("rank", |this| this.separated(",", Self::rank_part))?.unwrap_or_default();
        let label = self.after("label", Self::formula)?;
        Ok(DiagramNode { name, assertion, rank, label })
    }

    /// A number, or a finite set: `{i:[1..N] | p}`.
    fn rank_part(&mut self) -> Parsed<Expr> {
        if !self.is("{") {
            return self.sum();
        }
        let start = self.span();
        let (bound, body) = self.between("{", "}", |this| {
            let name = this.ident()?;
            let of = this.after(":", Self::simple_type)?;
            this.expect("|")?;
            Ok((Bound { names: vec![name], of }, this.formula()?))
        })?;
        let kind = ExprKind::Quantified(Quantifier::Exists, vec![bound], Box::new(body));
        Ok(Expr { kind, span: self.since(start) })
    }

    /// A name or a number.
    fn node_name(&mut self) -> Parsed<Ident> {
        match &self.peek().kind {
            TokenKind::Number(digits) => {
                let name = digits.clone();
                Ok(Ident { name, span: self.bump().span })
            }
            _ => self.ident(),
        }
    }

    fn node_names(&mut self) -> Parsed<Vec<Ident>> {
        if self.is("}") { Ok(Vec::new()) } else { self.separated(",", Self::node_name) }
    }

    /// `{a -> b, c -> d}`.
    fn arrows(&mut self) -> Parsed<Vec<Arrow>> {
        let arrow = |this: &mut Self| {
            let from = this.node_name()?;
            this.expect("->")?;
            Ok((from, this.node_name()?))
        };
        self.between("{", "}", |this| if this.is("}") { Ok(Vec::new()) } else { this.separated(",", arrow) })
    }
}
