//! What is seen in small instances: for each reachable state and each pair of processes, which
//! atoms are true. A cube of literals that is seen nowhere is a candidate: its negation may be an
//! invariant.

use super::atoms::{Words, indices, range};
use crate::small;
use logic::fol::{Interpretation, Symbol, Term, Value, evaluate, holds};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use system::fts::Fts;
use system::fts::step::{In, State, Valuation};

/// States of one instance.
const STATES: usize = 160;
/// Instances that are looked at.
const INSTANCES: usize = 4;
/// A process has at most this many others.
const PROCESSES: i64 = 4;

/// What is seen of one system: states of small instances, and where each atom is true. It is looked
/// at when first asked for, and then the same for all properties.
#[derive(Default)]
pub struct Seen {
    instances: OnceLock<Vec<Instance>>,
    columns: Mutex<HashMap<Term, Arc<Column>>>,
}

/// The rows in which an atom is false, and those in which it is true.
type Column = [Vec<u64>; 2];

struct Instance {
    fts: Fts,
    given: Valuation,
    states: Vec<State>,
    /// The first and the last process.
    processes: (i64, i64),
}

impl Instance {
    fn of(fts: &Fts, given: &Valuation) -> Option<Instance> {
        let instance = small::instance(fts, given)?;
        let (states, _) = small::reachable(&instance, given, STATES);
        let first = states.first()?;
        let here = In { fts: &instance, given, state: first, extra: Vec::new() };
        let processes = processes(range(fts).as_ref(), &here);
        Some(Instance { fts: instance, given: given.clone(), states, processes })
    }

    fn at<'a>(&'a self, state: &'a State) -> In<'a> {
        In { fts: &self.fts, given: &self.given, state, extra: Vec::new() }
    }
}

fn processes(range: Option<&(Term, Term)>, state: &impl Interpretation) -> (i64, i64) {
    let number = |e: &Term| evaluate(e, state)?.as_int()?.to_i64();
    let bounds = range.and_then(|(low, high)| Some((number(low)?, number(high)?)));
    let (low, high) = bounds.unwrap_or((0, -1));
    (low, high.min(low + PROCESSES))
}

/// The pairs of different processes; one with itself if it is alone, and one where there is none.
fn pairs((low, high): (i64, i64)) -> Vec<(i64, i64)> {
    let all = (low..=high).flat_map(|i| (low..=high).map(move |j| (i, j)));
    let found: Vec<(i64, i64)> = all.filter(|(i, j)| i != j).collect();
    if found.is_empty() { vec![(low, low)] } else { found }
}

impl Seen {
    fn instances(&self, fts: &Fts) -> &[Instance] {
        self.instances.get_or_init(|| {
            let all = small::valuations(fts);
            all.iter().take(INSTANCES).filter_map(|given| Instance::of(fts, given)).collect()
        })
    }

    /// Where an atom is true.
    fn column(&self, fts: &Fts, atom: &Term) -> Arc<Column> {
        let lock = || self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(column) = lock().get(atom) {
            return column.clone();
        }
        let column = Arc::new(column(self.instances(fts), atom));
        lock().insert(atom.clone(), column.clone());
        column
    }
}

fn column(instances: &[Instance], atom: &Term) -> Column {
    let mut truths: Vec<Option<bool>> = Vec::new();
    for instance in instances {
        let pairs = pairs(instance.processes);
        for state in &instance.states {
            truths.extend(truth(atom, &instance.at(state), instance.processes, &pairs));
        }
    }
    let mut found = [vec![0; truths.len().div_ceil(64)], vec![0; truths.len().div_ceil(64)]];
    for (n, truth) in truths.iter().enumerate() {
        if let Some(truth) = truth {
            found[usize::from(*truth)][n / 64] |= 1 << (n % 64);
        }
    }
    found
}

/// The truth of an atom for all pairs of processes in a state; none where it has no value.
fn truth(
    atom: &Term,
    state: &impl Interpretation,
    (low, high): (i64, i64),
    pairs: &[(i64, i64)],
) -> Vec<Option<bool>> {
    let [a, b] = indices();
    let symbols = atom.symbols();
    let about = (symbols.contains_key(&a.name), symbols.contains_key(&b.name));
    let value = |n: i64| Value::Int(BigInt::from(n));
    let at = |i: i64, j: i64| holds(atom, &At { state, extra: [(&a, value(i)), (&b, value(j))] });
    match about {
        (false, false) => vec![at(low, low); pairs.len()],
        (true, true) if low < high => pairs.iter().map(|(i, j)| at(*i, *j)).collect(),
        (true, false) | (false, true) if low <= high && (about.0 || low < high) => {
            let each: Vec<Option<bool>> = (low..=high).map(|i| at(i, i)).collect();
            let of = |(i, j): &(i64, i64)| each[(if about.0 { i } else { j } - low) as usize];
            pairs.iter().map(of).collect()
        }
        // There is no other process.
        _ => vec![None; pairs.len()],
    }
}

