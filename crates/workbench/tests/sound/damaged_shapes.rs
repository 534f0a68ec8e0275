//! Damaged runs of structures: violations that are found in the corpus, changed in one place. The
//! judge accepts exactly those that are violations by other code: initial states from
//! concretization, single steps, deadlock by trying every individual.

use crate::damaged::{damaged, head, is_violated};
use explore::NoListener;
use logic::automata::closure_monitor;
use logic::ltl::{Lasso, semantics};
use shapes::abstracted::Join;
use shapes::answer::{Kind, Outcome, Request, Seen, answer};
use shapes::concrete::{Concrete, State, Step as Taken};
use shapes::concretize::{Concretizer, populations};
use shapes::prepared::{Prepared, prepare};
use source::SourceMap;
use space::{Ending, Fairness, Fault, Run, Start, Step};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use structures::formula::Formula;
use structures::model::{Claim, Group, Model};
use structures::race;
use workbench::shapes::certified::judged;

/// A model without what is there only for data races, unless one is asked about.
struct Case<'a> {
    model: &'a Model,
    prepared: Prepared,
    answered: &'a Outcome,
    /// Whether states that are written so are initial.
    known: RefCell<HashMap<String, bool>>,
}

impl<'a> Case<'a> {
    fn concrete(&self) -> Concrete<'a> {
        Concrete::new(&self.model.vocabulary)
    }

    fn is_initial(&self, state: &State) -> bool {
        let (vocabulary, coercion) = (&self.prepared.vocabulary, &self.prepared.machine.coercion);
        let concretizer = Concretizer { vocabulary, coercion, constraints: &coercion.constraints };
        let normal = |s: &State| self.concrete().normal(s).0;
        let same = |mut s: State| {
            s.truth.truncate(self.model.vocabulary.predicates.len());
            s.individuals == state.individuals && normal(&s) == normal(state)
        };
        self.prepared.initial.iter().any(|s| {
            let summaries = concretizer.summaries(s).len();
            let sizes = populations(summaries, state.individuals.max(summaries)).into_iter();
            let sizes =
                sizes.filter(|sizes| s.nodes - summaries + sizes.iter().sum::<usize>() == state.individuals);
            sizes.into_iter().any(|sizes| concretizer.states(s, &sizes).0.into_iter().any(same))
        })
    }

    /// The states of a run; none if it is no run.
    fn walked(&self, run: &Run) -> Option<Vec<State>> {
        let Start::Text(first) = &run.start else { return None };
        let c = self.concrete();
        let state = c.read(first)?;
        let known = self.known.borrow().get(first).copied();
        let initial = known.unwrap_or_else(|| self.is_initial(&state));
        self.known.borrow_mut().insert(first.clone(), initial);
        let mut states = vec![initial.then_some(state)?];
        for step in &run.steps {
            let (here, taken) = (states.last()?, Taken::read(step)?);
            let action = self.model.actions.get(taken.action)?;
            let part: BTreeSet<_> =
                action.actor.iter().map(|_| 0).chain(action.parameters.iter().copied()).collect();
            let known = taken.part.keys().eq(&part) && taken.part.values().all(|u| *u < here.individuals);
            (known && Step::from(&taken) == *step).then_some(())?;
            states.push(c.step(here, &taken, action)?);
        }
        Some(states)
    }

    fn steps(&self, state: &State) -> Vec<(Taken, State)> {
        let actions = self.model.actions.iter().enumerate();
        actions.flat_map(|(n, action)| self.concrete().steps(state, n, action)).collect()
    }

    fn waits(&self, state: &State, u: usize) -> bool {
        let restless = |t: &'a structures::model::Thread| t.places.iter().filter(|p| !t.ends.contains(p));
        let mut places = self.model.threads.iter().flat_map(restless);
        places.any(|p| self.concrete().get(state, *p, [u, 0]))
    }

    fn is_dead(&self, state: &State) -> bool {
        let progress = |(taken, _): &(Taken, State)| !self.model.actions[taken.action].idle;
        !self.steps(state).iter().any(progress) && (0..state.individuals).any(|u| self.waits(state, u))
    }

    fn is_blocked(&self, state: &State, u: usize) -> bool {
        let (mut seen, mut work) = (HashSet::new(), vec![state.clone()]);
        while let Some(state) = work.pop().filter(|_| seen.len() < 20_000) {
            let steps = self.steps(&state);
            if steps.iter().any(|(taken, _)| taken.part.get(&0) == Some(&u)) {
                return false;
            }
            work.extend(steps.into_iter().map(|(_, next)| next).filter(|next| seen.insert(next.clone())));
        }
        u < state.individuals && self.waits(state, u)
    }

    /// Whether a group has one of its actions enabled, and whether a step is one of it.
    fn takes(&self, state: &State, taken: &Taken, group: &Group) -> bool {
        let actor = self.model.actions[taken.action].actor.as_ref().and_then(|_| taken.part.get(&0));
        let by = |who| actor.is_some_and(|u| self.concrete().get(state, who, [*u, 0]));
        group.actions.contains(&taken.action) && group.who.is_none_or(by)
    }

    fn is_fair(&self, cycle: &[State], steps: &[Step]) -> bool {
        self.model.fairness.iter().all(|group| {
            let enabled = |s: &State| self.steps(s).iter().any(|(taken, _)| self.takes(s, taken, group));
            let mut pairs = cycle.iter().zip(steps);
            let met = pairs.any(|(s, step)| self.takes(s, &Taken::read(step).unwrap(), group));
            met || !match group.strength {
                Fairness::None => false,
                Fairness::Weak => cycle.iter().all(enabled),
                Fairness::Strong => cycle.iter().any(enabled),
            }
        })
    }

    fn is_bad_loop(&self, states: &[State], run: &Run, at: usize) -> bool {
        let (c, last) = (self.concrete(), run.steps.len());
        let normal = |s: &State| c.normal(s).0;
        let closes = at <= last && normal(&states[at]) == normal(&states[last]);
        if !closes || at == last && !self.steps(&states[last]).is_empty() {
            return false;
        }
        let end = last.max(at + 1);
        let word = |letters: &[Formula]| {
            let letter = |s: &State| self.letter(s, letters);
            Lasso::new(
                states[..at].iter().map(letter).collect(),
                states[at..end].iter().map(letter).collect(),
            )
        };
        let broken = match self.claim() {
            Some(Claim::Ltl { formula, letters }) => !semantics::satisfies(&word(letters), formula),
            Some(Claim::Never { automaton, letters }) => automaton.accepts(&word(letters)),
            Some(Claim::Invariant(good)) => states.iter().any(|s| !c.holds(s, good)),
            Some(Claim::Race { bad, .. }) => states.iter().any(|s| c.holds(s, bad)),
            None => false,
        };
        broken && self.is_fair(&states[at..end], &run.steps[at..])
    }

    fn letter(&self, state: &State, letters: &[Formula]) -> u64 {
        let bit = |(n, f)| u64::from(self.concrete().holds(state, f)) << n;
        letters.iter().enumerate().map(bit).sum()
    }

    fn claim(&self) -> Option<&'a Claim> {
        let kinds = [Kind::Deadlock, Kind::Error];
        let own = |p: &&structures::model::Property| p.name == self.answered.name;
        let claim = self.model.properties.iter().find(own).map(|p| &p.claim);
        claim.filter(|_| !kinds.contains(&self.answered.kind))
    }

    /// Whether a run is a violation, by other code than the judge's.
    fn really(&self, run: &Run) -> bool {
        let Some(states) = self.walked(run) else { return false };
        let (c, last) = (self.concrete(), states.last().unwrap());
        let taken = run.steps.last().and_then(Taken::read).map(|taken| taken.action);
        match (run.ending, self.claim()) {
            (Ending::Lasso { loop_start }, _) => self.is_bad_loop(&states, run, loop_start),
            (Ending::Prefix, Some(Claim::Invariant(good))) => states.iter().any(|s| !c.holds(s, good)),
            (Ending::Prefix, Some(Claim::Race { bad, .. })) => states.iter().any(|s| c.holds(s, bad)),
            (Ending::Prefix, Some(Claim::Ltl { formula, letters })) => {
                let monitor = closure_monitor(formula).unwrap();
                let letter = |s: &State| self.letter(s, letters);
                let at = states.iter().map(letter).fold(monitor.initial, |at, l| monitor.next(at, l));
                Some(at) == monitor.sink
            }
            (_, Some(_)) => false,
            (Ending::Fault(Fault::Error(n)), None) if self.answered.kind == Kind::Error => {
                let action = taken.filter(|action| *action == n as usize);
                action.is_some_and(|action| self.model.actions[action].error.is_some())
            }
            (_, None) if self.answered.kind == Kind::Error => false,
            (Ending::Deadlock, None) => self.is_dead(last),
            (Ending::Blocked { actor }, None) => self.is_blocked(last, actor),
            (_, None) => false,
        }
    }
}

