//! Runs of fair transition systems: which are runs, which are fair, which break a formula.

use certify::{Asked, Because, NoViolation, Rejection, confirms, violates};
use logic::fol::{Sort, Symbol, Term, Value};
use logic::ltl::{Binary, Formula, Unary};
use space::{Ending, Path, Run, Step, Undefined};
use system::Meaning;
use system::fts::step::{State, Valuation};
use system::fts::{Branch, Fairness, Fts, Mode, Reference, Transition, Variable};

/// A door that swings, and a person who goes in when it is open.
fn door(enter: Fairness) -> Fts {
    let open = Symbol::constant("open", Sort::Bool);
    let inside = Symbol::constant("inside", Sort::Bool);
    let variable = |symbol: &Symbol| Variable {
        symbol: symbol.clone(),
        mode: Mode::Local,
        range: None,
        span: source::Span::default(),
    };
    let transition = |name: &str, fairness: Fairness, branch: Branch| Transition {
        name: name.to_string(),
        parameters: Vec::new(),
        branches: vec![branch],
        fairness,
        text: name.to_string(),
        span: source::Span::default(),
    };
    let swing = Branch::new(Term::truth(true), vec![(open.clone(), Term::negation(open.term()))]);
    let guard = Term::all([open.term(), Term::negation(inside.term())]);
    let goes_in = Branch::new(guard, vec![(inside.clone(), Term::truth(true))]);
    Fts {
        variables: vec![variable(&open), variable(&inside)],
        initial: Term::all([Term::negation(open.term()), Term::negation(inside.term())]),
        transitions: vec![transition("swing", Fairness::Weak, swing), transition("enter", enter, goes_in)],
        ..Fts::default()
    }
}

fn path(values: &[(bool, bool)], loop_start: Option<usize>) -> Path<State> {
    let state = |(a, b): &(bool, bool)| vec![Value::Bool(*a), Value::Bool(*b)];
    Path { states: values.iter().map(state).collect(), loop_start }
}

/// A system, and how fair its runs must be.
struct Held<'a>(&'a Fts, Fairness);

impl Held<'_> {
    fn confirms(&self, formula: &Formula<Term>, path: &Path<State>) -> Result<Run, NoViolation> {
        let (formula, atoms) = formula.clone().numbered();
        let (given, first) = (Valuation::new(), path.states.first());
        let reference = Reference { fts: self.0, given: &given, fairness: self.1, atoms: &atoms, first };
        confirms(&reference, Asked { meaning: &Meaning::Always(formula), ends: true }, path)
    }

    /// A run from the initial states of the system.
    fn violates(&self, formula: &Formula<Term>, run: &Run) -> Result<(), NoViolation> {
        let (formula, atoms) = formula.clone().numbered();
        let given = Valuation::new();
        let reference =
            Reference { fts: self.0, given: &given, fairness: self.1, atoms: &atoms, first: None };
        violates(&reference, Asked { meaning: &Meaning::Always(formula), ends: true }, run)
    }
}

/// The person goes in at last.
fn enters(fts: &Fts) -> Formula<Term> {
    Formula::unary(Unary::Eventually, Formula::Atom(fts.variables[1].symbol.term()))
}

fn judged(
    enter: Fairness,
    most: Fairness,
    run: &[(bool, bool)],
    loop_start: usize,
) -> Result<Run, NoViolation> {
    let fts = door(enter);
    Held(&fts, most).confirms(&enters(&fts), &path(run, Some(loop_start)))
}

fn unfair(name: &str) -> Result<Run, NoViolation> {
    Err(NoViolation::Unfair(format!("`{name}`")))
}

fn steps(numbers: &[Option<usize>]) -> Vec<Step> {
    numbers.iter().map(|n| Step { path: Vec::from_iter(*n), ..Step::IDLE }).collect()
}

