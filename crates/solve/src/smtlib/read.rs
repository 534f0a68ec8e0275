//! Reads SMT-LIB 2: declarations, macros, assertions. Enough for the conditions we print and the
//! models solvers print.

use super::expression::{Expression, ParseError, parse};
use super::print::WORDS;
use crate::answer::Assumption;
use logic::fol::{Binder, Constructor, Op, Quantifier, Rational, Sort, Symbol, Term, substitute};
use num_bigint::{BigInt, BigUint};
use std::collections::HashMap;

/// What a script says, commands for the solver left aside.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// What `assert` states, in order, named by `:named` or by number.
    pub assertions: Vec<Assumption>,
    /// What `(set-info :status …)` promises: `sat`, `unsat` or `unknown`.
    pub status: Option<String>,
    sorts: HashMap<String, Sort>,
    symbols: HashMap<String, Symbol>,
    /// `define-fun`: parameters and body.
    pub(crate) macros: HashMap<String, (Vec<Symbol>, Term)>,
}

type Read<T> = Result<T, ParseError>;

fn wrong<T>(words: impl Into<String>) -> Read<T> {
    Err(ParseError { at: 0, words: words.into() })
}

/// A whole script; commands that only steer the solver are skipped.
pub fn read(text: &str) -> Read<Script> {
    let mut script = Script::default();
    for command in parse(text)? {
        script.command(&command)?;
    }
    Ok(script)
}

/// A term over the symbols of a script.
pub fn read_term(text: &str, script: &Script) -> Read<Term> {
    match &parse(text)?[..] {
        [expression] => script.term(expression, &mut Vec::new()),
        _ => wrong("one term is expected"),
    }
}

/// Names bound by `let`, quantifiers and parameters, the innermost last.
type Scope = Vec<(String, Term)>;

impl Script {
    /// Makes the symbols known, as `declare-fun` does.
    pub fn declare(&mut self, symbols: impl IntoIterator<Item = Symbol>) {
        for symbol in symbols {
            symbol.arguments.iter().chain([&symbol.sort]).for_each(|sort| self.know(sort));
            self.symbols.insert(symbol.name.to_string(), symbol);
        }
    }

    fn know(&mut self, sort: &Sort) {
        match sort {
            Sort::Array(a, b) => [a, b].into_iter().for_each(|s| self.know(s)),
            Sort::Sequence(element) => self.know(element),
            Sort::Opaque(name) => drop(self.sorts.insert(name.to_string(), sort.clone())),
            Sort::Data(data) => {
                self.sorts.insert(data.name.to_string(), sort.clone());
                data.constructors.iter().flat_map(|c| &c.fields).for_each(|(_, s)| self.know(s));
            }
            _ => {}
        }
    }

