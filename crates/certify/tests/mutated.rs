//! Evidence of proofs, damaged in every way: whatever the certifier confirms is true.
//!
//! Systems of nine states, described twice: as tables, on which truth is decided by looking at all
//! runs, and as fair transition systems, which the certifier sees. Good evidence is computed from
//! the tables; then states are dropped and added, stages exchanged, ranks changed, other
//! transitions called helpful, symbols captured, or it is given for another property.

use certify::proof::Certifier;
use logic::fol::{Sort, Symbol, Term, Value, holds};
use logic::ltl::{Binary, Formula, Unary};
use logic::random::Random;
use std::collections::BTreeMap;
use std::sync::Arc;
use system::fts::{
    Branch, Evidence, Fairness, Fts, Helped, Helpful, Mode, Parameter, Property, Transition, Variable,
};

/// Each of two variables has this number of values.
const VALUES: usize = 3;
const STATES: usize = VALUES * VALUES;

/// A set of states, a bit for each.
type States = u32;
const ALL: States = (1 << STATES) - 1;

fn int(name: &str) -> Symbol {
    Symbol::constant(name, Sort::Int)
}

fn is(name: &str, value: usize) -> Term {
    Term::eq(int(name).term(), Term::int(value as i64))
}

fn state(x: usize, y: usize) -> usize {
    x * VALUES + y
}

fn members(states: States) -> impl Iterator<Item = usize> {
    (0..STATES).filter(move |s| states >> s & 1 == 1)
}

/// The formula of a set of states.
fn formula(states: States) -> Term {
    Term::any(members(states).map(|s| Term::all([is("x", s / VALUES), is("y", s % VALUES)])))
}

/// What a transition does to one variable.
#[derive(Clone, Copy)]
enum Effect {
    Set(usize),
    /// The other variable's value.
    Copy,
    /// A value out of a set of values.
    Choose(u32),
    /// The value of the transition's parameter.
    Parameter,
}

struct Way {
    guard: States,
    /// Whether x is written, or y.
    on_x: bool,
    effect: Effect,
    is_just: bool,
}

impl Way {
    fn random(random: &mut Random) -> Way {
        let effect = match random.below(6) {
            0 | 1 => Effect::Copy,
            2 => Effect::Choose(1 + random.below((1 << VALUES) - 1) as u32),
            3 => Effect::Parameter,
            _ => Effect::Set(random.below(VALUES)),
        };
        let guard = random.number() as States & ALL;
        Way { guard, on_x: random.below(2) == 0, effect, is_just: random.below(4) > 0 }
    }

    fn next(&self, from: usize) -> States {
        if self.guard >> from & 1 == 0 {
            return 0;
        }
        let (x, y) = (from / VALUES, from % VALUES);
        let values = match self.effect {
            Effect::Set(value) => 1 << value,
            Effect::Copy => 1 << if self.on_x { y } else { x },
            Effect::Choose(values) => values,
            Effect::Parameter => (1 << VALUES) - 1,
        };
        let to = |v: usize| if self.on_x { state(v, y) } else { state(x, v) };
        (0..VALUES).filter(|v| values >> v & 1 == 1).fold(0, |all, v| all | 1 << to(v))
    }

    fn transition(&self, number: usize) -> Transition {
        let (own, other) = if self.on_x { ("x", "y") } else { ("y", "x") };
        let (mut chosen, mut choice, mut parameters) = (Vec::new(), Term::truth(true), Vec::new());
        let value = match self.effect {
            Effect::Set(value) => Term::int(value as i64),
            Effect::Copy => int(other).term(),
            Effect::Choose(values) => {
                chosen.push(int("c"));
                choice = Term::any((0..VALUES).filter(|v| values >> v & 1 == 1).map(|v| is("c", v)));
                int("c").term()
            }
            Effect::Parameter => {
                let (low, high) = (Term::int(0), Term::int(VALUES as i64 - 1));
                parameters.push(Parameter { symbol: int("k"), low, high });
                int("k").term()
            }
        };
        let updates = vec![(int(own), value)];
        Transition {
            name: format!("t{number}"),
            parameters,
            branches: vec![Branch { guard: formula(self.guard), chosen, choice, updates }],
            fairness: if self.is_just { Fairness::Weak } else { Fairness::None },
            text: String::new(),
            span: source::Span::default(),
        }
    }
}

struct Toy {
    initial: States,
    ways: Vec<Way>,
}

impl Toy {
    fn random(random: &mut Random) -> Toy {
        let ways = (0..1 + random.below(3)).map(|_| Way::random(random)).collect();
        Toy { initial: 1 << random.below(STATES), ways }
    }

    fn fts(&self) -> Fts {
        let variable = |name: &str| Variable {
            symbol: int(name),
            mode: Mode::Local,
            range: None,
            span: source::Span::default(),
        };
        Fts {
            variables: vec![variable("x"), variable("y")],
            initial: formula(self.initial),
            transitions: self.ways.iter().enumerate().map(|(n, way)| way.transition(n)).collect(),
            ..Fts::default()
        }
    }

