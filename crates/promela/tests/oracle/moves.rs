//! What a state of a model can do next, read off the statement trees.
//!
//! The rules are those of the language reference, with SPIN's answers where it leaves a choice: the
//! options of a choice within a choice are one list, `else` is compared with what stands before it,
//! outer escapes go before inner ones and before everything they guard, control of an atomic
//! sequence goes to the receiver of a handshake if that is atomic too.

use promela::ast::SelectForm;
use promela::model::{Expr, ExprKind, Pattern, Place, Root, Select, StatementKind};

use crate::tree::{At, Kind, NodeId, Sort, Tree, Way};
use crate::values::{State, View, World, Wrong, fits, wrap};

/// What comes of a move.
pub struct Outcome {
    pub state: Option<State>,
    pub wrong: Option<Wrong>,
}

/// One thing a process can try.
#[derive(Clone)]
struct Edge<'m> {
    node: NodeId,
    act: Act<'m>,
    onward: Onward,
}

#[derive(Clone)]
enum Act<'m> {
    Skip,
    Basic(&'m StatementKind),
    Declare(usize),
    Set(&'m Place, &'m Expr),
    Give(&'m Place, i64),
    Increment(&'m Place),
    /// The index is at most (or, if strictly, below) the bound.
    Within(&'m Place, &'m Expr, bool),
    Zero(usize),
    Count(usize),
    Below(usize, &'m Place),
    Take(&'m Place, &'m [Place]),
    Put(&'m Place, &'m [Place]),
    Else,
    DStep,
}

#[derive(Clone)]
enum Onward {
    /// What follows the node.
    After,
    /// A place inside the node.
    To(At),
    /// The node is a jump.
    Jump,
}

pub fn is_choice(select: &Select) -> bool {
    let constant = |e: &Expr| matches!(e.kind, ExprKind::Number(_));
    select.form == SelectForm::Choice && constant(&select.from) && constant(&select.to)
}

fn edges<'m>(tree: &Tree<'m>, at: &At, found: &mut Vec<Edge<'m>>) {
    let mut push = |node: NodeId, act: Act<'m>, onward: Onward| found.push(Edge { node, act, onward });
    match at {
        At::End => {}
        At::Leave(to, by) => push(by.unwrap_or(0), Act::Skip, Onward::To((**to).clone())),
        At::Node(n) => match &tree.nodes[*n].kind {
            Kind::Basic(StatementKind::Else) => push(*n, Act::Else, Onward::After),
            Kind::Basic(kind) => push(*n, Act::Basic(kind), Onward::After),
            Kind::Declare(local) => push(*n, Act::Declare(*local), Onward::After),
            Kind::Goto(_) | Kind::Break => push(*n, Act::Skip, Onward::Jump),
            Kind::If(options) | Kind::Do(options) => {
                options.iter().for_each(|first| edges(tree, &At::Node(*first), found));
            }
            Kind::Group(Sort::DStep, Some(_)) => push(*n, Act::DStep, Onward::After),
            Kind::Group(_, first) => first.iter().for_each(|f| edges(tree, &At::Node(*f), found)),
            Kind::Unless { main, .. } => main.iter().for_each(|f| edges(tree, &At::Node(*f), found)),
            Kind::For(f, _) => push(*n, Act::Set(&f.index, &f.from), Onward::To(At::Test(*n))),
            Kind::ForMessages(f, _) => push(*n, Act::Zero(f.counter), Onward::To(At::Test(*n))),
            Kind::Select(select) => match (is_choice(select), &select.from.kind, &select.to.kind) {
                (true, ExprKind::Number(low), ExprKind::Number(high)) => {
                    (*low..=*high).for_each(|v| push(*n, Act::Give(&select.index, v.into()), Onward::After));
                }
                _ => push(*n, Act::Set(&select.index, &select.from), Onward::To(At::Test(*n))),
            },
        },
        At::Test(n) => match &tree.nodes[*n].kind {
            Kind::For(f, body) => {
                let body = body.map_or(At::Next(*n), At::Node);
                push(*n, Act::Within(&f.index, &f.to, false), Onward::To(body));
                push(*n, Act::Else, Onward::After);
            }
            Kind::ForMessages(f, _) => {
                push(*n, Act::Below(f.counter, &f.channel), Onward::To(At::Take(*n)));
                push(*n, Act::Else, Onward::After);
            }
            Kind::Select(select) => {
                push(*n, Act::Skip, Onward::After);
                push(*n, Act::Within(&select.index, &select.to, true), Onward::To(At::Next(*n)));
            }
            _ => {}
        },
        At::Take(n) => {
            if let Kind::ForMessages(f, _) = &tree.nodes[*n].kind {
                push(*n, Act::Take(&f.channel, &f.message), Onward::To(At::Put(*n)));
            }
        }
        At::Put(n) => {
            if let Kind::ForMessages(f, body) = &tree.nodes[*n].kind {
                let body = body.map_or(At::Next(*n), At::Node);
                push(*n, Act::Put(&f.channel, &f.message), Onward::To(body));
            }
        }
        At::Next(n) => match &tree.nodes[*n].kind {
            Kind::For(f, _) => push(*n, Act::Increment(&f.index), Onward::To(At::Test(*n))),
            Kind::ForMessages(f, _) => push(*n, Act::Count(f.counter), Onward::To(At::Test(*n))),
            Kind::Select(select) => push(*n, Act::Increment(&select.index), Onward::To(At::Test(*n))),
            _ => {}
        },
    }
}

/// The edges of a place in tiers: escapes first, the last tier is the place itself.
fn tiers<'m>(tree: &Tree<'m>, at: &At) -> Vec<Vec<Edge<'m>>> {
    let mut own = Vec::new();
    edges(tree, at, &mut own);
    let mut escapes: Vec<NodeId> = Vec::new();
    if !matches!(at, At::Leave(_, None)) {
        for escape in own.iter().flat_map(|edge| tree.escapes(edge.node)) {
            if !escapes.contains(&escape) {
                escapes.insert(0, escape);
            }
        }
    }
    let mut tiers = Vec::new();
    for escape in escapes {
        let mut tier = Vec::new();
        edges(tree, &tree.settle(At::Node(escape), None).to, &mut tier);
        tiers.push(tier);
    }
    tiers.push(own);
    tiers
}

