//! Transitions to bytecode: a guard that only reads, and an effect.
//!
//! The guard includes what the first operation needs to be possible, so that a state is copied only
//! for transitions that are enabled. Registers that a guard sets (the message found) are still
//! there when the effect runs.

use crate::code::Op;
use crate::emit::Emitter;
use crate::layout::NotFinite;
use system::{Expr, Initial, ObjectKind, Operation, Pattern, Place, Root, Transition};

/// Where the code of a transition begins; each part ends in `Done`.
#[derive(Clone, Copy, Debug)]
pub struct TransitionCode {
    pub guard: u32,
    pub effect: u32,
    pub post: u16,
    /// The first operation is a receive: the transition may take an offer.
    pub receives: bool,
    /// An operation after the first may block.
    pub blocks_late: bool,
}

impl Emitter<'_> {
    pub fn transition(&mut self, transition: &Transition) -> Result<TransitionCode, NotFinite> {
        let guard = self.code.len() as u32;
        self.emit_guard(&transition.guard)?;
        let first = transition.command.first();
        if let Some(operation) = first {
            self.first_guard(operation)?;
        }
        self.code.push(Op::Done);
        let effect = self.code.len() as u32;
        for (i, operation) in transition.command.iter().enumerate() {
            self.effect(operation, i == 0)?;
        }
        self.code.push(Op::Done);
        let receives = match first {
            Some(Operation::Receive { channel, mode, .. }) => !mode.copy && self.may_be_rendezvous(channel),
            _ => false,
        };
        let blocking =
            |o: &Operation| matches!(o, Operation::Send { .. } | Operation::Receive { .. } | Operation::Stop);
        let blocks_late = transition.command.iter().skip(1).any(blocking);
        Ok(TransitionCode { guard, effect, post: transition.post as u16, receives, blocks_late })
    }

    /// The conjuncts of a guard, each on its own.
    pub fn conjuncts(&mut self, guard: &Expr) -> Result<Vec<u32>, NotFinite> {
        let mut starts = Vec::new();
        for conjunct in independence::footprint::conjuncts(guard) {
            starts.push(self.code.len() as u32);
            self.emit_guard(conjunct)?;
            self.code.push(Op::Done);
        }
        Ok(starts)
    }

    /// Whether a receive from the channel may be half of a handshake.
    fn may_be_rendezvous(&self, channel: &Expr) -> bool {
        let known = self.global_channel(channel).map(|k| self.layout.globals.channels[k].capacity);
        known.is_none_or(|capacity| capacity == 0)
    }

    /// What the first operation needs to be possible.
    fn first_guard(&mut self, operation: &Operation) -> Result<(), NotFinite> {
        match operation {
            Operation::Send { channel, .. } => self.room(channel)?,
            Operation::Receive { channel, patterns, mode } => {
                match self.arrival(channel, patterns, mode.anywhere) {
                    true => {}
                    false => self.find(channel, patterns, mode.anywhere, mode.copy)?,
                }
            }
            Operation::Stop => self.youngest(),
            _ => {}
        }
        Ok(())
    }

    fn youngest(&mut self) {
        let myself_is_last = [Op::Myself, Op::AddConst(1), Op::Push, Op::ProcessCount];
        self.code.extend(myself_is_last);
        self.code.extend([Op::Binary(logic::Binary::Equal), Op::BlockIfZero]);
    }

    fn find(
        &mut self,
        channel: &Expr,
        patterns: &[Pattern],
        anywhere: bool,
        copy: bool,
    ) -> Result<(), NotFinite> {
        let pattern = self.push_patterns(patterns, anywhere, copy)?;
        self.open(channel)?;
        self.code.push(Op::Find { pattern });
        Ok(())
    }

    /// An operation; `checked` if the guard has made sure that it is possible.
    fn effect(&mut self, operation: &Operation, checked: bool) -> Result<(), NotFinite> {
        match operation {
            Operation::Assign { target, value } => self.store(target, |e| e.emit(value))?,
            Operation::Send { channel, message, sorted } => {
                if !checked {
                    self.room(channel)?;
                }
                self.push_all(message)?;
                self.open(channel)?;
                self.code.push(Op::Enqueue { fields: message.len() as u8, sorted: *sorted });
            }
            Operation::Receive { channel, patterns, mode } => {
                let length = self.code.len();
                if self.arrival(channel, patterns, mode.anywhere) {
                    if checked {
                        self.code.truncate(length);
                    }
                    let position = self.global_channel(channel).unwrap_or(0);
                    self.code.push(Op::FoundGlobal(position as u16));
                } else if !checked {
                    self.find(channel, patterns, mode.anywhere, mode.copy)?;
                }
                self.bind(patterns)?;
                if !mode.copy {
                    self.code.push(Op::Remove);
                }
            }
            Operation::Start { process_type, arguments, priority, result } => {
                if let Some(priority) = priority {
                    self.emit(priority)?;
                    self.code.push(Op::Push);
                }
                self.push_all(arguments)?;
                let start = Op::Start {
                    process_type: *process_type as u8,
                    arguments: arguments.len() as u8,
                    priority: priority.is_some(),
                };
                self.start(start, result.as_ref())?;
            }
            Operation::SetPriority { process, priority } => {
                self.emit(process)?;
                self.code.push(Op::Push);
                self.emit(priority)?;
                self.code.push(Op::SetPriority);
            }
            Operation::Assert { condition } => {
                self.emit(condition)?;
                self.code.push(Op::Assert);
            }
            // Nothing is shown, but a fault in what would be shown is one.
            Operation::Print { arguments, .. } => {
                arguments.iter().try_for_each(|a| self.emit(a).map(|_| ()))?;
            }
            Operation::Stop => {
                if !checked {
                    self.youngest();
                }
                self.code.push(Op::Stop);
            }
        }
        Ok(())
    }

    /// Creates the process first, then finds the place for its number, as the reference stepper
    /// does.
    fn start(&mut self, start: Op, result: Option<&Place>) -> Result<(), NotFinite> {
        self.code.push(start);
        let Some(place) = result else { return Ok(()) };
        self.code.push(Op::Keep);
        self.store(place, |e| {
            e.code.push(Op::Kept);
            Ok((0, 255))
        })
    }

    fn push_all(&mut self, terms: &[Expr]) -> Result<(), NotFinite> {
        for term in terms {
            self.emit(term)?;
            self.code.push(Op::Push);
        }
        Ok(())
    }

    fn bind(&mut self, patterns: &[Pattern]) -> Result<(), NotFinite> {
        for (k, pattern) in patterns.iter().enumerate() {
            if let Pattern::Bind(place) = pattern {
                self.store(place, |e| {
                    e.code.push(Op::Field(k as u8));
                    Ok((i128::from(i32::MIN), i128::from(u32::MAX)))
                })?;
            }
        }
        Ok(())
    }

    /// Code that gives the objects of the current owner their initial values, on zeroed bytes.
    pub fn creation(&mut self, objects: &[system::Object]) -> Result<u32, NotFinite> {
        let start = self.code.len() as u32;
        for (id, object) in objects.iter().enumerate() {
            if let ObjectKind::Variable { sort, initial } = &object.kind {
                let root = if self.process_type.is_some() { Root::Local(id) } else { Root::Global(id) };
                self.begin(&Place { root, path: Vec::new() }, sort, initial)?;
            }
        }
        self.code.push(Op::Done);
        Ok(start)
    }

    /// Code that makes the initial state: globals, then the processes.
    pub fn initial_state(&mut self) -> Result<u32, NotFinite> {
        let system = self.system;
        let start = self.creation(&system.globals)?;
        self.code.pop();
        for creation in &system.initial {
            let priority = Expr::Constant(creation.priority.into());
            let (process_type, arguments) = (creation.process_type, creation.arguments.clone());
            let start = Operation::Start { process_type, arguments, priority: Some(priority), result: None };
            self.effect(&start, true)?;
        }
        self.code.push(Op::Done);
        Ok(start)
    }

    fn begin(&mut self, place: &Place, sort: &logic::Sort, initial: &Initial) -> Result<(), NotFinite> {
        match (initial, sort) {
            (Initial::Zero, _) => Ok(()),
            (Initial::Term(term), _) => self.store(place, |e| e.emit(term)),
            (Initial::Argument(k), _) => self.store(place, |e| {
                e.code.push(Op::Argument(*k as u8));
                Ok((i64::MIN.into(), i64::MAX.into()))
            }),
            (Initial::Each(one), logic::Sort::Array(element, length)) => {
                (0..*length).try_for_each(|k| self.begin(&part(place, k), element, one))
            }
            (Initial::Parts(parts), logic::Sort::Array(element, _)) => {
                parts.iter().enumerate().try_for_each(|(k, p)| self.begin(&part(place, k), element, p))
            }
            (Initial::Parts(parts), logic::Sort::Record(fields)) => parts
                .iter()
                .zip(fields)
                .enumerate()
                .try_for_each(|(k, (p, (_, sort)))| self.begin(&part(place, k), sort, p)),
            _ => Ok(()),
        }
    }
}

fn part(place: &Place, index: usize) -> Place {
    let mut inner = place.clone();
    inner.path.push(system::Access::Field(index));
    inner
}