/// Another action, another individual, nothing.
fn others(step: &Step) -> Vec<Step> {
    let mut all = vec![Step::IDLE];
    for at in 0..step.path.len() {
        let mut other = step.clone();
        other.path[at] = if at % 2 == 0 { (step.path[at] + 1) % 3 } else { step.path[at] + 1 };
        // The actor is the individual that variable 0 stands for.
        all.push(Step { actor: other.path.get(2).copied().unwrap_or(step.actor), ..other.clone() });
        all.extend(Some(other).filter(|other| *other != all[all.len() - 1]));
    }
    all
}

/// The same run from states that differ in one fact, or in the number of individuals.
fn elsewhere(run: &Run) -> Vec<Run> {
    let Start::Text(first) = &run.start else { return Vec::new() };
    let facts: Vec<&str> = first.split("; ").collect();
    let from = |text: String| Run { start: Start::Text(text), ..run.clone() };
    let without = |at: usize| {
        let left = facts.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, fact)| *fact);
        from(left.collect::<Vec<_>>().join("; "))
    };
    let mut all: Vec<Run> = (0..facts.len()).map(without).collect();
    let number: usize = facts[0].parse().unwrap();
    all.push(from(first.replacen(facts[0], &(number + 1).to_string(), 1)));
    all.push(Run { start: Start::Number(0), ..run.clone() });
    all
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    runs: usize,
    kinds: BTreeSet<&'static str>,
    refused: usize,
    accepted: usize,
}