    fn next(&self, from: usize) -> States {
        self.ways.iter().fold(0, |all, way| all | way.next(from))
    }

    /// What is reachable from some states without leaving others.
    fn reachable(&self, from: States, within: States) -> States {
        let mut all = from & within;
        loop {
            let more = members(all).fold(all, |all, s| all | self.next(s) & within);
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// A run may stay in these states, and be just to all: some part of them is left by no step
    /// that it must take. Idling is always possible.
    fn may_stay(&self, states: States) -> bool {
        members(states).any(|s| {
            let onward = self.reachable(1 << s, states);
            let component = members(onward).filter(|t| self.reachable(1 << t, states) >> s & 1 == 1);
            let component = component.fold(0, |all, t| all | 1 << t);
            self.ways.iter().enumerate().filter(|(_, way)| way.is_just).all(|(_, way)| {
                way.instances().iter().all(|one| {
                    let idle = members(component).any(|t| one(t) == 0);
                    idle || members(component).any(|t| one(t) & component != 0)
                })
            })
        })
    }
}

impl Way {
    /// The transition with each value of its parameter.
    fn instances(&self) -> Vec<Box<dyn Fn(usize) -> States + '_>> {
        let Effect::Parameter = self.effect else { return vec![Box::new(|s| self.next(s))] };
        let of = |v: usize| -> Box<dyn Fn(usize) -> States + '_> {
            let way = Way { effect: Effect::Set(v), ..*self };
            Box::new(move |s| way.next(s))
        };
        (0..VALUES).map(of).collect()
    }
}

/// A property over sets of states.
#[derive(Clone, Copy, Debug)]
enum Asked {
    Always(States),
    /// `p ==> q W r`.
    Waiting(States, States, States),
    /// `p ==> <> q`.
    Leads(States, States),
}

impl Asked {
    fn is_true(self, toy: &Toy) -> bool {
        let reached = toy.reachable(toy.initial, ALL);
        match self {
            Asked::Always(p) => reached & !p == 0,
            Asked::Waiting(p, q, r) => {
                let open = toy.reachable(reached & p & q & !r, q & !r);
                let next = members(open).fold(reached & p, |all, s| all | toy.next(s));
                next & !q & !r == 0
            }
            Asked::Leads(p, q) => !toy.may_stay(toy.reachable(reached & p & !q, !q & ALL)),
        }
    }

    fn property(self) -> Property {
        let atom = |states: States| Formula::Atom(formula(states));
        let always = |f| Formula::unary(Unary::Always, f);
        let implies = |p, f| always(Formula::binary(Binary::Implies, atom(p), f));
        let formula = match self {
            Asked::Always(p) => always(atom(p)),
            Asked::Waiting(p, q, r) => implies(p, Formula::binary(Binary::WeakUntil, atom(q), atom(r))),
            Asked::Leads(p, q) => implies(p, Formula::unary(Unary::Eventually, atom(q))),
        };
        Property {
            name: "p".to_string(),
            rigid: Vec::new(),
            given: Term::truth(true),
            formula,
            text: String::new(),
            span: source::Span::default(),
        }
    }
}

/// Sets of states that stand for evidence.
#[derive(Clone, Debug)]
enum Sets {
    Inductive(Vec<States>),
    Waiting(Vec<States>),
    /// With the number of the helpful transition, and perhaps a rank.
    Stages(Vec<(States, usize, i64)>, bool),
}

impl Sets {
    /// Good evidence for a property, if it is true.
    fn good(toy: &Toy, asked: Asked, random: &mut Random) -> Sets {
        let reached = toy.reachable(toy.initial, ALL);
        match asked {
            Asked::Always(_) => Sets::Inductive(vec![reached]),
            Asked::Waiting(p, q, r) => {
                let open = toy.reachable(p & reached & q & !r, q & !r);
                Sets::Waiting(vec![open, r])
            }
            Asked::Leads(_, q) => Sets::Stages(stages(toy, reached, q), random.below(2) == 0),
        }
    }

    fn damaged(&self, random: &mut Random) -> Sets {
        let mut sets = self.clone();
        let at = |count: usize, random: &mut Random| random.below(count.max(1));
        let flip = 1 << random.below(STATES);
        match &mut sets {
            Sets::Inductive(parts) | Sets::Waiting(parts) => {
                let k = at(parts.len(), random);
                match random.below(4) {
                    0 => parts.reverse(),
                    1 => parts[k] |= flip,
                    _ => parts[k] &= !flip,
                }
            }
            Sets::Stages(stages, ranked) => {
                let k = at(stages.len(), random);
                match random.below(7) {
                    0 => stages.reverse(),
                    1 => drop(stages.pop()),
                    2 => *ranked = !*ranked,
                    _ if stages.is_empty() => stages.push((flip, 0, 0)),
                    3 => stages[k].1 = random.below(3),
                    4 => stages[k].2 = random.below(4) as i64 - 1,
                    5 => stages[k].0 |= flip,
                    _ => stages[k].0 &= !flip,
                }
            }
        }
        sets
    }

