//! Formulas in `ltl` blocks and formulas elsewhere: what this parser accepts, the parser of `logic`
//! reads in the same way.

#[path = "../../logic/tests/support/random.rs"]
mod random;

use logic::ltl::Formula;
use logic::ltl::syntax::{Reading, Syntax, print, read};
use logic::ltl::{Binary, Unary};
use promela::lower::properties::{Kind, Statement};
use random::{Random, Shape};
use source::{Diagnostic, SourceMap, Span};
use system::{Expr, Meaning};

/// Nothing that can fail in some state: each of these is one proposition, or a boolean formula of
/// some.
const ATOMS: [&str; 10] = [
    "p",
    "x == 1",
    "(x + y) < a[2]",
    "P[0]@here",
    "!x == y",
    "x & y",
    "(p && x) == y",
    "len(q) < 2",
    "(x | y) > x * 2",
    "-x < 3",
];

const DECLARATIONS: &str = "bool p; byte x, y, a[3]; chan q = [2] of { byte };
active proctype P() { here: p = !p; x = y; y = a[1]; q!1; goto here }
";

/// Nothing is included.
struct NoFiles;

impl promela::Files for NoFiles {
    fn read(&self, _: &str) -> Result<String, promela::Unreadable> {
        Err(promela::Unreadable("there are no files".to_owned()))
    }
}

/// The formulas of blocks with these texts, if they are all right.
fn stated(texts: &[&str]) -> Option<Vec<Statement>> {
    let block = |(number, text): (usize, &&str)| format!("ltl f{number} {{ {text} }}\n");
    let blocks: String = texts.iter().enumerate().map(block).collect();
    let mut map = SourceMap::new();
    let root = map.add("model", format!("{DECLARATIONS}{blocks}"));
    let (model, diagnostics) = promela::read(&mut map, root, &NoFiles, &[]);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let mut statements = promela::lower::lower_all(&model?, "model").1;
    statements.retain(|statement| statement.kind == Kind::Formula);
    Some(statements)
}

/// A formula over terms.
fn over_terms(statement: &Statement) -> Formula<Expr> {
    let property = statement.property.as_ref().unwrap();
    let Meaning::Always(formula) = &property.meaning else { panic!("not a formula") };
    formula.clone().map(&mut |p| property.propositions[p].clone())
}

/// The same text read by the parser of `logic`, its atoms by this one.
fn elsewhere(text: &str) -> Option<Formula<Expr>> {
    let mut atoms: Vec<String> = Vec::new();
    let skeleton = read(text, Span::default(), Reading::Only(Syntax::Spin), |atom, _| {
        atoms.push(atom.to_owned());
        Ok(atoms.len() - 1)
    });
    let skeleton = skeleton.ok()?.0;
    let texts: Vec<&str> = atoms.iter().map(String::as_str).collect();
    let terms: Vec<Formula<Expr>> = stated(&texts)?.iter().map(over_terms).collect();
    Some(substitute(&skeleton, &terms))
}

fn substitute(skeleton: &Formula<usize>, terms: &[Formula<Expr>]) -> Formula<Expr> {
    match skeleton {
        Formula::Constant(c) => Formula::Constant(*c),
        Formula::Atom(a) => terms[*a].clone(),
        Formula::Unary(op, a) => Formula::unary(*op, substitute(a, terms)),
        Formula::Binary(op, a, b) => Formula::binary(*op, substitute(a, terms), substitute(b, terms)),
    }
}

fn shape() -> Shape {
    let unary = vec![Unary::Not, Unary::Next, Unary::Eventually, Unary::Always];
    let binary = vec![
        Binary::And,
        Binary::Or,
        Binary::Implies,
        Binary::Iff,
        Binary::Until,
        Binary::WeakUntil,
        Binary::Release,
    ];
    Shape { size: 12, propositions: ATOMS.len(), unary, binary }
}

/// The text with some words for signs, and some brackets gone or one too many.
fn varied(text: &str, random: &mut Random) -> String {
    let words = [
        ("[]", "always"),
        ("<>", "eventually"),
        (" U ", " until "),
        (" W ", " weakuntil "),
        (" V ", " release "),
        ("->", "implies"),
        ("X ", "next "),
    ];
    let (sign, word) = words[random.below(words.len())];
    let mut text = if random.below(2) == 0 { text.replacen(sign, word, 1) } else { text.to_owned() };
    let brackets: Vec<usize> =
        text.char_indices().filter(|(_, c)| "()".contains(*c)).map(|(at, _)| at).collect();
    if !brackets.is_empty() && random.below(2) == 0 {
        let open = brackets[random.below(brackets.len())];
        let close = brackets[random.below(brackets.len())];
        text.replace_range(open..open + 1, " ");
        text.replace_range(close..close + 1, " ");
    }
    text
}

#[test]
fn what_a_block_accepts_is_read_alike_elsewhere() {
    let mut random = Random::new(51);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..1500 {
        let formula = random::formula(&mut random, &shape());
        let text = print(&formula, Syntax::Spin, |a| ATOMS[*a].to_owned()).unwrap();
        for (text, whole) in [(text.clone(), true), (varied(&text, &mut random), false)] {
            match stated(&[&text]) {
                Some(statements) => {
                    accepted += 1;
                    assert_eq!(elsewhere(&text), Some(over_terms(&statements[0])), "{text}");
                }
                None => {
                    refused += 1;
                    assert!(!whole, "{text}");
                }
            }
        }
    }
    assert!(accepted > 2000 && refused > 100, "{accepted} {refused}");
}
