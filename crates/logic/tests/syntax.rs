//! The three syntaxes: what is read, what is refused, and that what is printed is read again.

#[path = "support/random.rs"]
mod random;

use logic::ltl::semantics::satisfies;
use logic::ltl::syntax::{Atoms, Host, Quantifier, Reading, print, read, read_tree};
use logic::ltl::{Binary, Formula, Syntax, Unary};
use random::{Random, Shape};
use source::{Diagnostic, FileId, Span};

fn place() -> Span {
    Span::new(FileId(0), 0, 0)
}

/// Reads atoms as text.
fn parse(text: &str, reading: Reading) -> Result<Formula<String>, String> {
    match read(text, place(), reading, |text, _| Ok(text.to_owned())) {
        Ok((formula, _)) => Ok(formula),
        Err(problems) => Err(problems[0].code.to_owned()),
    }
}

/// With all brackets, in words.
fn show(formula: &Formula<String>) -> String {
    match formula {
        Formula::Constant(c) => c.to_string(),
        Formula::Atom(a) => format!("'{a}'"),
        Formula::Unary(op, a) => format!("{op:?}({})", show(a)),
        Formula::Binary(op, a, b) => format!("({} {op:?} {})", show(a), show(b)),
    }
}

fn reads(syntax: Syntax, text: &str) -> String {
    parse(text, Reading::Only(syntax)).map_or_else(|code| code, |formula| show(&formula))
}

#[test]
fn spin() {
    let reads = |text| reads(Syntax::Spin, text);
    assert_eq!(reads("[] (p -> <> q)"), "Always(('p' Implies Eventually('q')))");
    assert_eq!(reads("always p implies eventually q"), "(Always('p') Implies Eventually('q'))");
    assert_eq!(reads("[]<>!p && X next q"), "(Always(Eventually(Not('p'))) And Next(Next('q')))");
    assert_eq!(reads("p U q W r V s"), "((('p' Until 'q') WeakUntil 'r') Release 's')");
    assert_eq!(
        reads("p until q stronguntil r weakuntil s release t"),
        "(((('p' Until 'q') Until 'r') WeakUntil 's') Release 't')"
    );
    assert_eq!(reads("a -> b -> c <-> d"), "((('a' Implies 'b') Implies 'c') Iff 'd')");
    assert_eq!(reads("a equivalent b"), "('a' Iff 'b')");
    assert_eq!(reads("a || b && c U d"), "('a' Or ('b' And ('c' Until 'd')))");
    assert_eq!(reads("true U !false"), "(true Until Not(false))");
    assert_eq!(reads("1 -> 0"), "(true Implies false)");
}

#[test]
fn step() {
    let reads = |text| reads(Syntax::Step, text);
    assert_eq!(
        reads("l2 ==> ~m3 Awaits m3 Awaits ~m3 Awaits l3"),
        "('l2' Entails (Not('m3') WeakUntil ('m3' WeakUntil (Not('m3') WeakUntil 'l3'))))"
    );
    assert_eq!(reads("[] ~(l3 /\\ m3)"), "Always(Not(('l3' And 'm3')))");
    assert_eq!(reads("l1 ==> <>l3"), "('l1' Entails Eventually('l3'))");
    assert_eq!(reads("p <==> () q"), "Always(('p' Iff Next('q')))");
    assert_eq!(reads("p --> q --> r"), "('p' Implies ('q' Implies 'r'))");
    assert_eq!(reads("p <--> q \\/ r"), "('p' Iff ('q' Or 'r'))");
    assert_eq!(reads("p \\/ q Awaits r /\\ s"), "(('p' Or 'q') WeakUntil ('r' And 's'))");
    assert_eq!(reads("p --> q Until r"), "('p' Implies ('q' Until 'r'))");
    assert_eq!(
        reads("<-> p /\\ [-] q /\\ (-) (~) r"),
        "((Once('p') And Historically('q')) And Previous(WeakPrevious('r')))"
    );
    assert_eq!(
        reads("p Since q Backto r Until s Unless t"),
        "('p' Since ('q' BackTo ('r' Until ('s' WeakUntil 't'))))"
    );
    assert_eq!(reads("~x = 1"), "Not('x = 1')");
    assert_eq!(reads("y1' = y2 + 1 /\\ x mod 2 = 0"), "('y1' = y2 + 1' And 'x mod 2 = 0')");
}