    fn evidence(&self, captured: bool) -> Evidence {
        let phi = |states: &States| {
            // A symbol that a step binds for itself.
            if captured { Term::any([formula(*states), is("c", 0), is("k", 1)]) } else { formula(*states) }
        };
        match self {
            Sets::Inductive(parts) => Evidence::Inductive(parts.iter().map(phi).collect()),
            Sets::Waiting(parts) => Evidence::Waiting(parts.iter().map(phi).collect()),
            Sets::Stages(stages, ranked) => {
                let stage = |(states, helpful, rank): &(States, usize, i64)| Helped {
                    phi: phi(states),
                    helpful: Helpful { name: format!("t{helpful}"), parameters: Vec::new() },
                    rank: if *ranked { vec![Term::int(*rank)] } else { Vec::new() },
                    again: None,
                };
                let stages = stages.iter().map(stage).collect();
                if *ranked { Evidence::Ranked(stages) } else { Evidence::Progress(stages) }
            }
        }
    }
}

/// From a goal backwards: states from which a just transition leads on and no step leads elsewhere.
fn stages(toy: &Toy, reached: States, goal: States) -> Vec<(States, usize, i64)> {
    let (mut done, mut stages) = (goal, Vec::new());
    loop {
        let before = done;
        for (helpful, way) in toy.ways.iter().enumerate().filter(|(_, way)| way.is_just) {
            let leads = |s: &usize| way.next(*s) != 0 && way.next(*s) & !done == 0;
            let mut stage = members(reached & !done).filter(leads).fold(0, |all, s| all | 1 << s);
            loop {
                let stays = |s: &usize| toy.next(*s) & !(done | stage) == 0;
                let left = members(stage).filter(stays).fold(0, |all, s| all | 1 << s);
                if left == stage {
                    break;
                }
                stage = left;
            }
            if stage != 0 {
                stages.push((stage, helpful, stages.len() as i64));
                done |= stage;
            }
        }
        if done == before {
            return stages;
        }
    }
}

/// Valid where all symbols have values that occur: no other state is ever reached.
fn valid(known: &[Term], given: &[Term], goal: &Term) -> bool {
    let whole = Term::implication(Term::all(known.iter().chain(given).cloned()), goal.clone());
    let mut all: Vec<BTreeMap<Arc<str>, Value>> = vec![BTreeMap::new()];
    for name in whole.symbols().into_keys() {
        let values = if name.starts_with("rank") { -1..12 } else { 0..VALUES as i64 };
        let with = |m: &BTreeMap<Arc<str>, Value>| {
            let one = |n| m.clone().into_iter().chain([(name.clone(), Value::int(n))]).collect();
            values.clone().map(one).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all.iter().all(|values| holds(&whole, values) == Some(true))
}

fn random_property(toy: &Toy, random: &mut Random) -> Asked {
    let mut states = || (random.number() & random.number()) as States & ALL;
    let reached = toy.reachable(toy.initial, ALL);
    let (p, q, r) = (states(), states() | states(), states());
    match random.below(3) {
        0 => Asked::Always(reached | p),
        1 => Asked::Waiting(p, q, r),
        _ => Asked::Leads(p, q),
    }
}

#[test]
fn what_is_confirmed_is_true() {
    let mut random = Random::new(7);
    let (mut tried, mut confirmed, mut good, mut refused) = (0, [0; 3], 0, 0);
    while tried < 12_000 {
        let toy = Toy::random(&mut random);
        let fts = toy.fts();
        let asked = random_property(&toy, &mut random);
        let evidence = Sets::good(&toy, asked, &mut random);
        let other = match (asked, random.below(3)) {
            (Asked::Always(p), 0) => Asked::Always(p & !(1 << random.below(STATES))),
            (Asked::Waiting(p, q, r), 0) => Asked::Waiting(p | 1 << random.below(STATES), q, r),
            (Asked::Leads(p, q), 0) => Asked::Leads(p | 1 << random.below(STATES), q),
            _ => asked,
        };
        let kind = match asked {
            Asked::Always(_) => 0,
            Asked::Waiting(..) => 1,
            Asked::Leads(..) => 2,
        };
        for round in 0..8 {
            let mut sets = evidence.clone();
            (0..round).for_each(|_| sets = sets.damaged(&mut random));
            let captured = round == 7 && !matches!(&sets, Sets::Stages(stages, _) if stages.is_empty());
            let subject = if round % 2 == 1 { other } else { asked };
            let answer =
                Certifier::new(&fts, &valid).property(&subject.property(), &sets.evidence(captured), &[]);
            tried += 1;
            if answer.is_ok() {
                assert!(subject.is_true(&toy), "{subject:?} is false, and confirmed by {sets:?}");
                assert!(!captured, "{subject:?}: symbols of a step are in {sets:?}");
                confirmed[kind] += 1;
                good += usize::from(round == 0);
            } else {
                refused += 1;
            }
        }
    }
    let enough = confirmed.iter().all(|n| *n > 150) && good > 300 && refused > 3_000;
    assert!(enough, "confirmed {confirmed:?}, of them whole {good}; refused {refused}");
}