#[test]
fn only_fair_runs_that_break_the_formula_count() {
    let swinging = [(false, false), (true, false)];
    let run = Run::new(steps(&[Some(0), Some(0)]), Ending::Lasso { loop_start: 0 });
    assert_eq!(judged(Fairness::Weak, Fairness::Strong, &swinging, 0), Ok(run.clone()));
    assert_eq!(judged(Fairness::Strong, Fairness::Strong, &swinging, 0), unfair("enter"));
    assert_eq!(judged(Fairness::Strong, Fairness::Weak, &swinging, 0), Ok(run));
    // Without fairness, idling without end counts.
    let idle = Run::new(steps(&[None]), Ending::Lasso { loop_start: 0 });
    assert_eq!(judged(Fairness::Weak, Fairness::None, &[(false, false)], 0), Ok(idle.clone()));
    // It is not fair to a just transition that is always enabled.
    assert_eq!(judged(Fairness::Weak, Fairness::Strong, &[(false, false)], 0), unfair("swing"));
    let (fts, rests) = (door(Fairness::Weak), Run::new(Vec::new(), Ending::Lasso { loop_start: 0 }));
    assert_eq!(Held(&fts, Fairness::None).violates(&enters(&fts), &rests), Ok(()));
    let unfair = Err(NoViolation::Unfair("`swing`".to_string()));
    assert_eq!(Held(&fts, Fairness::Strong).violates(&enters(&fts), &rests), unfair);
    assert_eq!(Held(&fts, Fairness::Strong).violates(&enters(&fts), &idle), unfair);
}

/// The run that idles is unfair: only what finitely many states break is broken by it.
#[test]
fn a_finite_run_breaks_safety_alone() {
    let fts = door(Fairness::Weak);
    let atom = |at: usize| Formula::Atom(fts.variables[at].symbol.term());
    let not = |f: Formula<Term>| Formula::unary(Unary::Not, f);
    let opens = path(&[(false, false), (true, false)], None);
    let broken = |f: &Formula<Term>| Held(&fts, Fairness::Strong).confirms(f, &opens);
    let run = Ok(Run::new(steps(&[Some(0)]), Ending::Prefix));
    let closed = Formula::unary(Unary::Always, not(atom(0)));
    let enters = enters(&fts);
    assert_eq!(broken(&closed), run);
    assert_eq!(broken(&enters), Err(NoViolation::Satisfied));
    let never = not(Formula::unary(Unary::Always, not(atom(1))));
    assert_eq!(broken(&never), Err(NoViolation::Satisfied));
    // Of a conjunction the promise is left out; what is left decides.
    assert_eq!(broken(&Formula::binary(Binary::And, enters.clone(), closed.clone())), run);
    let harmless = Formula::unary(Unary::Always, Formula::binary(Binary::Or, not(atom(1)), atom(0)));
    let both = |f: &Formula<Term>| Formula::binary(Binary::And, enters.clone(), f.clone());
    assert_eq!(broken(&both(&harmless)), Err(NoViolation::Satisfied));
    // What no word satisfies is broken from the beginning.
    assert_eq!(broken(&both(&Formula::unary(Unary::Always, not(atom(1))))), run);
    let once = Formula::unary(Unary::Always, Formula::unary(Unary::Historically, not(atom(0))));
    assert_eq!(broken(&once), run);
}

#[test]
fn runs_that_do_not_exist_are_refused() {
    let refused = |step, because| Err(NoViolation::Refused(Rejection { step, because }));
    let judged = |run: &[_], loop_start| judged(Fairness::Weak, Fairness::Strong, run, loop_start);
    assert_eq!(judged(&[(true, false)], 0), refused(0, Because::NoSuchStart));
    assert_eq!(judged(&[], 0), refused(0, Because::NoSuchStart));
    let jump = [(false, false), (true, true)];
    assert_eq!(judged(&jump, 0), refused(0, Because::NoStepTo));
    assert_eq!(judged(&[(false, false), (true, false)], 2), refused(2, Because::EmptyLoop));
    let back = [(false, false), (true, false), (true, true)];
    assert_eq!(judged(&back, 0), refused(2, Because::NoStepTo));
    let satisfied = [(false, false), (true, false), (true, true), (false, true)];
    assert_eq!(judged(&satisfied, 2), Err(NoViolation::Satisfied));
}