    /// Takes in one command.
    pub fn command(&mut self, command: &Expression) -> Read<()> {
        let Some(items) = command.list() else { return wrong("a command is a list") };
        let word = items.first().and_then(Expression::atom).unwrap_or_default();
        match (word, &items[1.min(items.len())..]) {
            ("set-info", [Expression::Atom(key), Expression::Atom(value)]) if key == ":status" => {
                self.status = Some(value.clone());
            }
            ("declare-fun", [Expression::Atom(name), Expression::List(arguments), result]) => {
                let arguments = arguments.iter().map(|s| self.sort(s)).collect::<Read<Vec<_>>>()?;
                let symbol = Symbol::function(name.clone(), arguments, self.sort(result)?);
                self.symbols.insert(name.clone(), symbol);
            }
            ("declare-const", [Expression::Atom(name), sort]) => {
                let symbol = Symbol::constant(name.clone(), self.sort(sort)?);
                self.symbols.insert(name.clone(), symbol);
            }
            ("declare-sort", [Expression::Atom(name), _]) => {
                self.sorts.insert(name.clone(), Sort::opaque(name));
            }
            ("declare-datatypes", [Expression::List(names), Expression::List(bodies)]) => {
                for (name, body) in names.iter().zip(bodies) {
                    self.datatype(name, body)?;
                }
            }
            ("define-fun", [Expression::Atom(name), Expression::List(parameters), _, body]) => {
                let parameters = parameters.iter().map(|p| self.variable(p)).collect::<Read<Vec<_>>>()?;
                let mut scope = parameters.iter().map(|p| (p.name.to_string(), p.term())).collect();
                let body = self.term(body, &mut scope)?;
                self.macros.insert(name.clone(), (parameters, body));
            }
            ("assert", [formula]) => {
                let (name, formula) = match formula.list() {
                    Some(
                        [Expression::Atom(bang), formula, Expression::Atom(key), Expression::Atom(name)],
                    ) if bang == "!" && key == ":named" => (name.clone(), formula),
                    _ => (format!("assertion {}", self.assertions.len() + 1), formula),
                };
                let formula = self.term(formula, &mut Vec::new())?;
                if *formula.sort() != Sort::Bool {
                    return wrong(format!("an assertion is no {}", formula.sort()));
                }
                self.assertions.push(Assumption { name, formula });
            }
            ("set-logic" | "set-option" | "set-info" | "check-sat" | "exit" | "get-model" | "echo", _) => {}
            _ => return wrong(format!("the command `{word}` is not understood")),
        }
        Ok(())
    }

    fn datatype(&mut self, name: &Expression, body: &Expression) -> Read<()> {
        let (Some([Expression::Atom(name), _]), Some(bodies)) = (name.list(), body.list()) else {
            return wrong("declare-datatypes ((NAME 0)) ((CONSTRUCTOR…))");
        };
        self.sorts.insert(name.clone(), Sort::Itself);
        let mut constructors = Vec::new();
        for body in bodies {
            let Some((Expression::Atom(name), fields)) = body.list().and_then(<[_]>::split_first) else {
                return wrong("a constructor is (NAME (FIELD SORT)…)");
            };
            let mut made = Constructor { name: name.as_str().into(), fields: Vec::new() };
            for field in fields {
                let Some([Expression::Atom(field), sort]) = field.list() else {
                    return wrong("a field is (NAME SORT)");
                };
                made.fields.push((field.as_str().into(), self.sort(sort)?));
            }
            constructors.push(made);
        }
        self.sorts.insert(name.clone(), Sort::data(name, constructors));
        Ok(())
    }

    fn sort(&self, expression: &Expression) -> Read<Sort> {
        match expression {
            Expression::Atom(name) => match name.as_str() {
                "Bool" => Ok(Sort::Bool),
                "Int" => Ok(Sort::Int),
                "Real" => Ok(Sort::Real),
                name => self.sorts.get(name).cloned().map_or_else(|| wrong(format!("no sort `{name}`")), Ok),
            },
            Expression::List(items) => match &items[..] {
                [Expression::Atom(word), index, element] if word == "Array" => {
                    Ok(Sort::array(self.sort(index)?, self.sort(element)?))
                }
                [Expression::Atom(word), element] if word == "Seq" => Ok(Sort::sequence(self.sort(element)?)),
                [Expression::Atom(bar), Expression::Atom(word), width] if bar == "_" && word == "BitVec" => {
                    Ok(Sort::Bits(number(width)?))
                }
                _ => wrong("no such sort"),
            },
            Expression::Text(_) => wrong("a text is not a sort"),
        }
    }

    fn variable(&self, expression: &Expression) -> Read<Symbol> {
        match expression.list() {
            Some([Expression::Atom(name), sort]) => Ok(Symbol::constant(name.clone(), self.sort(sort)?)),
            _ => wrong("a variable is (NAME SORT)"),
        }
    }

