//! Queries as SMT-LIB 2 text: sorts and symbols declared, assumptions named, the goal negated.

use crate::answer::Assumption;
use logic::fol::{Op, Quantifier, Rational, Sort, Symbol, Term, free_symbols};
use num_bigint::BigInt;
use num_traits::Signed;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

/// A script whose answer *unsat* means that the goal follows; the assumptions are named `a0`, `a1`,
/// ….
pub fn script(assumptions: &[Assumption], goal: &Term, milliseconds: Option<u128>) -> String {
    let mut text =
        String::from("(set-option :produce-unsat-cores true)\n(set-option :produce-models true)\n");
    if let Some(limit) = milliseconds {
        let _ = writeln!(text, "(set-option :timeout {limit})");
    }
    text.push_str("(set-logic ALL)\n");
    let formulas: Vec<&Term> = assumptions.iter().map(|a| &a.formula).chain([goal]).collect();
    declare(&mut text, &formulas);
    for (at, assumption) in assumptions.iter().enumerate() {
        let _ = writeln!(text, "(assert (! {} :named a{at}!))", term(&assumption.formula));
    }
    let _ = writeln!(text, "(assert (not {}))\n(check-sat)", term(goal));
    text
}

fn declare(text: &mut String, formulas: &[&Term]) {
    let symbols: BTreeSet<Symbol> = formulas.iter().flat_map(|f| free_symbols(f)).collect();
    let mut declared = HashSet::new();
    let mut seen = HashSet::new();
    formulas.iter().for_each(|f| declare_sorts_of(text, f, &mut declared, &mut seen));
    for symbol in &symbols {
        symbol.arguments.iter().chain([&symbol.sort]).for_each(|s| declare_sort(text, s, &mut declared));
        let arguments: Vec<String> = symbol.arguments.iter().map(sort).collect();
        let name = quoted(&symbol.name);
        let _ = writeln!(text, "(declare-fun {name} ({}) {})", arguments.join(" "), sort(&symbol.sort));
    }
}

fn declare_sorts_of(text: &mut String, term: &Term, declared: &mut HashSet<Sort>, seen: &mut HashSet<usize>) {
    if !seen.insert(term.address()) {
        return;
    }
    declare_sort(text, term.sort(), declared);
    term.arguments().iter().for_each(|a| declare_sorts_of(text, a, declared, seen));
}

fn declare_sort(text: &mut String, of: &Sort, declared: &mut HashSet<Sort>) {
    if !declared.insert(of.clone()) {
        return;
    }
    match of {
        Sort::Array(index, element) => {
            declare_sort(text, index, declared);
            declare_sort(text, element, declared);
        }
        Sort::Sequence(element) => declare_sort(text, element, declared),
        Sort::Opaque(name) => {
            let _ = writeln!(text, "(declare-sort {} 0)", quoted(name));
        }
        Sort::Data(data) => {
            for (_, field) in data.constructors.iter().flat_map(|c| &c.fields) {
                declare_sort(text, field, declared);
            }
            let _ = write!(text, "(declare-datatypes (({} 0)) ((", sort(of));
            for constructor in &data.constructors {
                let _ = write!(text, "({}", quoted(&constructor.name));
                for (name, field) in &constructor.fields {
                    let field = if *field == Sort::Itself { of } else { field };
                    let _ = write!(text, " ({} {})", quoted(name), sort(field));
                }
                text.push(')');
            }
            text.push_str(")))\n");
        }
        _ => {}
    }
}

/// A name as SMT-LIB takes it.
pub fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let reserved =
        ["let", "forall", "exists", "as", "_", "par", "match", "true", "false", "not", "and", "or", "ite"];
    if !name.is_empty()
        && name.chars().all(plain)
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !reserved.contains(&name)
    {
        name.to_owned()
    } else {
        format!("|{}|", name.replace(['|', '\\'], "_"))
    }
}

/// A sort as SMT-LIB writes it.
pub fn sort(sort: &Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::Real => "Real".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Array(index, element) => format!("(Array {} {})", self::sort(index), self::sort(element)),
        Sort::Sequence(element) => format!("(Seq {})", self::sort(element)),
        Sort::Data(data) => quoted(&data.name),
        Sort::Opaque(name) => quoted(name),
        Sort::Itself | Sort::Unsorted => "?".to_owned(),
    }
}

/// The term with every shared part written out.
pub fn term(term: &Term) -> String {
    let mut text = String::new();
    write_term(&mut text, term);
    text
}

