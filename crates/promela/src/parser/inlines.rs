//! Inlines: named sequences whose calls are replaced by their text.
//!
//! As in SPIN, a call puts the text of its arguments for the parameters, wherever their names
//! occur, and stands for the block that results. `x = f(a)` makes `return e` in the body mean
//! `x = e`.

use std::sync::Arc;

use source::{Descent, Diagnostic, Label, Name, NameKind, Parsed, Recorder, Span, Token, TokenKind};

use super::Parser;
use crate::ast::*;

/// A definition.
pub(super) struct Inline {
    name: Ident,
    parameters: Vec<Ident>,
    /// `{ … }`
    body: Arc<[Token]>,
}

/// A call being read.
pub(super) struct Active {
    pub(super) name: Name,
    pub(super) call: Span,
    /// Where `return` stores.
    result: Option<VarRef>,
}

impl Parser {
    /// `inline name(a, b) { … }`
    pub(super) fn inline_definition(&mut self) -> Parsed<()> {
        let begin = self.advance();
        let name = self.name("the name of an inline")?;
        self.expect("(")?;
        let parameters = self.list(")", |this| this.name("a parameter of an inline"))?;
        self.separators();
        let start = self.at;
        if !self.is("{") {
            return self.unexpected("`{`");
        }
        if !self.skip_group("{", "}") {
            return self.unexpected("`}`");
        }
        let body = self.tokens[start..self.at].into();
        let whole = self.since(begin);
        self.names.define_whole(&name, NameKind::Macro, whole);
        parameters.iter().for_each(|parameter| self.names.define(parameter, NameKind::Parameter));
        let old = self.inlines.insert(name.name.clone(), Inline { name: name.clone(), parameters, body });
        if let Some(old) = old {
            let message = format!("inline `{}` is defined twice", name.name);
            self.report(
                Diagnostic::error("E0212", name.span, message).also(old.name.span, "first definition"),
            );
        }
        Ok(())
    }

    /// `f(a, b)`, or `result = f(a, b)` with the cursor at `f`.
    pub(super) fn inline_call(&mut self, result: Option<VarRef>) -> Parsed<StatementKind> {
        let name = self.name("the name of an inline")?;
        let arguments = self.inline_arguments()?;
        let call = name.span.to(self.last);
        let body = self.instantiate(&name, call, &arguments)?;
        self.active.push(Active { name: name.name.clone(), call, result });
        let text = format!("while reading the body of inline `{}`, called here", name.name);
        self.within.push(Label { span: call, text });
        let (tokens, at) = self.exchange(body, 0);
        let block = self.block();
        self.exchange(tokens, at);
        self.last = call;
        self.within.pop();
        self.active.pop();
        let inlined = Some(Inlined { name: name.name, call });
        Ok(StatementKind::Block { body: block?, inlined })
    }

    /// The texts between the outer commas of `( … )`.
    fn inline_arguments(&mut self) -> Parsed<Vec<Vec<Token>>> {
        self.expect("(")?;
        let mut arguments = vec![vec![]];
        let mut open = 1_usize;
        loop {
            match self.peek().text() {
                "(" | "[" => open += 1,
                ")" | "]" => open -= 1,
                "{" | "}" | "::" => return self.unexpected("`)`"),
                _ => {}
            }
            if self.at_end() {
                return self.unexpected("`)`");
            }
            let token = self.bump();
            if open == 0 {
                break;
            }
            match arguments.last_mut() {
                Some(last) if !(open == 1 && token.is(",")) => last.push(token),
                _ => arguments.push(vec![]),
            }
        }
        if arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        Ok(arguments)
    }

    /// The body of an inline with its arguments put in.
    fn instantiate(&mut self, name: &Ident, call: Span, arguments: &[Vec<Token>]) -> Parsed<Vec<Token>> {
        let Some(inline) = self.inlines.get(&name.name) else {
            let message = format!("no inline named `{}`", name.name);
            let diagnostic = Diagnostic::error("E0209", name.span, message).label("not defined before");
            let known = self.inlines.keys().map(|known| &**known);
            let near = diagnostic.meant(&name.name, known);
            let usual = "an inline must be defined before its first call; start a process with `run`";
            let help = super::hints::foreign(&name.name).unwrap_or(usual);
            return self.fail(near.help(help));
        };
        let (wanted, given) = (inline.parameters.len(), arguments.len());
        if wanted != given {
            let message = format!("inline `{}` takes {wanted} arguments, not {given}", name.name);
            let diagnostic = Diagnostic::error("E0210", call, message).also(inline.name.span, "defined here");
            return self.fail(diagnostic);
        }
        if let Some(outer) = self.active.iter().find(|active| active.name == name.name) {
            let message = format!("inline `{}` calls itself", name.name);
            let diagnostic = Diagnostic::error("E0211", call, message).also(outer.call, "first call");
            return self.fail(diagnostic.help("use a loop, or a proctype that runs itself"));
        }
        self.names.mean(name, inline.name.span);
        let body = substitute(inline, arguments, call, &mut self.names);
        if body.len() > self.inline_budget {
            return self.fail(Diagnostic::error("E0211", call, "inlines expand to too much text"));
        }
        self.inline_budget -= body.len();
        Ok(body)
    }

    /// `return e` inside an inline.
    pub(super) fn inline_return(&mut self) -> Parsed<StatementKind> {
        let start = self.advance();
        let result = self.active.last().and_then(|active| active.result.clone());
        let Some(to) = result else {
            let message = "`return` without a variable that takes the value";
            let help = "`return` belongs in an inline that is called as `x = f(…)`";
            return self.fail(Diagnostic::error("E0213", start, message).help(help));
        };
        Ok(StatementKind::Assign { to, value: self.expression()? })
    }
}

fn substitute(inline: &Inline, arguments: &[Vec<Token>], call: Span, names: &mut Recorder) -> Vec<Token> {
    let mut body = Vec::with_capacity(inline.body.len() + 1);
    for token in inline.body.iter() {
        let parameter = inline.parameters.iter().position(|parameter| token.name() == Some(&parameter.name));
        match parameter {
            Some(parameter) => {
                names.mean_at(
                    &inline.parameters[parameter].name,
                    token.span,
                    inline.parameters[parameter].span,
                );
                body.extend_from_slice(&arguments[parameter]);
            }
            None => body.push(token.clone()),
        }
    }
    body.push(Token::new(TokenKind::End, call));
    body
}