/// A literal: the number of an atom, and whether it is true.
pub(super) type Literal = (usize, bool);

/// Which literals are true in which rows.
pub(super) struct Rows {
    seen: Vec<Arc<Column>>,
    words: usize,
    /// Rows of initial states that a solver found.
    more: Vec<Vec<Option<bool>>>,
}

/// A state with two indices put into it.
struct At<'a, I> {
    state: &'a I,
    extra: [(&'a Symbol, Value); 2],
}

impl<I: Interpretation> Interpretation for At<'_, I> {
    fn symbol(&self, symbol: &Symbol) -> Option<Value> {
        let own = self.extra.iter().find(|(s, _)| *s == symbol);
        own.map(|(_, value)| value.clone()).or_else(|| self.state.symbol(symbol))
    }

    fn call(&self, function: &Symbol, arguments: &[Value]) -> Option<Value> {
        self.state.call(function, arguments)
    }

    fn few(&self) -> usize {
        self.state.few()
    }
}

/// The truth values of the atoms for every pair of indices; none where there is no value.
pub(super) fn rows_of(words: &Words, state: &impl Interpretation) -> Vec<Vec<Option<bool>>> {
    let processes = processes(words.range.as_ref(), state);
    let pairs = pairs(processes);
    let columns: Vec<Vec<Option<bool>>> =
        words.atoms.iter().map(|atom| truth(atom, state, processes, &pairs)).collect();
    (0..pairs.len()).map(|n| columns.iter().map(|column| column[n]).collect()).collect()
}

impl Rows {
    /// What is seen in small instances; none if a property is false there, or nothing is seen.
    pub(super) fn of(
        (fts, seen): (&Fts, &Seen),
        words: &Words,
        property: &Term,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Rows> {
        for instance in seen.instances(fts) {
            for state in &instance.states {
                if is_over() || holds(property, &instance.at(state)) == Some(false) {
                    return None;
                }
            }
        }
        let mut columns = Vec::new();
        for atom in &words.atoms {
            if is_over() {
                return None;
            }
            columns.push(seen.column(fts, atom));
        }
        let words = columns.first().map_or(0, |column| column[0].len());
        (words > 0).then_some(Rows { seen: columns, words, more: Vec::new() })
    }

    fn row(&self, (atom, value): Literal) -> &[u64] {
        &self.seen[atom][usize::from(value)]
    }

    fn never(&self, cube: &[Literal]) -> bool {
        (0..self.words).all(|w| cube.iter().fold(u64::MAX, |left, l| left & self.row(*l)[w]) == 0)
            && !self.in_more(cube)
    }

    fn in_more(&self, cube: &[Literal]) -> bool {
        self.more.iter().any(|row| cube.iter().all(|(atom, value)| row[*atom] == Some(*value)))
    }

    /// Notes rows of a state that is reachable.
    pub(super) fn note(&mut self, rows: Vec<Vec<Option<bool>>>) {
        self.more.extend(rows);
    }

    /// The cheapest cube of a row that is seen nowhere, of three literals at most.
    pub(super) fn unseen(
        &self,
        row: &[Option<bool>],
        cost: &dyn Fn(Literal) -> usize,
    ) -> Option<(usize, Vec<Literal>)> {
        let mut literals: Vec<Literal> =
            row.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?))).collect();
        literals.sort_by_key(|l| cost(*l));
        let price: HashMap<Literal, usize> = literals.iter().map(|l| (*l, cost(*l))).collect();
        let mut best: Option<(usize, Vec<Literal>)> = None;
        let mut offer = |cube: &[Literal]| {
            let total = cube.iter().map(|l| price[l]).sum::<usize>() + 4 * cube.len();
            if best.as_ref().is_none_or(|(least, _)| total < *least) {
                best = Some((total, cube.to_vec()));
            }
        };
        for (at, a) in literals.iter().enumerate() {
            if self.never(&[*a]) {
                offer(&[*a]);
                continue;
            }
            for b in &literals[at + 1..] {
                if self.never(&[*a, *b]) {
                    offer(&[*a, *b]);
                }
            }
        }
        if best.is_some() {
            return best;
        }
        let mut best: Option<(usize, Vec<Literal>)> = None;
        for (x, a) in literals.iter().enumerate() {
            for (y, b) in literals[x + 1..].iter().enumerate() {
                let both: Vec<u64> = self.row(*a).iter().zip(self.row(*b)).map(|(a, b)| a & b).collect();
                for c in &literals[x + y + 2..] {
                    let total = price[a] + price[b] + price[c];
                    if best.as_ref().is_some_and(|(least, _)| total >= *least) {
                        break;
                    }
                    let unseen = both.iter().zip(self.row(*c)).all(|(ab, c)| ab & c == 0);
                    if unseen && !self.in_more(&[*a, *b, *c]) {
                        best = Some((total, vec![*a, *b, *c]));
                        break;
                    }
                }
            }
        }
        best
    }
}