#[test]
fn common() {
    let reads = |text| reads(Syntax::Common, text);
    assert_eq!(reads("G (p -> F q)"), "Always(('p' Implies Eventually('q')))");
    assert_eq!(reads("GF p"), "E0403");
    assert_eq!(
        reads("p U q R r W s M t"),
        "('p' Until ('q' Release ('r' WeakUntil ('s' StrongRelease 't'))))"
    );
    assert_eq!(reads("p S q B r T s"), "('p' Since ('q' BackTo ('r' Trigger 's')))");
    assert_eq!(reads("X Y Z O H !p"), "Next(Previous(WeakPrevious(Once(Historically(Not('p'))))))");
    assert_eq!(reads("a & b | c && d || e"), "((('a' And 'b') Or ('c' And 'd')) Or 'e')");
    assert_eq!(reads("p ==> q -> r <-> s"), "('p' Entails (('q' Implies 'r') Iff 's'))");
}

#[test]
fn atoms_are_expressions_of_the_host() {
    for atom in [
        "x == 1",
        "(a + b) == c",
        "x[i] > 0",
        "P[0]@cs",
        "len(q) < 2",
        "q?[msg]",
        "q??[msg, 1]",
        "P:x != 3",
        "a.b[2].c",
        "(a && b) == c",
        "!x == 1",
        "-x < 3",
        "f()",
        "a << 2 >= b",
        "np_",
        "_last == 1",
        "x' = x",
        "(c -> a : b) > 0",
        "X > 1",
        "U_ == 2",
        "next[0] == 1",
    ] {
        assert_eq!(reads(Syntax::Spin, atom), format!("'{atom}'"));
        assert_eq!(reads(Syntax::Spin, &format!("[] {atom}")), format!("Always('{atom}')"));
        let text = format!("({atom}) U {atom} && ({atom})");
        assert_eq!(reads(Syntax::Spin, &text), format!("(('{atom}' Until '{atom}') And '{atom}')"));
    }
    assert_eq!(reads(Syntax::Spin, "[] (x & 1 == 0)"), "Always('x & 1 == 0')");
    assert_eq!(reads(Syntax::Common, "G (x & y == 0)"), "Always(('x' And 'y == 0'))");
    assert_eq!(reads(Syntax::Common, "G \"x & y\" & \"true\""), "(Always('x & y') And 'true')");
    assert_eq!(reads(Syntax::Spin, "!(a) && b"), "(Not('a') And 'b')");
    assert_eq!(reads(Syntax::Spin, "!len(q) && !P[0]@cs"), "(Not('len(q)') And Not('P[0]@cs'))");
    assert_eq!(reads(Syntax::Spin, "X U X"), "('X' Until 'X')");
    assert_eq!(reads(Syntax::Common, "G[1] > 0 & F p"), "('G[1] > 0' And Eventually('p'))");
    assert_eq!(reads(Syntax::Common, "G (B@L -> O (M == 0))"), "Always(('B@L' Implies Once('M == 0')))");
    assert_eq!(reads(Syntax::Spin, "p U (U@L)"), "('p' Until 'U@L')");
}

#[test]
fn what_is_no_formula_is_refused() {
    for (text, code) in [
        ("", "E0403"),
        ("p U", "E0403"),
        ("U p", "E0403"),
        ("p q", "E0403"),
        ("(p", "E0402"),
        ("p)", "E0402"),
        ("(p]", "E0402"),
        ("\"p", "E0401"),
        ("p ,q", "E0403"),
        ("p <> q", "E0403"),
        ("p ! q", "E0403"),
        ("x == X p", "E0406"),
        ("!X <> p == 1", "Not(Next(Eventually('p == 1')))"),
        ("()", "E0405"),
        ("x == [] p", "E0406"),
        ("G p", "E0405"),
        ("G (p)", "E0405"),
        ("p S q", "E0405"),
        ("p /\\ q", "E0405"),
        ("p => q", "E0405"),
        ("p && && q", "E0403"),
        ("[] ", "E0403"),
    ] {
        assert_eq!(reads(Syntax::Spin, text), code, "{text}");
    }
    assert_eq!(reads(Syntax::Step, "Forall i [] p"), "E0407");
    assert_eq!(reads(Syntax::Common, "always (p)"), "E0405");
}