    fn term(&self, expression: &Expression, scope: &mut Scope) -> Read<Term> {
        match expression {
            Expression::Atom(word) => self.atom(word, scope),
            Expression::Text(_) => wrong("a text is not a term"),
            Expression::List(items) => match &items[..] {
                [Expression::Atom(word), Expression::List(bindings), body] if word == "let" => {
                    self.binding(bindings, body, scope)
                }
                [Expression::Atom(word), Expression::List(variables), body]
                    if word == "forall" || word == "exists" =>
                {
                    let variables = variables.iter().map(|v| self.variable(v)).collect::<Read<Vec<_>>>()?;
                    let outer = scope.len();
                    scope.extend(variables.iter().map(|v| (v.name.to_string(), v.term())));
                    let body = self.term(body, scope);
                    scope.truncate(outer);
                    let quantifier = if word == "forall" { Quantifier::Forall } else { Quantifier::Exists };
                    let binders = variables.into_iter().map(Binder::free).collect();
                    make(Op::Quantified(quantifier, binders), vec![body?])
                }
                [Expression::Atom(word), term, ..] if word == "!" => self.term(term, scope),
                [Expression::Atom(word), Expression::Atom(name), sort] if word == "as" => {
                    match (name.as_str(), self.sort(sort)?) {
                        ("seq.empty", Sort::Sequence(element)) => make(Op::Empty((*element).clone()), vec![]),
                        _ => self.atom(name, scope),
                    }
                }
                [Expression::Atom(bar), Expression::Atom(word), Expression::Atom(function)]
                    if bar == "_" && word == "as-array" =>
                {
                    self.as_array(function)
                }
                [Expression::Atom(bar), Expression::Atom(word), width]
                    if bar == "_" && word.starts_with("bv") && word[2..].parse::<BigUint>().is_ok() =>
                {
                    let value = word[2..].parse().unwrap_or_default();
                    make(Op::Bits(value, number(width)?), vec![])
                }
                [head, arguments @ ..] => {
                    let arguments = arguments.iter().map(|a| self.term(a, scope)).collect::<Read<Vec<_>>>();
                    if let [unit, element] = &items[..]
                        && unit.atom() == Some("seq.unit")
                    {
                        let element = self.term(element, scope)?;
                        return Ok(Term::of(Op::Empty(element.sort().clone()), []).append(&element));
                    }
                    self.apply(head, arguments?)
                }
                [] => wrong("() is not a term"),
            },
        }
    }

    fn binding(&self, bindings: &[Expression], body: &Expression, scope: &mut Scope) -> Read<Term> {
        let mut bound = Vec::new();
        for binding in bindings {
            let Some([Expression::Atom(name), value]) = binding.list() else {
                return wrong("let binds (NAME TERM)");
            };
            bound.push((name.clone(), self.term(value, scope)?));
        }
        let outer = scope.len();
        scope.extend(bound);
        let body = self.term(body, scope);
        scope.truncate(outer);
        body
    }

    fn atom(&self, word: &str, scope: &Scope) -> Read<Term> {
        if let Some((_, term)) = scope.iter().rev().find(|(name, _)| name == word) {
            return Ok(term.clone());
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return numeral(word);
        }
        if let Some(digits) = word.strip_prefix("#b") {
            let value = BigUint::parse_bytes(digits.as_bytes(), 2).unwrap_or_default();
            return make(Op::Bits(value, digits.len() as u32), vec![]);
        }
        if let Some(digits) = word.strip_prefix("#x") {
            let value = BigUint::parse_bytes(digits.as_bytes(), 16).unwrap_or_default();
            return make(Op::Bits(value, 4 * digits.len() as u32), vec![]);
        }
        self.named(word, Vec::new())
    }