fn name(ending: Ending) -> &'static str {
    match ending {
        Ending::Fault(_) => "fault",
        Ending::Deadlock => "deadlock",
        Ending::Blocked { .. } => "blocked",
        Ending::Lasso { .. } => "lasso",
        Ending::Prefix => "prefix",
        Ending::Open => "open",
    }
}

fn compare(path: &Path, tally: &mut Tally) {
    let mut map = SourceMap::new();
    let text = std::fs::read_to_string(path).unwrap();
    let file = map.add(path.to_string_lossy().into_owned(), text.clone());
    let java = path.extension().is_some_and(|e| e == "java");
    let (model, _) = if java { java::read(&map, file) } else { tvm::read(&map, file) };
    let Some(model) = model else { return };
    let join = if java { Join::Partial } else { Join::Relational };
    let limits = explore::Limits { states: Some(500), ..explore::Limits::default() };
    let head = head::Head::of(&text);
    let options = head.options("check").unwrap_or_default();
    let selected = options.windows(2).filter(|pair| pair[0] == "--property").map(|pair| pair[1].to_string());
    let selected = selected.collect();
    let request = Request { join, concrete_first: java, limits, selected, workers: 1, ..Request::default() };
    let mut strict = model.clone();
    race::without_weak(&mut strict);
    for answered in &answer(&model, &request, &mut NoListener).properties {
        let Seen::Run(witness) = &answered.seen else { continue };
        let model = if answered.kind == Kind::Race { &model } else { &strict };
        let case = Case { model, prepared: prepare(model, &[]), answered, known: RefCell::default() };
        let accepts = |run: &Run| judged(model, answered, run).is_ok();
        let what = format!("{}, {}", path.display(), answered.name);
        assert_eq!(judged(model, answered, &witness.run), Ok(()), "{what}: {:?}", witness.run);
        assert!(case.really(&witness.run), "{what}: {:?}", witness.run);
        tally.runs += 1;
        tally.kinds.insert(name(witness.run.ending));
        for run in damaged(&witness.run, others).into_iter().chain(elsewhere(&witness.run)) {
            let accepted = accepts(&run);
            assert_eq!(accepted, case.really(&run), "{what}: {run:?}");
            *(if accepted { &mut tally.accepted } else { &mut tally.refused }) += 1;
        }
    }
}

#[test]
fn damaged_runs_of_structures_are_refused_or_violations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/shapes");
    let mut tally = Tally::default();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|path| is_violated(&std::fs::read_to_string(path).unwrap()));
    files.sort();
    for path in files {
        compare(&path, &mut tally);
    }
    assert!(tally.runs >= 33 && tally.refused >= 1_448 && tally.accepted >= 19, "{tally:?}");
    assert_eq!(tally.kinds, BTreeSet::from(["deadlock", "fault", "lasso", "prefix", "blocked"]));
}
