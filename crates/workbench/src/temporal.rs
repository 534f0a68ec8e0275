//! Properties of whole runs: each is checked on the product of the system with an automaton of what it forbids.
//!
//! A formula that can tell how often a state repeats is checked on the system as it is written, one statement a step; any other
//! also on the simplified one. A loop found there may leave variables out that go on changing: it is gone round
//! until they repeat as well. What holds is looked at once more: does it hold only because nothing happens?

use crate::failure::Failure;
use crate::request::CheckRequest;
use crate::result::Verdict;
use crate::vacuity;
use crate::verdict;
use crate::watch::Watcher;
use compile::Program;
use compile::simplify::Simplified;
use explore::emptiness::{self, emptiness};
use explore::product::Product;
use explore::{Limits, Stop};
use logic::automata::{Automaton, translate};
use logic::ltl::{Formula, Unary};
use source::SourceMap;
use system::replay::is_same;
use system::{Ending, Fault, Meaning, Operation, Property, Reference, Run, State, Step, System};

/// What is known of a property.
#[derive(Clone, Debug)]
pub struct Judged {
    pub verdict: Verdict,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// Why it holds without meaning anything.
    pub vacuous: Option<String>,
    /// The run that breaks it, certified.
    pub run: Option<Run>,
    /// Of the product.
    pub states: u64,
    pub transitions: u64,
    pub interrupted: bool,
}

/// A way to ask for runs of a system.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub map: &'a SourceMap,
    pub system: &'a System,
    pub property: &'a Property,
    pub request: &'a CheckRequest,
}

/// What a search for a run found.
#[derive(Default)]
pub struct Answer {
    pub run: Option<Run>,
    pub stopped: Option<Stop>,
    pub fault: Option<Fault>,
    pub states: u64,
    pub transitions: u64,
}

/// Checks one property.
pub fn check(question: &Question<'_>, watcher: &mut Watcher<'_>) -> Result<Judged, Failure> {
    let forbidden = match forbidden(&question.property.meaning) {
        Ok(automaton) => automaton,
        Err(why) => return Ok(Judged::refused(why)),
    };
    let answer = question.search(&forbidden, watcher)?;
    if let Some(run) = &answer.run {
        certify::violates(question.system, question.property, question.request.fairness, run)
            .map_err(|why| Failure::Internal(format!("a counterexample was refused: {why}")))?;
        return Ok(Judged { run: answer.run.clone(), ..Judged::plain(Verdict::Violated, &answer) });
    }
    if let Some(stop) = answer.stopped {
        return Ok(Judged::unknown(verdict::words(stop, &question.request.limits), &answer));
    }
    if let Some(fault) = answer.fault {
        let why = format!("runs that end with a run-time error ({fault}) say nothing of what would follow");
        return Ok(Judged::unknown(why, &answer));
    }
    let vacuous = vacuity::of(question, watcher)?;
    Ok(Judged { vacuous, ..Judged::plain(Verdict::Holds, &answer) })
}

/// The automaton of the runs that break a property.
fn forbidden(meaning: &Meaning) -> Result<Automaton, String> {
    match meaning {
        Meaning::Never(automaton) => Ok(automaton.clone()),
        Meaning::Always(formula) => translate(&Formula::negation(formula.clone()))
            .map_err(|_| "the automaton of the formula is too large".to_string()),
    }
}

