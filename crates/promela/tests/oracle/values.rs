//! The values of a model's variables and channels, and expressions over them: C's `int`, written
//! once more.

use promela::ast::{BinaryOp, Probe, UnaryOp};
use promela::model::{
    Channel, Expr, ExprKind, Initial, Model, Pattern, Place, Process, Root, Step, Type, Variable,
};

use crate::tree::{At, Tree};

/// What goes wrong, by the name that the waist has for it.
pub type Wrong = &'static str;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// By variable: its scalars.
    pub globals: Vec<Vec<i64>>,
    pub channels: Vec<Buffer>,
    pub processes: Vec<Instance>,
    pub control: Option<usize>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Buffer {
    pub capacity: usize,
    pub fields: Vec<Type>,
    pub messages: Vec<Vec<i64>>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    pub kind: usize,
    pub at: At,
    pub locals: Vec<Vec<i64>>,
    pub priority: i64,
    /// How many channels existed before it.
    pub channels_before: usize,
}

/// What everything is about: the model and its trees.
pub struct World<'m> {
    pub model: &'m Model,
    pub trees: Vec<Tree<'m>>,
}

/// Who asks.
#[derive(Clone, Copy)]
pub struct View<'a, 'm> {
    pub world: &'a World<'m>,
    pub state: &'a State,
    pub pid: Option<usize>,
    pub timeout: bool,
    pub nesting: usize,
}

pub fn wrap(ty: Type, value: i64) -> i64 {
    match ty {
        Type::Bit | Type::Bool => value & 1,
        Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan => i64::from(value as u8),
        Type::Short => i64::from(value as i16),
        Type::Int => i64::from(value as i32),
        Type::Unsigned(bits) => value & ((1 << bits) - 1),
        Type::Record(_) => 0,
    }
}

