//! Paths of the relation as runs of the system.
//!
//! A path is states; a run is steps. Each step is found among the moves that the reference stepper
//! has, so a path that is no run of the system is reported as such.

use super::{BEYOND, Relation, Shape, fault_of};
use logic::fol::Value;
use space::{Ending, Path, Reference as _, Run, Step};
use system::{Fault, Reference, State};

/// Why a path is no run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// Values that stand for no state.
    #[error("state {0} of the relation is not a state of the system")]
    NoState(usize),
    /// It begins elsewhere.
    #[error("the run does not begin in the initial state")]
    Beginning,
    /// No move of the system leads there.
    #[error("step {0} of the relation is not a step of the system")]
    NoMove(usize),
    /// It leads to a state that the relation has no room for.
    #[error("there is no room for a process that is created")]
    Beyond,
}

/// A run on the way: the state it has reached, and its steps.
struct Walk<'a> {
    reference: Reference<'a>,
    state: State,
    steps: Vec<Step>,
}

impl Walk<'_> {
    /// Takes the first move that fits; whether there is one.
    fn take(&mut self, fits: impl Fn(&Option<State>, Option<Fault>) -> bool) -> bool {
        let moves = Reference::moves(&self.reference, &self.state).into_iter();
        let Some(m) = moves.into_iter().find(|m| fits(&m.next, m.fault)) else { return false };
        self.steps.push(m.step);
        if let Some(next) = m.next {
            self.state = next;
        }
        true
    }
}

impl Walk<'_> {
    /// A loop without a step: the run rests if it has to, else takes a step that changes nothing.
    fn stay(&mut self) -> Option<()> {
        let here = self.reference.canonical(&self.state);
        if Reference::moves(&self.reference, &self.state).is_empty() {
            return Some(());
        }
        let reference = self.reference;
        let same = |next: &Option<State>, _| next.as_ref().is_some_and(|s| reference.canonical(s) == here);
        self.take(same).then_some(())
    }
}

impl Relation<'_> {
    /// The run along a path, which ends where the path does: in a fault, in a loop, or else as
    /// said.
    pub fn run(&self, path: &Path<Vec<Value>>, ending: Ending) -> Result<Run, Broken> {
        let (mut walk, fault, marks) = self.walk(path)?;
        if path.loop_start.is_some_and(|start| marks[start] == walk.steps.len()) {
            walk.stay().ok_or(Broken::NoMove(path.states.len()))?;
        }
        let ending = match (fault, path.loop_start) {
            (Some(fault), _) => Ending::Fault(fault.into()),
            (None, Some(start)) => Ending::Lasso { loop_start: marks[start] },
            (None, None) => ending,
        };
        Ok(Run::new(walk.steps, ending))
    }

    /// Makes room in a shape for what follows a path that ends where there is none.
    pub fn teach(&self, path: &Path<Vec<Value>>, shape: &mut Shape) {
        let mut known = path.clone();
        known.states.retain(|s| self.decode(s).is_some_and(|(_, fault)| fault != BEYOND));
        known.loop_start = None;
        let Ok((walk, ..)) = self.walk(&known) else { return };
        let moves = Reference::moves(&walk.reference, &walk.state);
        moves.iter().for_each(|m| shape.learn_move(self.system, &walk.state, m));
    }

    /// Walks along a path. For each state how many steps lead to it: idling is no step.
    fn walk(&self, path: &Path<Vec<Value>>) -> Result<(Walk<'_>, Option<Fault>, Vec<usize>), Broken> {
        let reference = Reference::new(self.system);
        let state = Reference::initial(&reference).map_err(|_| Broken::Beginning)?;
        let mut walk = Walk { reference, state, steps: Vec::new() };
        let (mut marks, mut ended) = (Vec::new(), None);
        let looped = path.loop_start.and_then(|start| path.states.get(start));
        for (at, values) in path.states.iter().chain(looped).enumerate() {
            let (wanted, fault) = self.decode(values).ok_or(Broken::NoState(at))?;
            let same = |s: &State| reference.canonical(s) == reference.canonical(&wanted);
            match fault {
                BEYOND => return Err(Broken::Beyond),
                0 if same(&walk.state) => {}
                0 if at == 0 => return Err(Broken::Beginning),
                0 => {
                    let fits = |next: &Option<State>, _| next.as_ref().is_some_and(same);
                    if !walk.take(fits) {
                        return Err(Broken::NoMove(at));
                    }
                }
                _ if ended.is_some() => {}
                number => {
                    ended = fault_of(number);
                    let wanted = ended;
                    if wanted.is_none() || !walk.take(|_, fault| fault == wanted) {
                        return Err(Broken::NoMove(at));
                    }
                }
            }
            marks.push(walk.steps.len());
        }
        Ok((walk, ended, marks))
    }
}