#[test]
fn large_texts_are_refused_and_do_not_hurt() {
    let deep = |open: &str, close: &str| format!("{}p{}", open.repeat(100_000), close.repeat(100_000));
    for (syntax, text) in [
        (Syntax::Spin, deep("(", ")")),
        (Syntax::Spin, deep("!", "")),
        (Syntax::Spin, deep("[]", "")),
        (Syntax::Spin, deep("", " U p")),
        (Syntax::Spin, deep("", " && p")),
        (Syntax::Step, deep("", " Awaits p")),
        (Syntax::Step, deep("Forall i. ", "")),
        (Syntax::Common, deep("", " -> p")),
        (Syntax::Common, deep("X ", "")),
        (Syntax::Common, "p & ".repeat(1 << 20)),
    ] {
        assert_eq!(reads(syntax, &text), "E0404", "{}", &text[..20]);
    }
    let many = format!("p{}", " && p".repeat(400));
    assert!(parse(&many, Reading::Any).is_ok());
    assert!(parse(&deep("x[", "]"), Reading::Any).is_ok(), "brackets of the host are its own");
}

#[test]
fn the_syntax_is_found() {
    let any = |text: &str| parse(text, Reading::Any).map_or_else(|code| code, |formula| show(&formula));
    assert_eq!(any("G (p -> F q)"), any("[] (p -> <> q)"));
    assert_eq!(any("G (p -> F q)"), any("[] (p --> <> q)"));
    assert_eq!(any("p && <> q"), any("p /\\ <> q"));
    assert_eq!(any("p U q"), "('p' Until 'q')");
    assert_eq!(any("p U q U r"), "E0408");
    assert_eq!(any("p U (q U r)"), "('p' Until ('q' Until 'r'))");
    assert_eq!(any("a -> b -> c"), "E0408");
    assert_eq!(any("p & q"), "E0408");
    assert_eq!(any("[] p & F q"), "E0405");
    assert_eq!(any("<-> p"), "Once('p')");
    assert_eq!(any("p <-> q"), "('p' Iff 'q')");
}

#[test]
fn the_syntax_of_the_model_comes_first_with_a_warning() {
    let home = |text: &str| {
        let (formula, warnings) =
            read(text, place(), Reading::Home(Syntax::Spin), |text, _| Ok(text.to_owned())).unwrap();
        (show(&formula), warnings.iter().map(|warning| warning.code).collect::<Vec<_>>())
    };
    assert_eq!(home("p U q U r"), ("(('p' Until 'q') Until 'r')".to_owned(), vec!["W0401"]));
    assert_eq!(home("(p U q) U r"), ("(('p' Until 'q') Until 'r')".to_owned(), vec![]));
    assert_eq!(home("[] (x & 1)"), ("Always('x & 1')".to_owned(), vec![]));
    assert_eq!(home("G p"), ("Always('p')".to_owned(), vec![]));
}

#[test]
fn spans_point_into_the_file() {
    let base = Span::new(FileId(3), 100, 120);
    let mut seen = Vec::new();
    read("[] (p -> <> (a + b == c))", base, Reading::Any, |text, span| {
        seen.push((text.to_owned(), span.file.0, span.start, span.end));
        Ok::<_, Vec<Diagnostic>>(())
    })
    .unwrap();
    assert_eq!(seen, [("p".to_owned(), 3, 104, 105), ("a + b == c".to_owned(), 3, 113, 123)]);
    let problem = &read_tree("p U", base, Reading::Only(Syntax::Spin)).unwrap_err()[0];
    assert_eq!((problem.primary.span.start, problem.primary.span.end), (103, 103));
}

/// Quantifiers over the numbers below 2; notes which of them may come to the front.
#[derive(Default)]
struct Two {
    values: Vec<usize>,
    front: Vec<bool>,
}

impl Host for Two {
    type Atom = String;

    fn atom(&mut self, text: &str, _: Span) -> Result<String, Vec<Diagnostic>> {
        Ok(format!("{text}{:?}", self.values))
    }

    fn cases(&mut self, quantifier: &Quantifier) -> Result<usize, Vec<Diagnostic>> {
        self.front.push(quantifier.to_the_front);
        Ok(2)
    }

    fn enter(&mut self, _: &Quantifier, case: usize) {
        self.values.push(case);
    }

    fn leave(&mut self) {
        self.values.pop();
    }
}

