//! Random models: what the abstract says must be true of every concrete run with few individuals.
//!
//! For each model every concrete state must be one that an abstract state stands for, with both
//! joins; no property of states may hold that a concrete run breaks; and no temporal formula may
//! hold, with population fairness, of which a concrete infinite run is a counterexample. `MODELS=n`
//! tries n models.

mod support;

use explore::recorded::{Noted, accepted};
use logic::automata::translate;
use logic::ltl::Formula as Ltl;
use shapes::abstracted::{Join, Wish, explore};
use shapes::answer::{Request, Seen, answer};
use shapes::concrete::Bounds;
use shapes::crosscheck::{Populations, crosscheck};
use shapes::prepared::prepare;
use source::SourceMap;
use structures::formula::Formula;
use structures::model::{Claim, Model};
use structures::reference::requirements;

struct Random(logic::random::Random);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    /// A formula over variables in scope.
    fn formula(&mut self, scope: &[&str], depth: usize) -> String {
        if depth == 0 || self.below(3) == 0 {
            let (a, b) = (self.one(scope), self.one(scope));
            return match self.below(8) {
                0 | 1 => format!("p({a})"),
                2 => format!("q({a})"),
                3 => format!("r({a}, {b})"),
                4 => format!("{a} == {b}"),
                5 => format!("has({a})"),
                6 => format!("at[l{}]({a})", self.below(3)),
                _ => "z".to_string(),
            };
        }
        let fresh = ["u", "v", "w"][depth % 3];
        let mut inner = scope.to_vec();
        inner.push(fresh);
        match self.below(6) {
            0 => format!("!({})", self.formula(scope, depth - 1)),
            1 => format!("({} & {})", self.formula(scope, depth - 1), self.formula(scope, depth - 1)),
            2 => format!("({} | {})", self.formula(scope, depth - 1), self.formula(scope, depth - 1)),
            3 => format!("(exists {fresh}. {})", self.formula(&inner, depth - 1)),
            4 => format!("(forall {fresh}. {})", self.formula(&inner, depth - 1)),
            _ => format!("r+({}, {})", self.one(scope), self.one(scope)),
        }
    }

    fn closed(&mut self) -> String {
        let word = self.one(&["exists", "forall"]);
        format!("({word} x. {})", self.formula(&["x"], 2))
    }

    fn action(&mut self, name: usize) -> String {
        let mut lines = Vec::new();
        let mut scope = vec!["self"];
        if self.below(2) == 0 {
            lines.push("choose n".to_string());
            scope.push("n");
        }
        if self.below(2) == 0 {
            lines.push(format!("when {}", self.formula(&scope, 2)));
        }
        if self.below(6) == 0 {
            lines.push("new k".to_string());
            scope.push("k");
        }
        let with = |more: &[&'static str]| -> Vec<&str> {
            scope.iter().copied().chain(more.iter().copied()).collect()
        };
        let (one, two) = (with(&["x"]), with(&["x", "y"]));
        if self.below(2) == 0 {
            let value = match self.below(3) {
                0 => format!("p(x) | {}", self.formula(&one, 1)),
                1 => format!("p(x) & {}", self.formula(&one, 1)),
                _ => self.formula(&one, 2),
            };
            lines.push(format!("p(x) := {value}"));
        }
        if self.below(3) == 0 {
            lines.push(format!("q(x) := (x == self ? {} : q(x))", self.formula(&one, 1)));
        }
        if self.below(2) == 0 {
            let value = match self.below(4) {
                0 => format!("r(x, y) | x == self & {}", self.formula(&two, 1)),
                1 => format!("r(x, y) & {}", self.formula(&two, 1)),
                2 => format!("(x == self ? {} : r(x, y))", self.formula(&two, 1)),
                _ => format!("(x == self ? y == {} : r(x, y))", self.one(&scope)),
            };
            lines.push(format!("r(x, y) := {value}"));
        }
        if self.below(4) == 0 {
            lines.push(format!("z := {}", self.formula(&scope, 2)));
        }
        if self.below(10) == 0 {
            lines.push("retain x: x == self | p(x)".to_string());
        }
        format!("action a{name} {{\n  {}\n}}\n", lines.join("\n  "))
    }

    fn model(&mut self) -> String {
        let attribute = self.one(&["", "", "", "function", "function acyclic", "invfunction"]);
        let nonabs = self.one(&["", "", "nonabs"]);
        let mut text = format!(
            "predicate p(x)\npredicate q(x) {nonabs}\npredicate r(x, y) {attribute}\npredicate z\n\
             derived has(x) = exists y. r(x, y)\n"
        );
        match self.below(4) {
            0 => text += "derived reached(v) = exists u. q(u) & r*(u, v)\n",
            1 => text += "derived way(x, y) = r+(x, y)\n",
            2 => text += &format!("derived some = {}\n", self.closed()),
            _ => {}
        }
        for n in 0..3 {
            text += &self.action(n);
        }
        text += "thread t {\n";
        for n in 0..2 + self.below(3) {
            text += &format!("  l{}: a{} -> l{}\n", self.below(3), n % 3, self.below(3));
        }
        let (one, two) = (self.one(&["", ", p", ", q"]), self.one(&["", ", p", ", q"]));
        text += &format!(
            "  end l0, l1, l2\n}}\ninitial {{\n  node s*: at[l0]{one}\n  node t: at[l{}]{two}\n}}\n",
            self.below(3)
        );
        text += &format!("invariant good = {}\n", self.closed());
        let (a, b) = (self.closed(), self.closed());
        let shape = self.one(&["G A", "F A", "G F A", "F G A", "G (A -> F B)", "A U B"]);
        text += &format!(
            "ltl live {{ {} }}\n",
            shape.replace('A', &format!("\"{a}\"")).replace('B', &format!("\"{b}\""))
        );
        if self.below(3) == 0 {
            text += &format!("fair {} a{}\n", self.one(&["weak", "strong"]), self.below(2));
        }
        text
    }
}

