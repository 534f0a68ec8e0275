//! The ways to take one branch of a transition: its guard, the values it chooses, its updates.

use super::code::{Code, Frame, between};
use super::found::Found;
use super::lower::{Scope, simplified};
use super::value::Value;
use logic::fol::{Op, Sort, Symbol, Term, domain, junction};
use space::Undefined;
use std::sync::Arc;
use system::fts::Branch;

#[derive(Clone, Debug)]
pub struct Compiled {
    /// The name of its transition.
    transition: Arc<str>,
    /// Places that must have these values: conjuncts of the guard, looked at first.
    gates: Vec<(Code, Value)>,
    /// The other conjuncts.
    guard: Code,
    /// All of the guard.
    pub whole_guard: Code,
    chosen: Vec<Chosen>,
    choice: Code,
    /// The variable, and its value; none if there is no such variable. In the order of the
    /// variables.
    pub updates: Vec<(Option<usize>, Code)>,
}

/// A value that a branch chooses.
#[derive(Clone, Debug)]
struct Chosen {
    slot: usize,
    /// All values of its sort, if they are few.
    listed: Option<Vec<Value>>,
    is_integer: bool,
    /// What the choice says of it, in order.
    hints: Vec<Hint>,
}

#[derive(Clone, Debug)]
enum Hint {
    Is(Code),
    AtLeast(Code, i64),
    AtMost(Code, i64),
}

impl Compiled {
    /// A branch, within the scope of the parameters of its transition.
    pub fn new(transition: &Arc<str>, branch: &Branch, scope: &Scope<'_>) -> Compiled {
        let mut outer = scope.clone();
        let mut inner = scope.clone();
        let conjuncts = branch.choice.conjuncts();
        let chosen = branch.chosen.iter().map(|symbol| Chosen {
            slot: inner.bind(&symbol.name),
            listed: domain(&symbol.sort, None).map(|values| values.iter().map(Value::from).collect()),
            is_integer: symbol.sort == Sort::Int,
            hints: conjuncts.iter().flat_map(|c| hints(symbol, c, &mut outer)).collect(),
        });
        let chosen = chosen.collect();
        let variable =
            |symbol: &Symbol| scope.fts.variables.iter().position(|v| v.symbol.name == symbol.name);
        let update = |(s, value): &(Symbol, Term)| (variable(s), inner.code(value));
        let mut updates: Vec<_> = branch.updates.iter().map(update).collect();
        updates.sort_by_key(|(variable, _)| *variable);
        let mut gates = Vec::new();
        let whole_guard = outer.code(&branch.guard);
        let guard = without_gates(whole_guard.clone(), &mut gates);
        let (transition, choice) = (Arc::clone(transition), inner.code(&branch.choice));
        Compiled { transition, gates, guard, whole_guard, chosen, choice, updates }
    }

    /// What is evaluated to know among which values it chooses.
    pub fn choosing(&self) -> impl Iterator<Item = &Code> {
        let hints = self.chosen.iter().flat_map(|chosen| &chosen.hints).map(|hint| match hint {
            Hint::Is(code) | Hint::AtLeast(code, _) | Hint::AtMost(code, _) => code,
        });
        hints.chain([&self.choice])
    }

    /// Appends the steps it allows, in the order of the values it chooses.
    #[inline]
    pub fn take(&self, frame: &mut Frame, found: &mut Found) -> Result<(), Undefined> {
        let is_shut = |(place, value): &(Code, Value)| place.place(frame).is_some_and(|v| !v.is(value));
        if self.gates.iter().any(is_shut) {
            return Ok(());
        }
        self.take_behind_gates(frame, found)
    }

    /// The same, if no gate is shut.
    fn take_behind_gates(&self, frame: &mut Frame, found: &mut Found) -> Result<(), Undefined> {
        let transition = &self.transition;
        let unknown = || Undefined(format!("the guard of `{transition}` is undefined"));
        let open = self.gates.iter().all(|(place, _)| place.place(frame).is_some()).then_some(true);
        if !junction([open, self.guard.holds(frame)], false).ok_or_else(unknown)? {
            return Ok(());
        }
        if self.chosen.is_empty() {
            return self.update(frame, found);
        }
        let mut values = Vec::new();
        for chosen in &self.chosen {
            let infinite = || Undefined(format!("`{transition}` chooses among infinitely many values"));
            values.push(chosen.values(frame).ok_or_else(infinite)?);
        }
        self.choose(&values, frame, found)
    }