    fn apply(&self, head: &Expression, arguments: Vec<Term>) -> Read<Term> {
        let Some(items) = head.list() else { return self.named(head.atom().unwrap_or_default(), arguments) };
        match items {
            [Expression::Atom(word), Expression::Atom(what), sort] if word == "as" && what == "const" => {
                make(Op::ConstArray(self.sort(sort)?), arguments)
            }
            [Expression::Atom(word), Expression::Atom(what), Expression::Atom(name)]
                if word == "_" && what == "is" =>
            {
                match self.constructor(name) {
                    Some((_, n)) => make(Op::Is(n), arguments),
                    None => wrong(format!("no constructor `{name}`")),
                }
            }
            [Expression::Atom(word), Expression::Atom(what), high, low]
                if word == "_" && what == "extract" =>
            {
                make(Op::Extract(number(high)?, number(low)?), arguments)
            }
            [Expression::Atom(word), Expression::Atom(what), more]
                if word == "_" && what == "zero_extend" =>
            {
                make(Op::ZeroExtend(number(more)?), arguments)
            }
            [Expression::Atom(word), Expression::Atom(what), more]
                if word == "_" && what == "sign_extend" =>
            {
                make(Op::SignExtend(number(more)?), arguments)
            }
            _ => wrong("no such function"),
        }
    }

    /// z3's way to print an array: the function that it is, whose body chooses between places.
    fn as_array(&self, function: &str) -> Read<Term> {
        let Some(([place], body)) = self.macros.get(function).map(|(p, b)| (&p[..], b)) else {
            return wrong(format!("no function `{function}` of one argument"));
        };
        let mut entries = Vec::new();
        let mut rest = body;
        while *rest.op() == Op::Ite {
            let [condition, then, otherwise] = rest.arguments() else { break };
            match (condition.op(), condition.arguments()) {
                (Op::Equal, [a, b]) if *a == place.term() => entries.push((b, then)),
                (Op::Equal, [a, b]) if *b == place.term() => entries.push((a, then)),
                _ => return wrong("an array that is not a table"),
            }
            rest = otherwise;
        }
        let sort = Sort::array(place.sort.clone(), rest.sort().clone());
        let base = make(Op::ConstArray(sort), vec![rest.clone()])?;
        Ok(entries.iter().rev().fold(base, |array, (at, value)| array.store(at, value)))
    }

    fn constructor(&self, name: &str) -> Option<(Sort, usize)> {
        self.sorts.values().find_map(|sort| {
            let n = sort.datatype()?.constructors.iter().position(|c| *c.name == *name)?;
            Some((sort.clone(), n))
        })
    }

    fn field(&self, name: &str, sort: &Sort) -> Option<(usize, usize)> {
        let constructors = sort.datatype()?.constructors.iter().enumerate();
        constructors
            .into_iter()
            .find_map(|(n, c)| Some((n, c.fields.iter().position(|(f, _)| **f == *name)?)))
    }

    fn named(&self, name: &str, arguments: Vec<Term>) -> Read<Term> {
        if let Some((parameters, body)) = self.macros.get(name) {
            let map: HashMap<Symbol, Term> = parameters.iter().cloned().zip(arguments).collect();
            return Ok(substitute(body, &map));
        }
        if let Some(symbol) = self.symbols.get(name) {
            return make(Op::Apply(symbol.clone()), arguments);
        }
        if let Some((sort, n)) = self.constructor(name) {
            return make(Op::Construct(sort, n), arguments);
        }
        if let [argument] = &arguments[..]
            && let Some((n, at)) = self.field(name, argument.sort())
        {
            return make(Op::Field(n, at), arguments);
        }
        builtin(name, arguments)
    }
}

fn make(op: Op, arguments: Vec<Term>) -> Read<Term> {
    Term::new(op, arguments).or_else(|error| wrong(error.to_string()))
}

fn number(expression: &Expression) -> Read<u32> {
    expression.atom().and_then(|a| a.parse().ok()).map_or_else(|| wrong("a small number is expected"), Ok)
}

fn numeral(word: &str) -> Read<Term> {
    let Some((whole, part)) = word.split_once('.') else {
        return word
            .parse::<BigInt>()
            .map_or_else(|_| wrong(format!("`{word}` is not a number")), |n| Ok(Term::int(n)));
    };
    match format!("{whole}{part}").parse::<BigInt>() {
        Ok(digits) => Ok(Term::real(Rational::new(digits, BigInt::from(10).pow(part.len() as u32)))),
        Err(_) => wrong(format!("`{word}` is not a number")),
    }
}