impl<'m> World<'m> {
    pub fn of(model: &'m Model) -> World<'m> {
        World { model, trees: model.processes.iter().map(Tree::of).collect() }
    }

    /// The types of the scalars that make up a variable.
    fn scalars(&self, variable: &Variable) -> Vec<Type> {
        let one = match variable.ty {
            Type::Record(id) => self.model.records[id].fields.iter().flat_map(|f| self.scalars(f)).collect(),
            ty => vec![ty],
        };
        one.repeat(variable.length.unwrap_or(1) as usize)
    }

    pub fn initial(&self) -> Result<State, Wrong> {
        let mut state =
            State { globals: Vec::new(), channels: Vec::new(), processes: Vec::new(), control: None };
        for variable in &self.model.globals {
            let value = self.begin(&mut state, None, variable, true)?;
            state.globals.push(value);
        }
        for (kind, process) in self.model.processes.iter().enumerate() {
            for _ in 0..process.active {
                let arguments = vec![0; process.parameters];
                self.create(&mut state, kind, &arguments, process.priority.map_or(1, i64::from))?;
            }
        }
        Ok(state)
    }

    pub fn create(
        &self,
        state: &mut State,
        kind: usize,
        arguments: &[i64],
        priority: i64,
    ) -> Result<usize, Wrong> {
        let pid = state.processes.len();
        if pid >= 255 {
            return Err("TooManyProcesses");
        }
        let (at, channels_before) = (self.trees[kind].start(), state.channels.len());
        state.processes.push(Instance { kind, at, locals: Vec::new(), priority, channels_before });
        let process = &self.model.processes[kind];
        for (id, variable) in process.locals.iter().enumerate() {
            let value = if id < process.parameters {
                vec![wrap(variable.ty, arguments[id])]
            } else {
                self.begin(state, Some(pid), variable, declared_early(process, id))?
            };
            state.processes[pid].locals.push(value);
        }
        if state.channels.len() > 255 { Err("TooManyChannels") } else { Ok(pid) }
    }

    /// The first value of a variable. One that is declared later begins with zero, but for channels
    /// and records.
    fn begin(
        &self,
        state: &mut State,
        pid: Option<usize>,
        variable: &Variable,
        early: bool,
    ) -> Result<Vec<i64>, Wrong> {
        let count = variable.length.unwrap_or(1) as usize;
        match &variable.initial {
            Initial::Value(expr) if early => {
                let view = View { world: self, state, pid, timeout: false, nesting: 0 };
                Ok(vec![wrap(variable.ty, view.eval(expr)?); count])
            }
            Initial::List(list) => {
                let value = |k: usize| list.get(k).or(list.last()).copied().unwrap_or(0);
                Ok((0..count).map(|k| wrap(variable.ty, value(k).into())).collect())
            }
            Initial::Channel(channel) => Ok((0..count).map(|_| add_channel(state, channel)).collect()),
            Initial::Zero | Initial::Value(_) => match variable.ty {
                Type::Record(id) => {
                    let mut values = Vec::new();
                    for field in (0..count).flat_map(|_| &self.model.records[id].fields) {
                        values.extend(self.begin(state, pid, field, true)?);
                    }
                    Ok(values)
                }
                _ => Ok(vec![0; count]),
            },
        }
    }
}

fn declared_early(process: &Process, id: usize) -> bool {
    let early =
        |step: &Step| matches!(step, Step::Declare { variables, runs: false, .. } if variables.contains(&id));
    process.body.steps.iter().any(early)
}

fn add_channel(state: &mut State, channel: &Channel) -> i64 {
    let capacity = channel.capacity as usize;
    state.channels.push(Buffer { capacity, fields: channel.fields.clone(), messages: Vec::new() });
    state.channels.len() as i64
}

impl<'a> View<'a, '_> {
    pub fn eval(&self, expr: &Expr) -> Result<i64, Wrong> {
        Ok(match &expr.kind {
            ExprKind::Number(n) => i64::from(*n),
            ExprKind::Mtype { value, .. } => i64::from(*value),
            ExprKind::Read(place) => self.read(place)?,
            ExprKind::Pid => self.pid.unwrap_or(0) as i64,
            ExprKind::ProcessCount => self.state.processes.len() as i64,
            ExprKind::Priority => self.pid.map_or(0, |p| self.state.processes[p].priority),
            ExprKind::Unary(op, a) => {
                let a = self.eval(a)?;
                match op {
                    UnaryOp::Not => i64::from(a == 0),
                    UnaryOp::Negate => int(-a),
                    UnaryOp::Complement => !a,
                }
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b)?,
            ExprKind::Conditional(c, a, b) => {
                if self.eval(c)? != 0 {
                    self.eval(a)?
                } else {
                    self.eval(b)?
                }
            }
            ExprKind::Run { .. } => unreachable!("run stands alone"),
            ExprKind::Len(place) => self.buffer(place)?.messages.len() as i64,
            ExprKind::Probe(probe, place) => {
                let buffer = self.buffer(place)?;
                let full = buffer.capacity > 0 && buffer.messages.len() >= buffer.capacity;
                i64::from(match probe {
                    Probe::Full => full,
                    Probe::NotFull => !full,
                    Probe::Empty => buffer.messages.is_empty(),
                    Probe::NotEmpty => !buffer.messages.is_empty(),
                })
            }
            ExprKind::Poll { channel, random, pattern } => {
                let buffer = self.buffer(channel)?;
                if buffer.capacity == 0 {
                    return Err("PollsRendezvous");
                }
                i64::from(self.find(buffer, pattern, *random)?.is_some())
            }
            ExprKind::Timeout => i64::from(self.timeout),
            ExprKind::Enabled(p) => {
                let pid = self.eval(p)?;
                i64::from(self.instance(pid).is_some() && crate::moves::can_move(self, pid as usize)?)
            }
            ExprKind::GetPriority(p) => {
                let pid = self.eval(p)?;
                self.instance(pid).map_or(0, |p| p.priority)
            }
            ExprKind::RemoteLabel { process, number, label } => {
                let pid = self.number(*process, number)?;
                let tree = &self.world.trees[*process];
                let here = |at: &At| matches!(at, At::Node(n) if tree.nodes[*n].labels.contains(label));
                i64::from(self.instance(pid).is_some_and(|p| p.kind == *process && here(&p.at)))
            }
            ExprKind::RemoteVariable { process, number, place } => {
                let pid = self.number(*process, number)?;
                let variable = |local: usize| &self.world.model.processes[*process].locals[local];
                let Root::Local(local) = place.root else { return Ok(0) };
                let (offset, _) = self.offset(place, variable(local))?;
                self.instance(pid).filter(|p| p.kind == *process).map_or(0, |p| p.locals[local][offset])
            }
            ExprKind::Last | ExprKind::NonProgress | ExprKind::PcValue(_) => unreachable!("left out"),
        })
    }