    /// Goes through all combinations of the values that are left to choose.
    fn choose(&self, values: &[Vec<Value>], frame: &mut Frame, found: &mut Found) -> Result<(), Undefined> {
        let Some((first, rest)) = values.split_first() else { return self.update(frame, found) };
        let slot = self.chosen[self.chosen.len() - values.len()].slot;
        for value in first {
            frame.set(slot, value.clone());
            self.choose(rest, frame, found)?;
        }
        Ok(())
    }

    /// Appends the next step, if the choice allows what was chosen.
    fn update(&self, frame: &mut Frame, found: &mut Found) -> Result<(), Undefined> {
        let transition = &self.transition;
        let unknown = || Undefined(format!("the choice of `{transition}` is undefined"));
        if !self.choice.holds(frame).ok_or_else(unknown)? {
            return Ok(());
        }
        for (variable, value) in &self.updates {
            match (variable, value.value(frame)) {
                (Some(at), Some(value)) => found.change(*at, value),
                _ => {
                    let why = "is undefined, or a number in it becomes too large";
                    return Err(Undefined(format!("the effect of `{transition}` {why}")));
                }
            }
        }
        found.end();
        Ok(())
    }
}

impl Chosen {
    /// Values to choose from: those of the sort, the one that an equation gives, or those between
    /// bounds that the choice gives.
    fn values(&self, frame: &mut Frame) -> Option<Vec<Value>> {
        if let Some(values) = &self.listed {
            return Some(values.clone());
        }
        let (mut low, mut high) = (None, None);
        for hint in &self.hints {
            match hint {
                Hint::Is(code) => {
                    if let Some(value) = code.value(frame) {
                        let fits = !self.is_integer || value.is_integer();
                        return Some(if fits { vec![value] } else { Vec::new() });
                    }
                }
                Hint::AtLeast(code, more) if low.is_none() => low = bound(code, *more, frame),
                Hint::AtMost(code, more) if high.is_none() => high = bound(code, *more, frame),
                Hint::AtLeast(..) | Hint::AtMost(..) => {}
            }
        }
        let (low, high) = (low?, high?);
        if self.is_integer { between(low, high) } else { None }
    }
}

fn bound(code: &Code, more: i64, frame: &mut Frame) -> Option<Value> {
    Some(Value::integer(code.value(frame)?.to_integer()? + more))
}

/// A guard without the conjuncts that compare a place with a constant, which become gates. Where
/// one of those is false the guard is, whatever the others are.
fn without_gates(guard: Code, gates: &mut Vec<(Code, Value)>) -> Code {
    match guard {
        Code::Apply(Op::And, parts) => {
            let rest = parts.into_iter().map(|part| without_gates(part, gates));
            let mut rest: Vec<Code> = rest.filter(|part| !part.is_true()).collect();
            if rest.len() == 1 { rest.remove(0) } else { simplified(Op::And, rest.into()) }
        }
        Code::Apply(Op::Equal, parts) => match &*parts {
            [place @ (Code::Variable(_) | Code::Element(_)), Code::Constant(value)]
            | [Code::Constant(value), place @ (Code::Variable(_) | Code::Element(_))] => {
                gates.push((place.clone(), value.clone()));
                Code::Constant(Value::Bool(true))
            }
            _ => Code::Apply(Op::Equal, parts),
        },
        other => other,
    }
}

/// What a conjunct of a choice says of a chosen value.
fn hints(symbol: &Symbol, conjunct: &Term, scope: &mut Scope<'_>) -> Vec<Hint> {
    let is = |e: &Term| e.unwidened().as_symbol().is_some_and(|s| s.name == symbol.name);
    match (conjunct.op(), conjunct.arguments()) {
        (Op::Equal, [a, b]) if is(a) => vec![Hint::Is(scope.code(b))],
        (Op::Equal, [a, b]) if is(b) => vec![Hint::Is(scope.code(a))],
        (op @ (Op::Less | Op::LessEqual), [a, b]) => {
            let strict = i64::from(*op == Op::Less);
            if is(a) {
                vec![Hint::AtMost(scope.code(b), -strict)]
            } else if is(b) {
                vec![Hint::AtLeast(scope.code(a), strict)]
            } else {
                Vec::new()
            }
        }
        _ => Vec::new(),
    }
}
