//! Text to syntax tree. Never fails: what cannot be read is reported, and reading goes on at the
//! next item.

mod processes;

use crate::ast::{ActionDef, Call, Clause, Ident, Item};
use source::{Cursor, Descent, Diagnostic, FileId, Parsed, Span, TokenKind};
use structures::syntax::{Formulas, LANGUAGE, LEXICON};

/// Words that begin an item.
const ITEMS: [&str; 14] = [
    "set",
    "foreach",
    "predicate",
    "derived",
    "constraint",
    "action",
    "thread",
    "procedure",
    "environment",
    "initial",
    "invariant",
    "ltl",
    "never",
    "fair",
];

struct Parser {
    cursor: Cursor,
}

source::reads_tokens!(Parser);

/// All items of a text.
pub fn parse(file: FileId, text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let mut parser = Parser::new(file, text);
    let mut items = parser.items();
    while !parser.at_end() {
        let _ = parser.unexpected::<()>("an item");
        parser.advance();
        items.extend(parser.items());
    }
    (items, parser.cursor.diagnostics)
}

/// Items that were not written by the user; all of them stand where this begins.
pub fn parse_at(text: &str, place: Span) -> Vec<Item> {
    let place = Span::new(place.file, place.start, place.start);
    let mut parser = Parser::new(place.file, text);
    parser.tokens.iter_mut().for_each(|token| token.span = place);
    parser.items()
}

impl Parser {
    fn new(file: FileId, text: &str) -> Parser {
        Parser { cursor: Cursor::new(source::lex(&LEXICON, file, text, 0), &LANGUAGE) }
    }

    /// Items up to a closing brace or the end.
    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.at_end() && !self.is("}") {
            let start = self.at;
            match self.item() {
                Ok(item) => items.push(item),
                Err(_) => {
                    let stays = usize::from(self.at == start);
                    self.skip(stays);
                    self.skip_to(&ITEMS);
                }
            }
        }
        items
    }

    fn item(&mut self) -> Parsed<Item> {
        let start = self.span();
        let word = self.peek().text().to_string();
        match word.as_str() {
            "predicate" | "derived" => return self.predicate(),
            "thread" => return self.thread(),
            "procedure" => return self.procedure(),
            "initial" => return self.initial(),
            "fair" => return self.fair(),
            word if !ITEMS.contains(&word) => {
                return self
                    .unexpected("an item, such as `predicate`, `action`, `thread`, `initial` or `ltl`");
            }
            _ => drop(self.bump()),
        }
        Ok(match word.as_str() {
            "set" => {
                let name = self.ident()?;
                self.expect("=")?;
                self.expect("{")?;
                Item::Set { name, members: self.list("}", Self::ident)? }
            }
            "foreach" => {
                let (variable, set) = self.over()?;
                let items = self.nested(|this| this.between("{", "}", |this| Ok(this.items())))?;
                Item::Foreach { variable, set, items }
            }
            "constraint" => {
                let body = self.expr()?;
                self.expect("=>")?;
                let head = self.expr()?;
                Item::Constraint { span: start.to(head.span), body, head }
            }
            "action" => {
                let name = self.ident()?;
                let parameters = if self.eat("[") { self.list("]", Self::ident)? } else { Vec::new() };
                Item::Action(ActionDef { name, parameters, clauses: self.clauses()? })
            }
            "environment" => Item::Environment { calls: self.block(Self::call)? },
            "invariant" => {
                let name = self.ident()?;
                self.expect("=")?;
                Item::Invariant { name, body: self.expr()? }
            }
            "ltl" => Item::Ltl { name: self.ident()?, text: self.braced()? },
            _ => Item::Never { name: self.ident()?, text: self.braced()? },
        })
    }

    /// The text between braces, which has a language of its own.
    fn braced(&mut self) -> Parsed<Span> {
        let open = self.span();
        if !self.is("{") {
            return self.unexpected("`{`");
        }
        if !self.skip_group("{", "}") {
            return self.unexpected("`}`");
        }
        Ok(Span::new(open.file, open.end, self.last.start))
    }

    fn predicate(&mut self) -> Parsed<Item> {
        let derived = self.bump().is("derived");
        let name = self.name()?;
        let parameters = self.arguments()?;
        let mut attributes = Vec::new();
        while self.is_name(0) && !self.is_any(&ITEMS) {
            attributes.push(self.ident()?);
        }
        let definition = if derived { Some(self.defined("=")?) } else { None };
        Ok(Item::Predicate { name, parameters, attributes, definition })
    }

    /// What is between braces, with semicolons anywhere between them.
    fn block<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect("{")?;
        let mut all = Vec::new();
        while !self.is("}") {
            all.push(one(self)?);
            while self.eat(";") {}
        }
        self.advance();
        Ok(all)
    }

    fn clauses(&mut self) -> Parsed<Vec<Clause>> {
        self.nested(|this| this.block(Self::clause))
    }

    fn clause(&mut self) -> Parsed<Clause> {
        let word = self.peek().text().to_string();
        if !["focus", "choose", "when", "new", "retain", "foreach", "idle", "error"].contains(&&*word) {
            let (name, parameters) = (self.name()?, self.arguments()?);
            return Ok(Clause::Update { name, parameters, value: self.defined(":=")? });
        }
        self.advance();
        Ok(match word.as_str() {
            "focus" => {
                let mut literals = vec![self.unary()?];
                while self.eat_any(&["&", "&&"]) {
                    literals.push(self.unary()?);
                }
                Clause::Focus(literals)
            }
            "choose" => Clause::Choose(self.idents()?),
            "when" => Clause::When(self.expr()?),
            "new" => Clause::New(self.idents()?),
            "retain" => Clause::Retain { variable: self.ident()?, body: self.defined(":")? },
            "foreach" => {
                let (variable, set) = self.over()?;
                Clause::Foreach { variable, set, clauses: self.clauses()? }
            }
            "idle" => Clause::Idle,
            _ => match self.peek().kind.clone() {
                TokenKind::Text(text) => {
                    Clause::Error(Ident { text: text.to_string(), span: self.advance() })
                }
                _ => return self.unexpected("a message in quotes"),
            },
        })
    }

    fn call(&mut self) -> Parsed<Call> {
        Ok(Call { name: self.name()? })
    }

    fn idents(&mut self) -> Parsed<Vec<Ident>> {
        self.separated(",", Self::ident)
    }
}