/// What trying an act comes to.
enum Tried {
    Blocked,
    Done { failed: bool },
    Offers { channel: usize, message: Vec<i64> },
}

impl<'m> World<'m> {
    /// All moves of a state.
    pub fn moves(&self, state: &State) -> Vec<Outcome> {
        let all = |timeout| -> Vec<Outcome> {
            let pids = state.control.map_or(0..state.processes.len(), |pid| pid..pid + 1);
            let view = View { world: self, state, pid: None, timeout, nesting: 0 };
            pids.flat_map(|pid| ranked(&view, pid)).map(|outcome| self.release(outcome)).collect()
        };
        let eager = all(false);
        if eager.is_empty() { all(true) } else { eager }
    }

    /// A process that cannot go on loses control.
    fn release(&self, mut outcome: Outcome) -> Outcome {
        if let Some(state) = &mut outcome.state
            && let Some(pid) = state.control
        {
            let view = View { world: self, state, pid: None, timeout: false, nesting: 0 };
            if ranked(&view, pid).is_empty() {
                state.control = None;
            }
        }
        outcome
    }

    /// Whether every process is where it may rest: at its end, or at a label that says so.
    pub fn may_rest(&self, state: &State) -> bool {
        state.processes.iter().all(|p| match p.at {
            At::End => true,
            At::Node(n) => self.is_end(p.kind, n),
            At::Test(n) => self.has_end_label(p.kind, n),
            _ => false,
        })
    }

    fn has_end_label(&self, kind: usize, node: NodeId) -> bool {
        let name = |label: &usize| &self.model.processes[kind].labels[*label].name;
        self.trees[kind].nodes[node].labels.iter().any(|label| name(label).starts_with("end"))
    }

    /// Standing at a block or choice is standing at what it begins with.
    fn is_end(&self, kind: usize, node: NodeId) -> bool {
        let below: Vec<NodeId> = match &self.trees[kind].nodes[node].kind {
            Kind::If(options) | Kind::Do(options) => options.clone(),
            Kind::Group(Sort::Plain | Sort::Atomic, first) => first.iter().copied().collect(),
            Kind::Unless { main, .. } => main.iter().copied().collect(),
            _ => Vec::new(),
        };
        self.has_end_label(kind, node) || below.iter().any(|n| self.is_end(kind, *n))
    }
}

