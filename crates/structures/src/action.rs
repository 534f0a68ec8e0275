//! What a thread, or the environment, can do in one step.

use crate::formula::{Formula, VARIABLES, Var};
use crate::vocabulary::Symbol;
use source::Span;

/// A literal to be made definite by focus.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// The predicate.
    pub symbol: Symbol,
    /// Its arguments; unused ones are 0.
    pub arguments: [Var; 2],
    /// Whether literals to the right of it are looked at where it holds, or where it does not.
    pub positive: bool,
}

/// A predicate gets a new value: `formula`, in the old state, over the variables of the action and
/// `parameters`.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// The predicate.
    pub symbol: Symbol,
    /// The variables that `formula` has for its arguments; unused ones are 0.
    pub parameters: [Var; 2],
    /// Evaluated before the step.
    pub formula: Formula,
}

impl Update {
    /// The new value for these arguments; bound variables are numbered from `next` on.
    pub fn value_for(&self, arguments: &[Var], next: Var) -> Formula {
        let to = |v: Var| match self.parameters[..arguments.len()].iter().position(|p| *p == v) {
            Some(at) => arguments[at],
            None => v,
        };
        self.formula.rename(&to, next)
    }

    /// Lets the parameters stand for a tuple.
    pub fn bind(&self, tuple: [usize; 2], who: &mut [u8; VARIABLES]) {
        for (parameter, u) in self.parameters.iter().zip(tuple).take(self.symbol.arity()) {
            who[usize::from(*parameter)] = u as u8;
        }
    }
}

/// An access to a variable of a program that is a data race if another thread accesses it at the
/// same time and one of the two writes. Accesses that cannot race are not noted.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableAccess {
    /// The name in the program, with its class.
    pub field: String,
    /// That variable 1 is the object whose field it is; nothing for a static one.
    pub owner: Option<Formula>,
    /// Whether it writes; else it reads.
    pub writes: bool,
    /// The name stands for several places in memory, which are taken for one.
    pub vague: bool,
}

/// A guarded step that changes any number of predicates at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Action {
    /// For people; with the place it starts from.
    pub name: String,
    /// The statement.
    pub span: Span,
    /// The thread type it belongs to, if any.
    pub thread: Option<usize>,
    /// The place it leads from, if any.
    pub from: Option<Symbol>,
    /// The place it leads to, if any.
    pub to: Option<Symbol>,
    /// The individual that moves is variable 0. What must hold of it: unary predicates.
    pub actor: Option<Vec<Symbol>>,
    /// For each: literals, from left to right.
    pub focus: Vec<Vec<Literal>>,
    /// Other individuals that take part; each is chosen, and made single.
    pub parameters: Vec<Var>,
    /// What must hold for it to be enabled, over the actor and the parameters.
    pub precondition: Formula,
    /// Individuals that come into being.
    pub created: Vec<Var>,
    /// What changes; all other predicates keep their values.
    pub updates: Vec<Update>,
    /// Individuals of which the formula does not hold in the old state, for the variable, cease to
    /// be.
    pub retain: Option<(Var, Formula)>,
    /// It is no progress: a step that only says that a thread waits.
    pub idle: bool,
    /// Taking it is an error: the message.
    pub error: Option<String>,
    /// It stands for a choice that depends on what was forgotten: a run that takes it may not be
    /// one of the program.
    pub guess: bool,
    /// Such a choice that is made at last: the end of a loop that counts.
    pub eventually: bool,
    /// From here on a run is not followed as the program would go on: why. A run that takes it
    /// decides nothing, unless the step itself is the error that is looked for, and while it can be
    /// taken nothing is said to hold.
    pub beyond: Option<String>,
    /// What others did just before it could as well be done just after it, to the same effect, and
    /// at its place something that is a mover can always be done.
    pub mover: bool,
    /// What it accesses, if that can race.
    pub touch: Option<VariableAccess>,
    /// It is there only where data races are looked for: it stands for an order that Java does not
    /// constraint.
    pub weak: bool,
    /// The predicates it updates; by [`Action::finish`].
    pub writes: Vec<Symbol>,
    /// For each parameter, the precondition with the later ones quantified; by [`Action::finish`].
    pub choices: Vec<Formula>,
}

impl Default for Formula {
    fn default() -> Formula {
        crate::formula::TRUE
    }
}

impl Action {
    /// Computes what follows from the rest.
    pub fn finish(mut self) -> Action {
        self.writes = self.updates.iter().map(|u| u.symbol).collect();
        let mut wanted = self.precondition.clone();
        self.choices = Vec::new();
        for v in self.parameters.iter().rev() {
            self.choices.insert(0, wanted.clone());
            wanted = crate::formula::exists(*v, wanted);
        }
        self
    }

    /// Who moves leaves its place for the next; `fresh` is a variable that is free.
    pub fn advance(&mut self, from: Symbol, to: Symbol, fresh: Var) {
        use crate::formula::{and, atom, differ, equal, or};
        if from == to {
            return;
        }
        let mut change = |symbol: Symbol, make: &dyn Fn(Formula, Var) -> Formula| match self
            .updates
            .iter_mut()
            .find(|u| u.symbol == symbol)
        {
            Some(update) => update.formula = make(update.formula.clone(), update.parameters[0]),
            None => {
                let formula = make(atom(symbol, &[fresh]), fresh);
                self.updates.push(Update { symbol, parameters: [fresh, fresh], formula });
            }
        };
        change(from, &|old, v| and([old, differ(v, 0)]));
        change(to, &|old, v| or([old, equal(v, 0)]));
    }

    /// Above every variable of its own.
    pub fn above(&self) -> Var {
        let own = self.parameters.iter().chain(&self.created).map(|v| v + 1).max().unwrap_or(0).max(1);
        let updates = self.updates.iter().flat_map(|u| [u.parameters[0] + 1, u.parameters[1] + 1]);
        updates.max().unwrap_or(0).max(own).max(self.precondition.above())
    }

    /// Whether it can be taken at all: a formula without free variables.
    pub fn enabled(&self) -> Formula {
        use crate::formula::{and, atom, exists};
        let guard = self.actor.iter().flatten().map(|symbol| atom(*symbol, &[0]));
        let body = and(guard.chain([self.precondition.clone()]));
        let all = self.parameters.iter().rev().fold(body, |f, v| exists(*v, f));
        if self.actor.is_some() { exists(0, all) } else { all }
    }
}