fn write_term(text: &mut String, term: &Term) {
    let arguments = term.arguments();
    match term.op() {
        Op::Int(n) => integer(text, n),
        Op::Real(r) => real(text, r),
        Op::Bits(bits, width) => {
            let _ = write!(text, "#b{:0>1$}", bits.to_str_radix(2), *width as usize);
        }
        Op::Empty(element) => {
            let _ = write!(text, "(as seq.empty (Seq {}))", sort(element));
        }
        Op::Append => {
            text.push_str("(seq.++ ");
            write_term(text, &arguments[0]);
            text.push_str(" (seq.unit ");
            write_term(text, &arguments[1]);
            text.push_str("))");
        }
        Op::Prepend => {
            text.push_str("(seq.++ (seq.unit ");
            write_term(text, &arguments[1]);
            text.push_str(") ");
            write_term(text, &arguments[0]);
            text.push(')');
        }
        Op::Tail => {
            let queue = self::term(&arguments[0]);
            let _ = write!(text, "(seq.extract {queue} 1 (- (seq.len {queue}) 1))");
        }
        Op::Quantified(quantifier, binders) => {
            let word = if *quantifier == Quantifier::Forall { "forall" } else { "exists" };
            let variables = binders.iter().map(|b| &b.symbol);
            let bound = variables.map(|v| format!("({} {})", quoted(&v.name), sort(&v.sort)));
            let _ = write!(text, "({word} ({}) ", Vec::from_iter(bound).join(" "));
            write_term(text, &arguments[0]);
            text.push(')');
        }
        op => {
            let head = head(op, term);
            if arguments.is_empty() {
                text.push_str(&head);
                return;
            }
            let _ = write!(text, "({head}");
            for argument in arguments {
                text.push(' ');
                write_term(text, argument);
            }
            text.push(')');
        }
    }
}

fn integer(text: &mut String, n: &BigInt) {
    let _ = if n.is_negative() { write!(text, "(- {})", n.magnitude()) } else { write!(text, "{n}") };
}

fn real(text: &mut String, r: &Rational) {
    let magnitude = r.abs();
    let plain = if magnitude.is_integer() {
        format!("{}.0", magnitude.numer())
    } else {
        format!("(/ {}.0 {}.0)", magnitude.numer(), magnitude.denom())
    };
    let _ = if r.is_negative() { write!(text, "(- {plain})") } else { write!(text, "{plain}") };
}

fn head(op: &Op, term: &Term) -> String {
    let constructor = |sort: &Sort, n: usize| sort.datatype().map(|data| data.constructors[n].clone());
    match op {
        Op::Apply(symbol) => quoted(&symbol.name),
        Op::ConstArray(sort) => format!("(as const {})", self::sort(sort)),
        Op::Construct(sort, n) => constructor(sort, *n).map_or_else(String::new, |c| quoted(&c.name)),
        Op::Field(n, at) => {
            let made = constructor(term.arguments()[0].sort(), *n);
            made.map_or_else(String::new, |c| quoted(&c.fields[*at].0))
        }
        Op::Is(n) => {
            let made = constructor(term.arguments()[0].sort(), *n);
            made.map_or_else(String::new, |c| format!("(_ is {})", quoted(&c.name)))
        }
        Op::Extract(high, low) => format!("(_ extract {high} {low})"),
        Op::ZeroExtend(more) => format!("(_ zero_extend {more})"),
        Op::SignExtend(more) => format!("(_ sign_extend {more})"),
        op => WORDS.iter().find(|(known, _)| known == op).map_or("?", |(_, word)| word).to_owned(),
    }
}

/// Operators with the words of SMT-LIB for them; the reader uses the same table.
pub(super) const WORDS: [(Op, &str); 42] = [
    (Op::True, "true"),
    (Op::False, "false"),
    (Op::Not, "not"),
    (Op::And, "and"),
    (Op::Or, "or"),
    (Op::Implies, "=>"),
    (Op::Equal, "="),
    (Op::Distinct, "distinct"),
    (Op::Ite, "ite"),
    (Op::Add, "+"),
    (Op::Subtract, "-"),
    (Op::Negate, "-"),
    (Op::Multiply, "*"),
    (Op::Divide, "/"),
    (Op::Div, "div"),
    (Op::Mod, "mod"),
    (Op::Less, "<"),
    (Op::LessEqual, "<="),
    (Op::ToReal, "to_real"),
    (Op::ToInt, "to_int"),
    (Op::Select, "select"),
    (Op::Store, "store"),
    (Op::Length, "seq.len"),
    (Op::Nth, "seq.nth"),
    (Op::BitNot, "bvnot"),
    (Op::BitNegate, "bvneg"),
    (Op::BitAnd, "bvand"),
    (Op::BitOr, "bvor"),
    (Op::BitXor, "bvxor"),
    (Op::BitAdd, "bvadd"),
    (Op::BitSubtract, "bvsub"),
    (Op::BitMultiply, "bvmul"),
    (Op::BitDivide, "bvudiv"),
    (Op::BitRemainder, "bvurem"),
    (Op::ShiftLeft, "bvshl"),
    (Op::ShiftRight, "bvlshr"),
    (Op::ArithmeticShiftRight, "bvashr"),
    (Op::UnsignedLess, "bvult"),
    (Op::UnsignedLessEqual, "bvule"),
    (Op::SignedLess, "bvslt"),
    (Op::SignedLessEqual, "bvsle"),
    (Op::Concat, "concat"),
];