pub fn can_move(view: &View<'_, '_>, pid: usize) -> Result<bool, Wrong> {
    if view.nesting >= 8 {
        return Err("CircularEnabled");
    }
    let outcomes = of_process(&View { nesting: view.nesting + 1, ..*view }, pid);
    let circular = outcomes.iter().any(|o| o.wrong == Some("CircularEnabled"));
    if circular { Err("CircularEnabled") } else { Ok(!outcomes.is_empty()) }
}

/// The moves of a process, none if one of higher priority can move.
fn ranked(view: &View<'_, '_>, pid: usize) -> Vec<Outcome> {
    let own = view.state.processes[pid].priority;
    let moves = of_process(view, pid);
    let higher = |(other, p): (usize, &crate::values::Instance)| {
        p.priority > own && !of_process(view, other).is_empty()
    };
    let outranked = !moves.is_empty() && view.state.processes.iter().enumerate().any(higher);
    if outranked { Vec::new() } else { moves }
}

fn of_process(view: &View<'_, '_>, pid: usize) -> Vec<Outcome> {
    let (world, state) = (view.world, view.state);
    let view = View { pid: Some(pid), ..*view };
    match provided(&view) {
        Ok(true) => {}
        Ok(false) => return Vec::new(),
        Err(wrong) => return vec![Outcome { state: None, wrong: Some(wrong) }],
    }
    let process = &state.processes[pid];
    if process.at == At::End {
        let mut after = state.clone();
        after.control = None;
        after.channels.truncate(process.channels_before);
        after.processes.pop();
        let youngest = pid + 1 == state.processes.len();
        return if youngest { vec![Outcome { state: Some(after), wrong: None }] } else { Vec::new() };
    }
    for tier in tiers(&world.trees[process.kind], &process.at) {
        let mut found = Vec::new();
        for edge in &tier {
            if !matches!(edge.act, Act::Else) || found.is_empty() {
                found.extend(by_edge(&view, pid, edge));
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

fn provided(view: &View<'_, '_>) -> Result<bool, Wrong> {
    let Some(pid) = view.pid else { return Ok(true) };
    let kind = view.state.processes[pid].kind;
    match &view.world.model.processes[kind].provided {
        Some(condition) => Ok(view.eval(condition)? != 0),
        None => Ok(true),
    }
}

fn wrong(wrong: Wrong) -> Vec<Outcome> {
    vec![Outcome { state: None, wrong: Some(wrong) }]
}

fn by_edge(view: &View<'_, '_>, pid: usize, edge: &Edge<'_>) -> Vec<Outcome> {
    let mut after = view.state.clone();
    let mut failed = false;
    let tree = &view.world.trees[view.state.processes[pid].kind];
    let act = match entry_of_step(tree, edge) {
        Entry::Plain => edge.act.clone(),
        Entry::Begins(first) => first.act,
        Entry::Chooses(options) => {
            return match can_begin(view, &options) {
                Ok(false) => Vec::new(),
                Ok(true) => {
                    finish_step(view, after, pid, edge, (At::Node(first_inside(tree, edge.node)), false))
                }
                Err(reason) => wrong(reason),
            };
        }
    };
    match try_act(view, &mut after, pid, &act) {
        Err(reason) => wrong(reason),
        Ok(Tried::Blocked) => Vec::new(),
        Ok(Tried::Offers { .. }) if matches!(edge.act, Act::DStep) && !ends_at_once(tree, edge) => {
            wrong("StepBlocks")
        }
        Ok(Tried::Offers { channel, message }) => {
            arrive(tree, &mut after, pid, edge);
            receivers(view, after, pid, channel, &message)
        }
        Ok(Tried::Done { failed: now }) => {
            failed |= now;
            complete(view, after, pid, edge, failed)
        }
    }
}

/// How an edge begins, if it is a d_step.
enum Entry<'m> {
    Plain,
    Begins(Edge<'m>),
    Chooses(Vec<Edge<'m>>),
}

fn first_inside(tree: &Tree<'_>, step: NodeId) -> NodeId {
    let Kind::Group(_, Some(first)) = tree.nodes[step].kind else { return step };
    match tree.settle(At::Node(first), Some(step)).to {
        At::Node(n) => n,
        _ => first,
    }
}

fn entry_of_step<'m>(tree: &Tree<'m>, edge: &Edge<'m>) -> Entry<'m> {
    if !matches!(edge.act, Act::DStep) {
        return Entry::Plain;
    }
    let first = first_inside(tree, edge.node);
    let mut inner = Vec::new();
    edges(tree, &At::Node(first), &mut inner);
    let chooses = match &tree.nodes[first].kind {
        Kind::If(_) | Kind::Do(_) => true,
        Kind::Select(select) => is_choice(select),
        _ => false,
    };
    match inner.first() {
        Some(first) if !chooses => Entry::Begins(first.clone()),
        _ => Entry::Chooses(inner),
    }
}

/// Whether some option that a d_step begins with could be taken.
fn can_begin(view: &View<'_, '_>, options: &[Edge<'_>]) -> Result<bool, Wrong> {
    for option in options {
        let possible = match &option.act {
            Act::Else => true,
            Act::Basic(StatementKind::Send { channel, .. }) => {
                let buffer = view.buffer(channel)?;
                buffer.capacity == 0 || buffer.messages.len() < buffer.capacity
            }
            Act::Basic(StatementKind::Receive { channel, mode, pattern }) => {
                let buffer = view.buffer(channel)?;
                !buffer.messages.is_empty() && view.find(buffer, pattern, mode.random)?.is_some()
            }
            Act::Basic(StatementKind::Guard(expr)) if !matches!(expr.kind, ExprKind::Run { .. }) => {
                view.eval(expr)? != 0
            }
            _ => true,
        };
        if possible {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a d_step is over behind its first statement.
fn ends_at_once(tree: &Tree<'_>, edge: &Edge<'_>) -> bool {
    tree.after(first_inside(tree, edge.node), Some(edge.node)).done
}

/// Goes on behind an edge whose act is done.
fn complete(
    view: &View<'_, '_>,
    mut after: State,
    pid: usize,
    edge: &Edge<'_>,
    failed: bool,
) -> Vec<Outcome> {
    let tree = &view.world.trees[after.processes[pid].kind];
    if matches!(edge.act, Act::DStep) {
        if let Entry::Begins(first) = entry_of_step(tree, edge) {
            return match onward(tree, &first, Some(edge.node)) {
                Way { done: true, .. } => settle_control(view, after, pid, edge, failed),
                Way { to, .. } => finish_step(view, after, pid, edge, (to, failed)),
            };
        }
        return Vec::new();
    }
    let keeps = arrive(tree, &mut after, pid, edge);
    after.control = keeps.then_some(pid);
    vec![Outcome { state: Some(after), wrong: failed.then_some("Assertion") }]
}

fn settle_control(
    view: &View<'_, '_>,
    mut after: State,
    pid: usize,
    edge: &Edge<'_>,
    failed: bool,
) -> Vec<Outcome> {
    let keeps = arrive(&view.world.trees[after.processes[pid].kind], &mut after, pid, edge);
    after.control = keeps.then_some(pid);
    vec![Outcome { state: Some(after), wrong: failed.then_some("Assertion") }]
}

/// Executes a d_step to its end: always the first option that can be taken.
fn finish_step(
    view: &View<'_, '_>,
    mut after: State,
    pid: usize,
    edge: &Edge<'_>,
    (mut at, mut failed): (At, bool),
) -> Vec<Outcome> {
    let tree = &view.world.trees[after.processes[pid].kind];
    let mut seen: Vec<(At, State)> = Vec::new();
    loop {
        if seen.contains(&(at.clone(), after.clone())) {
            return wrong("StepDiverges");
        }
        seen.push((at.clone(), after.clone()));
        let mut options = Vec::new();
        edges(tree, &at, &mut options);
        let mut taken = None;
        for option in options {
            let before = after.clone();
            let now = View { state: &before, ..*view };
            match try_act(&now, &mut after, pid, &option.act) {
                Err(reason) => return wrong(reason),
                Ok(Tried::Done { failed: now }) => {
                    failed |= now;
                    taken = Some(option);
                    break;
                }
                Ok(_) => after = before,
            }
        }
        let Some(option) = taken else { return wrong("StepBlocks") };
        match onward(tree, &option, Some(edge.node)) {
            Way { done: true, .. } => return settle_control(view, after, pid, edge, failed),
            Way { to, .. } => at = to,
        }
    }
}

fn onward(tree: &Tree<'_>, edge: &Edge<'_>, step: Option<NodeId>) -> Way {
    match &edge.onward {
        Onward::After => tree.after(edge.node, step),
        Onward::Jump => tree.jump(edge.node, step),
        Onward::To(at) => tree.settle(at.clone(), step),
    }
}

/// Moves the process to where the edge leads; whether it stays in control.
fn arrive(tree: &Tree<'_>, state: &mut State, pid: usize, edge: &Edge<'_>) -> bool {
    if let (At::Leave(to, _), Act::Skip) = (&state.processes[pid].at, &edge.act) {
        state.processes[pid].at = (**to).clone();
        return false;
    }
    let way = onward(tree, edge, None);
    let Some(region) = tree.region(edge.node) else {
        state.processes[pid].at = way.to;
        return false;
    };
    let ends = matches!(edge.onward, Onward::After)
        && !matches!(tree.nodes[edge.node].kind, Kind::For(..) | Kind::ForMessages(..) | Kind::Select(_))
        && tree.is_last(edge.node, region);
    let jumps_out = matches!(edge.onward, Onward::Jump) && way.left;
    let keeps = !ends && !jumps_out;
    state.processes[pid].at = if way.left && keeps { At::Leave(Box::new(way.to), way.by) } else { way.to };
    keeps
}

/// Every way in which another process takes the offer; `sent` is the state behind the send.
fn receivers(
    view: &View<'_, '_>,
    sent: State,
    sender: usize,
    channel: usize,
    message: &[i64],
) -> Vec<Outcome> {
    let mut found: Vec<(i64, Vec<Outcome>)> = Vec::new();
    for other in (0..sent.processes.len()).filter(|p| *p != sender) {
        let view = View { state: &sent, pid: Some(other), ..*view };
        if provided(&view) != Ok(true) || sent.processes[other].at == At::End {
            continue;
        }
        let process = &sent.processes[other];
        for tier in tiers(&view.world.trees[process.kind], &process.at) {
            let taken: Vec<Outcome> =
                tier.iter().flat_map(|edge| accept(&view, other, edge, channel, message)).collect();
            if !taken.is_empty() {
                found.push((process.priority, taken));
                break;
            }
        }
    }
    let highest = found.iter().map(|(priority, _)| *priority).max();
    found.into_iter().filter(|(p, _)| Some(*p) == highest).flat_map(|(_, outcomes)| outcomes).collect()
}

fn accept(view: &View<'_, '_>, pid: usize, edge: &Edge<'_>, offered: usize, message: &[i64]) -> Vec<Outcome> {
    let tree = &view.world.trees[view.state.processes[pid].kind];
    let act = match entry_of_step(tree, edge) {
        Entry::Plain => edge.act.clone(),
        Entry::Begins(first) => first.act,
        Entry::Chooses(_) => return Vec::new(),
    };
    let Act::Basic(StatementKind::Receive { channel, mode, pattern }) = act else { return Vec::new() };
    let mut after = view.state.clone();
    let taken = || -> Result<bool, Wrong> {
        if view.channel(channel)? != offered || mode.keep {
            return Ok(false);
        }
        if pattern.len() != message.len() {
            return Err("WrongFields");
        }
        if !fits(&view.wanted(pattern)?, message) {
            return Ok(false);
        }
        store(view, &mut after, pid, pattern, message)?;
        Ok(true)
    };
    match { taken }() {
        Err(reason) => wrong(reason),
        Ok(false) => Vec::new(),
        Ok(true) => complete(view, after, pid, edge, false),
    }
}

fn store(
    view: &View<'_, '_>,
    after: &mut State,
    pid: usize,
    pattern: &[Pattern],
    message: &[i64],
) -> Result<(), Wrong> {
    for (pattern, value) in pattern.iter().zip(message) {
        if let Pattern::Store(place) = pattern {
            write(view, after, pid, place, *value)?;
        }
    }
    Ok(())
}

/// Writes a place; its indices are those of the state so far.
fn write(view: &View<'_, '_>, after: &mut State, pid: usize, place: &Place, value: i64) -> Result<(), Wrong> {
    let so_far = after.clone();
    let view = View { state: &so_far, pid: Some(pid), ..*view };
    let model = view.world.model;
    let (variable, scalars) = match place.root {
        Root::Global(id) => (&model.globals[id], &mut after.globals[id]),
        Root::Local(id) => {
            let process = &mut after.processes[pid];
            (&model.processes[process.kind].locals[id], &mut process.locals[id])
        }
        Root::Nowhere => return Ok(()),
    };
    let (offset, ty) = view.offset(place, variable)?;
    scalars[offset] = wrap(ty, value);
    Ok(())
}

fn try_act(view: &View<'_, '_>, after: &mut State, pid: usize, act: &Act<'_>) -> Result<Tried, Wrong> {
    let view = &View { pid: Some(pid), ..*view };
    let done = Ok(Tried::Done { failed: false });
    let when = |holds: bool| Ok(if holds { Tried::Done { failed: false } } else { Tried::Blocked });
    let local = |state: &State, id: usize| state.processes[pid].locals[id][0];
    match act {
        Act::Skip | Act::Else | Act::DStep => done,
        Act::Set(place, expr) => write(view, after, pid, place, view.eval(expr)?).and(done),
        Act::Give(place, value) => write(view, after, pid, place, *value).and(done),
        Act::Increment(place) => write(view, after, pid, place, view.read(place)? + 1).and(done),
        Act::Within(place, bound, strictly) => {
            let (index, bound) = (view.read(place)?, view.eval(bound)?);
            when(if *strictly { index < bound } else { index <= bound })
        }
        Act::Zero(id) => {
            after.processes[pid].locals[*id][0] = 0;
            done
        }
        Act::Count(id) => {
            let ty = view.world.model.processes[view.state.processes[pid].kind].locals[*id].ty;
            after.processes[pid].locals[*id][0] = wrap(ty, local(view.state, *id) + 1);
            done
        }
        Act::Below(id, channel) => when(local(view.state, *id) < view.buffer(channel)?.messages.len() as i64),
        Act::Take(channel, places) => {
            let pattern: Vec<Pattern> = places.iter().cloned().map(Pattern::Store).collect();
            receive(view, (after, pid), channel, (false, false), &pattern)
        }
        Act::Put(channel, places) => {
            let values = places.iter().map(|p| view.read(p)).collect::<Result<Vec<_>, _>>();
            send(view, after, (channel, false), places.len(), &|| values.clone())
        }
        Act::Declare(id) => {
            let variable = &view.world.model.processes[view.state.processes[pid].kind].locals[*id];
            let value = match &variable.initial {
                promela::model::Initial::Value(expr) => view.eval(expr)?,
                _ => 0,
            };
            if !matches!(variable.ty, promela::model::Type::Record(_)) {
                after.processes[pid].locals[*id][0] = wrap(variable.ty, value);
            }
            done
        }
        Act::Basic(kind) => match try_basic(view, after, pid, kind) {
            Err("CircularEnabled") if view.nesting > 0 && !decides(view, kind) => {
                Ok(Tried::Done { failed: false })
            }
            tried => tried,
        },
    }
}

/// Whether it depends on the value of an expression if the statement is executable. An assignment
/// is, whatever it computes; so is a send to a channel that has room.
fn decides(view: &View<'_, '_>, kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Guard(expr) => !matches!(expr.kind, ExprKind::Run { .. }),
        StatementKind::Receive { .. } => true,
        StatementKind::Send { channel, .. } => view.channel(channel).is_err(),
        _ => false,
    }
}

fn try_basic(
    view: &View<'_, '_>,
    after: &mut State,
    pid: usize,
    kind: &StatementKind,
) -> Result<Tried, Wrong> {
    let done = Ok(Tried::Done { failed: false });
    match kind {
        StatementKind::Guard(expr) => match &expr.kind {
            ExprKind::Run { .. } => run(view, after, expr).and(done),
            _ => Ok(if view.eval(expr)? != 0 { Tried::Done { failed: false } } else { Tried::Blocked }),
        },
        StatementKind::Assign { to, value } => {
            let value = match &value.kind {
                ExprKind::Run { .. } => run(view, after, value)?,
                _ => view.eval(value)?,
            };
            write(view, after, pid, to, value).and(done)
        }
        StatementKind::Count { place, up } => {
            let value = view.read(place)? + if *up { 1 } else { -1 };
            write(view, after, pid, place, value).and(done)
        }
        StatementKind::Assert(expr) => Ok(Tried::Done { failed: view.eval(expr)? == 0 }),
        StatementKind::Printf { arguments, .. } => {
            arguments.iter().try_for_each(|a| view.eval(a).map(|_| ())).and(done)
        }
        StatementKind::Printm(expr) => view.eval(expr).and(done),
        StatementKind::SetPriority { process, priority } => {
            let (process, priority) = (view.eval(process)?, rank(view.eval(priority)?)?);
            if let Some(p) = usize::try_from(process).ok().and_then(|p| after.processes.get_mut(p)) {
                p.priority = priority;
            }
            done
        }
        StatementKind::Send { channel, sorted, message } => {
            let values = || message.iter().map(|m| view.eval(m)).collect();
            send(view, after, (channel, *sorted), message.len(), &values)
        }
        StatementKind::Receive { channel, mode, pattern } => {
            receive(view, (after, pid), channel, (mode.random, mode.keep), pattern)
        }
        _ => unreachable!("no basic statement"),
    }
}

fn rank(value: i64) -> Result<i64, Wrong> {
    if (1..=255).contains(&value) { Ok(value) } else { Err("BadPriority") }
}

fn run(view: &View<'_, '_>, after: &mut State, expr: &Expr) -> Result<i64, Wrong> {
    let ExprKind::Run { process, arguments, priority } = &expr.kind else { return Ok(0) };
    let arguments = arguments.iter().map(|a| view.eval(a)).collect::<Result<Vec<_>, _>>()?;
    let priority = match priority {
        Some(priority) => rank(view.eval(priority)?)?,
        None => 1,
    };
    Ok(view.world.create(after, *process, &arguments, priority)? as i64)
}

type Values<'a> = dyn Fn() -> Result<Vec<i64>, Wrong> + 'a;

fn send(
    view: &View<'_, '_>,
    after: &mut State,
    (channel, sorted): (&Place, bool),
    count: usize,
    values: &Values<'_>,
) -> Result<Tried, Wrong> {
    let position = view.channel(channel)?;
    let buffer = &view.state.channels[position];
    if buffer.capacity > 0 && buffer.messages.len() >= buffer.capacity {
        return Ok(Tried::Blocked);
    }
    if count != buffer.fields.len() {
        return Err("WrongFields");
    }
    let message: Vec<i64> = buffer.fields.iter().zip(values()?).map(|(ty, v)| wrap(*ty, v)).collect();
    if buffer.capacity == 0 {
        return Ok(Tried::Offers { channel: position, message });
    }
    let messages = &mut after.channels[position].messages;
    let place = messages.iter().position(|m| sorted && *m > message).unwrap_or(messages.len());
    messages.insert(place, message);
    Ok(Tried::Done { failed: false })
}

fn receive(
    view: &View<'_, '_>,
    (after, pid): (&mut State, usize),
    channel: &Place,
    (random, keep): (bool, bool),
    pattern: &[Pattern],
) -> Result<Tried, Wrong> {
    let position = view.channel(channel)?;
    let buffer = &view.state.channels[position];
    if buffer.capacity == 0 {
        return if keep { Err("PollsRendezvous") } else { Ok(Tried::Blocked) };
    }
    if pattern.len() != buffer.fields.len() {
        return Err("WrongFields");
    }
    let Some(at) = view.find(buffer, pattern, random)? else { return Ok(Tried::Blocked) };
    store(view, after, pid, pattern, &buffer.messages[at])?;
    if !keep {
        after.channels[position].messages.remove(at);
    }
    Ok(Tried::Done { failed: false })
}