const BOUNDS: Bounds = Bounds { states: 250, individuals: 5 };
const STATES: u64 = 400;

/// What was looked at: whether the model was refused or too large, and how often something held.
#[derive(Default, Debug)]
struct Tally {
    refused: usize,
    large: usize,
    covered: usize,
    held: usize,
    violated: usize,
}

fn read(text: &str) -> Option<Model> {
    let mut map = SourceMap::new();
    let file = map.add("random.tvm", text);
    tvm::read(&map, file).0
}

fn look(text: &str, seen: &mut Tally) {
    // A thread that takes an action which no thread takes, and the like.
    let Some(model) = read(text) else { return };
    let request = Request {
        limits: explore::Limits { states: Some(STATES), ..explore::Limits::default() },
        individuals: 3,
        bounds: BOUNDS,
        workers: 1,
        ..Request::default()
    };
    let answer = answer(&model, &request, &mut explore::NoListener);
    if !answer.tried.broken.is_empty() || answer.tried.nothing || !answer.relied_on.is_empty() {
        seen.refused += 1;
        return;
    }
    let prepared = prepare(&model, &[]);
    for join in [Join::Relational, Join::Partial] {
        let wish = Wish {
            join,
            limits: explore::Limits { states: Some(STATES), ..explore::Limits::default() },
            ..Wish::default()
        };
        let space = explore(&prepared, &wish, &mut explore::NoListener);
        if !space.is_complete() {
            seen.large += 1;
            continue;
        }
        seen.covered += 1;
        let checked = crosscheck(&model, &prepared, &space, 3, BOUNDS);
        assert!(checked.is_ok(), "{join:?} {checked:?}\n{text}");
    }
    for property in &answer.properties {
        seen.violated += usize::from(matches!(property.seen, Seen::Run(_)));
        if !matches!(property.seen, Seen::Nothing) {
            continue;
        }
        seen.held += 1;
        let claim = model.properties.iter().find(|p| p.name == property.name).map(|p| &p.claim);
        let letters: &[Formula] = match claim {
            Some(Claim::Ltl { letters, .. }) => letters,
            _ => &[],
        };
        let populations = Populations { letters, ..Populations::new(&model, &prepared, 3, BOUNDS) };
        populations.each(&mut |_, _| false, &mut |runs| {
            match claim {
                Some(Claim::Invariant(f)) => {
                    let bad = runs.states().find(|s| !runs.concrete().holds(s, f));
                    assert!(bad.is_none(), "{} is broken by {bad:?}\n{text}", property.name);
                }
                Some(Claim::Ltl { formula, .. }) => {
                    let bad = translate(&Ltl::negation(formula.clone())).unwrap();
                    let (letters, noted) = (runs.letters(), Noted::default());
                    let finished = runs.finished(&letters, &noted);
                    let owed = finished.requirements(&requirements(&model));
                    let found = accepted(finished, &bad, &owed, &mut explore::NoListener);
                    assert!(
                        found.lasso.is_none(),
                        "{} is broken by {:?}\n{text}",
                        property.name,
                        found.lasso
                    );
                }
                _ => {}
            }
            false
        });
    }
}

#[test]
fn nothing_holds_that_a_concrete_run_breaks() {
    let models = std::env::var("MODELS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let first = std::env::var("FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut seen = Tally::default();
    for seed in first..first + models {
        let mut random = Random(logic::random::Random::new(seed));
        look(&random.model(), &mut seen);
    }
    assert!(seen.covered > 20 && seen.held > 10 && seen.violated > 10, "{seen:?}");
}