#[test]
fn quantifiers() {
    let tree = |text| read_tree(text, place(), Reading::Only(Syntax::Step)).unwrap().0;
    let resolve = |text| {
        let mut host = Two::default();
        let formula = show(&tree(text).resolve(&mut host).unwrap());
        (formula, host.front)
    };
    // Over a state formula a quantifier is part of the atom, up to the end of the group.
    assert_eq!(
        resolve("[] (Forall i:[1..N]. p[i] --> q[i])").0,
        "Always('Forall i:[1..N]. p[i] --> q[i][]')"
    );
    assert_eq!(
        resolve("p /\\ Exists i:[1..N], j. <> q /\\ r"),
        (
            "('p[]' And ((Eventually('q[0]') And 'r[0]') Or (Eventually('q[1]') And 'r[1]')))".to_owned(),
            vec![false]
        )
    );
    // One test a rule: may it come to the front?
    for (text, front) in [
        ("[] Forall i. <>p", true),
        ("<> Forall i. <>p", false),
        ("q --> Forall i. <>p", true),
        ("(Forall i. <>p) --> q", false),
        ("(Exists i. <>p) --> q", true),
        ("(Exists i. <>p) ==> q", true),
        ("[] ~ Exists i. <>p", true),
        ("[] ~ <> Exists i. <>p", true),
        ("~ [] Exists i. <>p", false),
        ("(Forall i. <>p) Awaits q", true),
        ("q Awaits Forall i. <>p", false),
        ("~(q Until Exists i. <>p)", true),
        ("(Forall i. <>p) <--> q", false),
        ("Exists i. <>p", false),
    ] {
        assert_eq!(resolve(text).1, [front], "{text}");
    }
    let refused = tree("Forall i. [] p").resolve(&mut Atoms(|_: &str, _| Ok::<(), Vec<Diagnostic>>(())));
    assert_eq!(refused.unwrap_err()[0].code, "E0407");
}

/// The rule for quantifiers, by meaning: a quantifier that can come to the front commutes with
/// everything around it.
#[test]
fn quantifiers_that_come_to_the_front_commute_with_what_is_around_them() {
    let mut random = Random::new(31);
    let shape = Shape { size: 6, propositions: 3, ..Shape::default() };
    for round in 0..3000 {
        // A context with a hole, the proposition 2, used once.
        let context = random::formula(&mut random, &shape);
        let mut holes = 0;
        context.atoms(&mut |a| holes += usize::from(*a == 2));
        if holes != 1 {
            continue;
        }
        for (word, op) in [("Forall", Binary::And), ("Exists", Binary::Or)] {
            let hole = |a: &usize| if *a == 2 { format!("({word} i. <->p)") } else { format!("a{a}") };
            // Print with the quantified formula in the hole.
            let text = print(&context, Syntax::Step, |a| format!("hole{a}")).unwrap();
            let text = text.replace("hole2", &hole(&2)).replace("hole", "a");
            let mut host = Two::default();
            read_tree(&text, place(), Reading::Only(Syntax::Step)).unwrap().0.resolve(&mut host).unwrap();
            let fill = |with: &Formula<usize>| substitute(&context, with);
            let case = |at| Formula::unary(Unary::Once, Formula::Atom(at));
            let inside = fill(&Formula::binary(op, case(3), case(4)));
            let outside = Formula::binary(Binary::And, fill(&case(3)), fill(&case(4)));
            let differ = (0..60).any(|_| {
                let word = random::lasso(&mut random, 5, 3, 3);
                satisfies(&word, &inside) != satisfies(&word, &outside)
            });
            assert!(!(host.front[0] && differ), "{text} in round {round}");
        }
    }
}

fn substitute(formula: &Formula<usize>, with: &Formula<usize>) -> Formula<usize> {
    match formula {
        Formula::Atom(2) => with.clone(),
        Formula::Constant(_) | Formula::Atom(_) => formula.clone(),
        Formula::Unary(op, a) => Formula::unary(*op, substitute(a, with)),
        Formula::Binary(op, a, b) => Formula::binary(*op, substitute(a, with), substitute(b, with)),
    }
}

const ATOMS: [&str; 9] = ["p", "x == 1", "(a + b) < c[i]", "P[0]@cs", "!a == b", "x & y", "X", "U", "true"];

/// The operators a syntax writes as they are.
fn native(syntax: Syntax) -> Shape {
    let mut shape = Shape { size: 16, propositions: ATOMS.len(), ..Shape::default() };
    let lacks: &[Binary] = match syntax {
        Syntax::Common => &[],
        Syntax::Step => &[Binary::Release, Binary::StrongRelease, Binary::Trigger],
        Syntax::Spin => {
            &[Binary::Entails, Binary::StrongRelease, Binary::Since, Binary::BackTo, Binary::Trigger]
        }
    };
    shape.binary.retain(|op| !lacks.contains(op));
    if syntax == Syntax::Spin {
        shape.unary = Shape::future().unary;
    }
    shape
}