/// Operators of the theories, with SMT-LIB's ways to write more of them: chains, and numbers where
/// reals are meant.
fn builtin(name: &str, mut arguments: Vec<Term>) -> Read<Term> {
    if arguments.iter().any(|a| *a.sort() == Sort::Real) {
        arguments.iter_mut().for_each(integer_as_real);
    }
    if matches!(name, ">" | ">=") {
        arguments.reverse();
    }
    let name = match name {
        ">" => "<",
        ">=" => "<=",
        "/" if arguments.iter().all(|a| *a.sort() == Sort::Int) => {
            arguments.iter_mut().for_each(integer_as_real);
            name
        }
        other => other,
    };
    match (name, &arguments[..]) {
        ("-", [_]) => return make(Op::Negate, arguments),
        ("/", [a, b]) => {
            if let (Op::Real(a), Op::Real(b)) = (a.op(), b.op())
                && *b != Rational::from_integer(0.into())
            {
                return Ok(Term::real(a / b));
            }
        }
        ("-" | "/" | "xor" | "=>", [_, _, _, ..]) => return folded(name, arguments),
        ("=" | "<" | "<=", [_, _, _, ..]) => {
            let pairs = arguments.windows(2).map(|pair| builtin(name, pair.to_vec()));
            return Ok(Term::and(pairs.collect::<Read<Vec<_>>>()?));
        }
        ("xor", [a, b]) if a.sort() == b.sort() => return Ok(a.differs(b)),
        ("seq.++", [queue, others @ ..]) => return concatenated(queue, others),
        ("seq.extract", [queue, one, length])
            if *one == Term::int(1) && *length == queue.length().minus(&Term::int(1)) =>
        {
            return Ok(queue.tail());
        }
        ("and" | "or" | "+" | "*", [_]) => return Ok(arguments.remove(0)),
        _ => {}
    }
    match WORDS.iter().find(|(_, word)| *word == name) {
        Some((op, _)) => make(op.clone(), arguments),
        None => wrong(format!("no function `{name}`")),
    }
}

fn integer_as_real(term: &mut Term) {
    match term.op() {
        Op::Int(n) => *term = Term::real(Rational::from_integer(n.clone())),
        _ if *term.sort() == Sort::Int => *term = Term::of(Op::ToReal, [term.clone()]),
        _ => {}
    }
}

fn folded(name: &str, arguments: Vec<Term>) -> Read<Term> {
    if name == "=>" {
        let mut rest = arguments.into_iter().rev();
        let last = rest.next().map_or_else(|| wrong("=> of nothing"), Ok)?;
        return rest.try_fold(last, |made, a| make(Op::Implies, vec![a, made]));
    }
    let mut rest = arguments.into_iter();
    let first = rest.next().map_or_else(|| wrong("nothing to fold"), Ok)?;
    rest.try_fold(first, |made, a| builtin(name, vec![made, a]))
}

/// Only elements can be put before and behind a queue, and only those that are written out.
fn concatenated(queue: &Term, others: &[Term]) -> Read<Term> {
    fn elements(term: &Term) -> Option<Vec<Term>> {
        match term.op() {
            Op::Empty(_) => Some(Vec::new()),
            Op::Append => {
                let mut before = elements(&term.arguments()[0])?;
                before.push(term.arguments()[1].clone());
                Some(before)
            }
            _ => None,
        }
    }
    let mut made = queue.clone();
    if let ([rest], Some(before)) = (others, elements(queue))
        && elements(rest).is_none()
    {
        let mut each = before.into_iter().rev();
        return each.try_fold(rest.clone(), |made, element| make(Op::Prepend, vec![made, element]));
    }
    for other in others {
        let Some(elements) = elements(other) else { return wrong("seq.++ of two unknown queues") };
        for element in elements {
            made = make(Op::Append, vec![made, element])?;
        }
    }
    Ok(made)
}