    fn instance(&self, pid: i64) -> Option<&'a Instance> {
        usize::try_from(pid).ok().and_then(|pid| self.state.processes.get(pid))
    }

    fn number(&self, kind: usize, number: &Option<Box<Expr>>) -> Result<i64, Wrong> {
        match number {
            Some(number) => self.eval(number),
            None => Ok(self.state.processes.iter().position(|p| p.kind == kind).map_or(-1, |p| p as i64)),
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<i64, Wrong> {
        let a = self.eval(a)?;
        match op {
            BinaryOp::And if a == 0 => return Ok(0),
            BinaryOp::Or if a != 0 => return Ok(1),
            _ => {}
        }
        let b = self.eval(b)?;
        Ok(match op {
            BinaryOp::Add => int(a + b),
            BinaryOp::Subtract => int(a - b),
            BinaryOp::Multiply => int(a.wrapping_mul(b)),
            BinaryOp::Divide | BinaryOp::Remainder if b == 0 => return Err("DivisionByZero"),
            BinaryOp::Divide => int(a / b),
            BinaryOp::Remainder => int(a % b),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitOr => a | b,
            BinaryOp::ShiftLeft => int(a << (b & 31)),
            BinaryOp::ShiftRight => a >> (b & 31),
            BinaryOp::Less => i64::from(a < b),
            BinaryOp::LessEqual => i64::from(a <= b),
            BinaryOp::Greater => i64::from(a > b),
            BinaryOp::GreaterEqual => i64::from(a >= b),
            BinaryOp::Equal => i64::from(a == b),
            BinaryOp::NotEqual => i64::from(a != b),
            BinaryOp::And | BinaryOp::Or => i64::from(b != 0),
        })
    }

    fn variable(&self, root: Root) -> Option<&'a Variable> {
        match root {
            Root::Global(id) => Some(&self.world.model.globals[id]),
            Root::Local(id) => {
                let kind = self.state.processes[self.pid?].kind;
                Some(&self.world.model.processes[kind].locals[id])
            }
            Root::Nowhere => None,
        }
    }

    pub fn read(&self, place: &Place) -> Result<i64, Wrong> {
        let Some(variable) = self.variable(place.root) else { return Ok(0) };
        let (offset, _) = self.offset(place, variable)?;
        let scalars = match (place.root, self.pid) {
            (Root::Global(id), _) => &self.state.globals[id],
            (Root::Local(id), Some(pid)) => &self.state.processes[pid].locals[id],
            _ => return Ok(0),
        };
        Ok(scalars[offset])
    }

    /// Which scalar of its variable a place is, and its type.
    pub fn offset(&self, place: &Place, variable: &Variable) -> Result<(usize, Type), Wrong> {
        let size = |variable: &Variable| self.world.scalars(variable).len();
        let element = |variable: &Variable| size(variable) / variable.length.unwrap_or(1).max(1) as usize;
        let index = |view: &Self, index: &Option<Box<Expr>>, variable: &Variable| match index {
            None => Ok(0),
            Some(expr) => {
                let k = usize::try_from(view.eval(expr)?).unwrap_or(usize::MAX);
                let inside = k < variable.length.unwrap_or(1) as usize;
                if inside { Ok(k * element(variable)) } else { Err("IndexOutOfBounds") }
            }
        };
        let mut offset = index(self, &place.index, variable)?;
        let mut ty = variable.ty;
        for field in &place.fields {
            let Type::Record(id) = ty else { break };
            let fields = &self.world.model.records[id].fields;
            offset += fields[..field.field].iter().map(size).sum::<usize>();
            offset += index(self, &field.index, &fields[field.field])?;
            ty = fields[field.field].ty;
        }
        Ok((offset, ty))
    }

    /// The channel that a place refers to, by its position.
    pub fn channel(&self, place: &Place) -> Result<usize, Wrong> {
        let handle = self.read(place)?;
        let position = usize::try_from(handle - 1).map_err(|_| "NoChannel")?;
        if position < self.state.channels.len() { Ok(position) } else { Err("NoChannel") }
    }

    pub fn buffer(&self, place: &Place) -> Result<&'a Buffer, Wrong> {
        Ok(&self.state.channels[self.channel(place)?])
    }

    /// The position of the message that a receive would take. A poll may have fewer fields than the
    /// channel.
    pub fn find(&self, buffer: &Buffer, pattern: &[Pattern], random: bool) -> Result<Option<usize>, Wrong> {
        let wanted = self.wanted(pattern)?;
        let mut messages = buffer.messages.iter().take(if random { usize::MAX } else { 1 });
        Ok(messages.position(|m| fits(&wanted, m)))
    }

    pub fn wanted(&self, pattern: &[Pattern]) -> Result<Vec<Option<i64>>, Wrong> {
        let one = |p: &Pattern| match p {
            Pattern::Match(expr) => self.eval(expr).map(Some),
            Pattern::Store(_) | Pattern::Ignore => Ok(None),
        };
        pattern.iter().map(one).collect()
    }
}

pub fn fits(wanted: &[Option<i64>], message: &[i64]) -> bool {
    wanted.iter().zip(message).all(|(w, m)| w.is_none_or(|w| w == *m))
}

fn int(value: i64) -> i64 {
    i64::from(value as i32)
}