#[test]
fn what_is_printed_is_read_again() {
    for syntax in Syntax::ALL {
        let mut random = Random::new(32);
        for _ in 0..5000 {
            let formula = random::formula(&mut random, &native(syntax)).map(&mut |a| ATOMS[a].to_owned());
            let text = print(&formula, syntax, String::clone).unwrap();
            assert_eq!(parse(&text, Reading::Only(syntax)), Ok(formula), "{text}");
        }
    }
}

/// Taking away any pair of brackets changes the formula, or makes it none.
#[test]
fn no_bracket_is_needless() {
    for syntax in Syntax::ALL {
        let mut random = Random::new(33);
        let shape = Shape { propositions: 3, ..native(syntax) };
        for _ in 0..2000 {
            let formula = random::formula(&mut random, &shape).map(&mut |a| format!("p{a}"));
            let text = print(&formula, syntax, String::clone).unwrap();
            for (open, close) in pairs(&text) {
                let without = format!("{}{}{}", &text[..open], &text[open + 1..close], &text[close + 1..]);
                assert_ne!(parse(&without, Reading::Only(syntax)), Ok(formula.clone()), "{text}");
            }
        }
    }
}

/// The pairs of round brackets that are no operators.
fn pairs(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => pairs.push((open.pop().unwrap(), at)),
            _ => {}
        }
    }
    pairs.retain(|(open, close)| !matches!(&text[*open..=*close], "()" | "(-)" | "(~)"));
    pairs
}

#[test]
fn what_a_syntax_lacks_is_written_with_what_it_has() {
    for syntax in [Syntax::Spin, Syntax::Step] {
        let mut random = Random::new(34);
        let mut shape = Shape::future();
        if syntax == Syntax::Step {
            shape = Shape::default();
        }
        for _ in 0..2000 {
            let formula = random::formula(&mut random, &shape);
            let text = print(&formula, syntax, |a| format!("p{a}")).unwrap();
            let (again, _) = read(&text, place(), Reading::Only(syntax), |text, _| {
                Ok(text[1..].parse::<usize>().unwrap())
            })
            .unwrap();
            let word = random::lasso(&mut random, 3, 3, 3);
            assert_eq!(satisfies(&word, &again), satisfies(&word, &formula), "{text}");
        }
    }
    let past = Formula::unary(Unary::Once, Formula::Atom("p".to_owned()));
    assert!(print(&past, Syntax::Spin, String::clone).is_err());
}

/// Broken texts neither panic nor hang, and every diagnostic points into the text.
#[test]
fn mutations() {
    let seeds = [
        "[] (p -> <> q) && !x == 1 U (a + b) < c[i]",
        "l2 ==> ~m3 Awaits m3 Awaits Forall i:[1..N]. (-) p /\\ [-] q",
        "G (p -> F \"x & y\") | H (p S q) ==> Z true",
    ];
    let pieces = [
        "(", ")", "[", "]", "[]", "<>", "()", "(-)", "<->", "\"", "U", "X", "G", " ", "!", "~", "&", "&&",
        "/\\", "-->", "Forall", ".", ":", ",", "é", "1", "==", "=>", "?", "@", "\n", "'", "Awaits", "always",
    ];
    let mut random = Random::new(35);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..20_000 {
        let mut text: Vec<char> = seeds[random.below(3)].chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len() + 1);
            match random.below(3) {
                0 => drop(text.splice(at..at, pieces[random.below(pieces.len())].chars())),
                1 => drop(text.drain(at..(at + random.below(5)).min(text.len()))),
                _ => text.truncate(at.max(3)),
            }
        }
        let text: String = text.into_iter().collect();
        for reading in [Reading::Any, Reading::Home(Syntax::Spin), Reading::Only(Syntax::Step)] {
            match read(&text, place(), reading, |text, _| Ok(text.to_owned())) {
                Ok(_) => good += 1,
                Err(problems) => {
                    bad += 1;
                    assert!(!problems.is_empty());
                    let fits = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
                    assert!(problems.iter().all(|problem| fits(problem.primary.span)), "{text:?}");
                }
            }
        }
    }
    assert!(good > 3000 && bad > 10_000, "{good} {bad}");
}