#[test]
fn tampered_runs_are_refused() {
    let fts = door(Fairness::Weak);
    let judged = |numbers: &[Option<usize>], ending| {
        let found = Held(&fts, Fairness::Weak).violates(&enters(&fts), &Run::new(steps(numbers), ending));
        found.map_err(|why| match why {
            NoViolation::Refused(Rejection { step, because }) => (step, Some(because)),
            _ => (usize::MAX, None),
        })
    };
    let lasso = |loop_start| Ending::Lasso { loop_start };
    assert_eq!(judged(&[Some(0), Some(0)], lasso(0)), Ok(()));
    assert_eq!(judged(&[Some(0), None, Some(0)], lasso(0)), Ok(()));
    assert_eq!(judged(&[Some(0)], lasso(0)), Err((1, Some(Because::LoopDoesNotClose))));
    assert_eq!(judged(&[Some(0), Some(0)], lasso(1)), Err((2, Some(Because::LoopDoesNotClose))));
    assert_eq!(judged(&[Some(0), Some(0)], lasso(3)), Err((2, Some(Because::EmptyLoop))));
    assert!(matches!(judged(&[Some(1)], lasso(0)), Err((0, Some(Because::NoSuchMove { .. })))));
    // From the open door, 1 leads inside.
    assert_eq!(judged(&[Some(0), Some(1)], lasso(2)), Err((usize::MAX, None)));
    assert_eq!(judged(&[Some(0), Some(0)], Ending::Prefix), Err((usize::MAX, None)));
    let elsewhere = Run { start: space::Start::Number(1), ..Run::new(Vec::new(), Ending::Prefix) };
    let refused = Held(&fts, Fairness::Weak).violates(&enters(&fts), &elsewhere);
    assert_eq!(refused, Err(NoViolation::Refused(Rejection { step: 0, because: Because::NoSuchStart })));
}

/// What has no value is never taken for broken, fair or reached.
#[test]
fn what_has_no_value_is_refused() {
    let mut fts = door(Fairness::Weak);
    let nothing = Symbol::constant("nothing", Sort::Bool);
    let unknown = Formula::unary(Unary::Always, Formula::Atom(nothing.term()));
    let swinging = path(&[(false, false), (true, false)], Some(0));
    let finite = Path::to(swinging.states.clone());
    let held = |fts: &Fts, formula, path| Held(fts, Fairness::Strong).confirms(formula, path);
    let undefined = Undefined("`nothing` is undefined".to_string());
    assert_eq!(held(&fts, &unknown, &swinging), Err(NoViolation::Undefined(undefined.clone())));
    assert_eq!(held(&fts, &unknown, &finite), Err(NoViolation::Undefined(undefined.clone())));
    let goal = enters(&fts);
    let started = Fts { initial: nothing.term(), ..fts.clone() };
    let refused = |why| Err(NoViolation::Refused(Rejection { step: 0, because: Because::Undefined(why) }));
    assert_eq!(held(&started, &goal, &swinging), refused(undefined));
    // A guard without a value: the steps are not known, and whether it is enabled is not either.
    fts.transitions[1].branches[0].guard = nothing.term();
    let guard = Undefined("the guard of `enter` is undefined".to_string());
    assert_eq!(held(&fts, &goal, &swinging), refused(guard.clone()));
    let rests = Run::new(Vec::new(), Ending::Lasso { loop_start: 0 });
    assert_eq!(Held(&fts, Fairness::Weak).violates(&goal, &rests), Err(NoViolation::Undefined(guard)));
    // A parameter whose bounds are not known: what fairness owes is not known either.
    let low = Symbol::constant("low", Sort::Int);
    let parameter = system::fts::Parameter {
        symbol: Symbol::constant("i", Sort::Int),
        low: low.term(),
        high: low.term(),
    };
    let mut fts = door(Fairness::Weak);
    fts.transitions[1].parameters.push(parameter);
    let ranges = Undefined("how far `i` ranges is not known".to_string());
    assert_eq!(Held(&fts, Fairness::Weak).violates(&goal, &rests), Err(NoViolation::Undefined(ranges)));
}