impl Question<'_> {
    /// A proposition as the user wrote it.
    pub fn text(&self, proposition: usize) -> Option<&str> {
        let span = *self.property.spans.get(proposition)?;
        let text = self.map.get(span.file)?;
        text.content.get(span.start as usize..span.end as usize).filter(|text| !text.is_empty())
    }

    /// Looks for a run that the automaton accepts.
    pub fn search(&self, automaton: &Automaton, watcher: &mut Watcher<'_>) -> Result<Answer, Failure> {
        let raw = self.request.raw || is_sensitive(&self.property.meaning);
        match self.search_as(automaton, raw, watcher)? {
            Some(answer) => Ok(answer),
            // The loop does not close with the variables that were left out: with them it may.
            None => self.search_as(automaton, true, watcher)?.ok_or_else(|| {
                Failure::Internal("a loop of the system does not come back to where it began".to_string())
            }),
        }
    }

    /// `None` if a run was found whose loop does not close in the whole system.
    fn search_as(
        &self,
        automaton: &Automaton,
        raw: bool,
        watcher: &mut Watcher<'_>,
    ) -> Result<Option<Answer>, Failure> {
        let system = &self.property.observed(self.system);
        let simplified = if raw { Simplified::raw(system) } else { Simplified::of(system) };
        let refused = |e: compile::NotFinite| Failure::Request(format!("the model cannot be searched: {e}"));
        let mut program = Program::new(simplified).map_err(refused)?;
        let limits = self.request.limits;
        let limits = Limits { states: limits.states, depth: limits.depth, memory: limits.memory };
        let options = emptiness::Options { limits, ..emptiness::Options::default() };
        let (fairness, ends) = (self.request.fairness, self.property.ends);
        let mut product = Product::new(&mut program, automaton, fairness, processes(system), ends);
        let outcome = emptiness(&mut product, &options, watcher);
        let mut answer = Answer {
            run: None,
            stopped: outcome.stopped,
            fault: product.fault,
            states: outcome.states,
            transitions: outcome.transitions,
        };
        let Some(lasso) = outcome.lasso else { return Ok(Some(answer)) };
        let mut explain = |arrows: &[(Vec<u8>, usize)]| -> Option<Vec<Step>> {
            let steps = arrows.iter().map(|(state, arrow)| product.explain(state, *arrow));
            steps.collect::<Option<Vec<_>>>().map(|steps| steps.concat())
        };
        let told = explain(&lasso.stem).zip(explain(&lasso.cycle));
        let unexplained = || Failure::Internal("a run that was found cannot be explained".to_string());
        let (stem, cycle) = told.ok_or_else(unexplained)?;
        answer.run = close(self.system, system, stem, cycle);
        Ok(answer.run.is_some().then_some(answer))
    }
}

/// Whether a property may tell a state from the same state twice.
pub fn is_sensitive(meaning: &Meaning) -> bool {
    match meaning {
        Meaning::Always(formula) => counts_steps(formula),
        Meaning::Never(_) => true,
    }
}

/// Whether a formula speaks of the next or the previous step.
fn counts_steps<A>(formula: &Formula<A>) -> bool {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => false,
        Formula::Unary(Unary::Next | Unary::Previous | Unary::WeakPrevious, _) => true,
        Formula::Unary(_, a) => counts_steps(a),
        Formula::Binary(_, a, b) => counts_steps(a) || counts_steps(b),
    }
}

/// No more processes than this ever live.
fn processes(system: &System) -> usize {
    let mut operations = system.templates.iter().flat_map(|t| &t.transitions).flat_map(|t| &t.command);
    let creates = operations.any(|o| matches!(o, Operation::Start { .. }));
    if creates { system::MAX_PROCESSES } else { system.initial.len() }
}

/// No longer run than this is shown for a loop that closes late.
const LONG: usize = 20_000;

/// The run that goes round a loop until it closes in the whole system.
fn close(whole: &System, observed: &System, stem: Vec<Step>, cycle: Vec<Step>) -> Option<Run> {
    if cycle.is_empty() {
        return Some(Run { ending: Ending::Lasso { loop_start: stem.len() }, steps: stem });
    }
    let reference = Reference::new(whole);
    let mut state = walk(&reference, reference.initial().ok()?, &stem)?;
    let mut heads: Vec<State> = Vec::new();
    loop {
        if let Some(first) = heads.iter().position(|head| is_same(observed, head, &state)) {
            let rounds = |n: usize| std::iter::repeat_n(&cycle, n).flatten().cloned();
            let loop_start = stem.len() + first * cycle.len();
            let steps = stem.iter().cloned().chain(rounds(heads.len())).collect();
            return Some(Run { steps, ending: Ending::Lasso { loop_start } });
        }
        if stem.len() + heads.len() * cycle.len() > LONG {
            return None;
        }
        let next = walk(&reference, state.clone(), &cycle)?;
        heads.push(std::mem::replace(&mut state, next));
    }
}

fn walk(reference: &Reference<'_>, mut state: State, steps: &[Step]) -> Option<State> {
    for step in steps {
        state = reference.moves(&state).into_iter().find(|m| m.step == *step)?.next?;
    }
    Some(state)
}

impl Judged {
    /// Nothing was searched.
    pub fn refused(why: String) -> Judged {
        Judged::unknown(why, &Answer::default())
    }

    fn plain(verdict: Verdict, answer: &Answer) -> Judged {
        let Answer { states, transitions, stopped, .. } = *answer;
        let interrupted = stopped == Some(Stop::Interrupt);
        Judged { verdict, reason: None, vacuous: None, run: None, states, transitions, interrupted }
    }

    fn unknown(reason: String, answer: &Answer) -> Judged {
        Judged { reason: Some(reason), ..Judged::plain(Verdict::Unknown, answer) }
    }
}
