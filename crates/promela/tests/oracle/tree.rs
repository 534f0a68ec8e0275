//! A process as a tree of nodes with parents: what follows what is found by walking up, whenever it
//! is asked.

use promela::model::{
    Block, For, ForMessages, LabelId, LocalId, Process, Select, Statement, StatementKind, Step,
};

pub type NodeId = usize;

/// The d_step and the atomic region that control is in.
type Within = (Option<NodeId>, Option<NodeId>);

/// A statement or declaration, and where it stands.
pub struct Node<'m> {
    pub kind: Kind<'m>,
    parent: Option<(NodeId, Side)>,
    next: Option<NodeId>,
    pub labels: Vec<LabelId>,
}

pub enum Kind<'m> {
    Basic(&'m StatementKind),
    Declare(LocalId),
    Goto(LabelId),
    Break,
    /// The first nodes of the options, else last.
    If(Vec<NodeId>),
    Do(Vec<NodeId>),
    Group(Sort, Option<NodeId>),
    Unless {
        main: Option<NodeId>,
        escape: Option<NodeId>,
    },
    For(&'m For, Option<NodeId>),
    ForMessages(&'m ForMessages, Option<NodeId>),
    Select(&'m Select),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Plain,
    Atomic,
    DStep,
}

/// Which part of its parent a node belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Body,
    Main,
    Escape,
}

/// Where a process stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum At {
    Node(NodeId),
    /// Before the question whether a loop goes on.
    Test(NodeId),
    /// Before the two halves of turning a channel round.
    Take(NodeId),
    Put(NodeId),
    /// Before the next round of a loop.
    Next(NodeId),
    /// Behind the last statement of an atomic sequence, if that is inside a choice or before a
    /// jump: leaving is a step. The jump or loop that is left, if any, can still be escaped from.
    Leave(Box<At>, Option<NodeId>),
    End,
}

/// How one gets from a completed statement to the next.
pub struct Way {
    pub to: At,
    /// It left the atomic sequence it began in.
    pub left: bool,
    /// The jump or loop by which it did.
    pub by: Option<NodeId>,
    /// It left the d_step asked about; `to` means nothing then.
    pub done: bool,
}

pub struct Tree<'m> {
    pub nodes: Vec<Node<'m>>,
    first: Option<NodeId>,
    /// By label.
    targets: Vec<Option<At>>,
}

impl<'m> Tree<'m> {
    pub fn of(process: &'m Process) -> Tree<'m> {
        let targets = vec![None; process.labels.len()];
        let mut tree = Tree { nodes: Vec::new(), first: None, targets };
        tree.first = tree.block(&process.body, None);
        tree
    }

    pub fn start(&self) -> At {
        self.settle(self.first.map_or(At::End, At::Node), None).to
    }

    fn block(&mut self, block: &'m Block, parent: Option<(NodeId, Side)>) -> Option<NodeId> {
        let (mut first, mut last): (Option<NodeId>, Option<NodeId>) = (None, None);
        for step in &block.steps {
            for node in self.step(step, parent) {
                match last {
                    None => first = Some(node),
                    Some(last) => self.nodes[last].next = Some(node),
                }
                last = Some(node);
            }
        }
        first
    }

    fn step(&mut self, step: &'m Step, parent: Option<(NodeId, Side)>) -> Vec<NodeId> {
        match step {
            Step::Declare { runs: false, .. } | Step::Exclusive { .. } => Vec::new(),
            Step::Declare { variables, .. } => {
                variables.iter().map(|local| self.node(Kind::Declare(*local), parent, &[])).collect()
            }
            Step::Statement(statement) => vec![self.statement(statement, parent)],
            Step::Unless { main, escape, .. } => {
                let id = self.node(Kind::Unless { main: None, escape: None }, parent, &[]);
                let main = Some(self.statement(main, Some((id, Side::Main))));
                let escape = Some(self.statement(escape, Some((id, Side::Escape))));
                self.nodes[id].kind = Kind::Unless { main, escape };
                vec![id]
            }
        }
    }

    fn node(&mut self, kind: Kind<'m>, parent: Option<(NodeId, Side)>, labels: &[LabelId]) -> NodeId {
        self.nodes.push(Node { kind, parent, next: None, labels: labels.to_vec() });
        self.nodes.len() - 1
    }

    fn statement(&mut self, statement: &'m Statement, parent: Option<(NodeId, Side)>) -> NodeId {
        let id = self.node(Kind::Break, parent, &statement.labels);
        let inside = Some((id, Side::Body));
        self.nodes[id].kind = match &statement.kind {
            StatementKind::Goto(label) => Kind::Goto(*label),
            StatementKind::Break => Kind::Break,
            StatementKind::If(options) => Kind::If(self.options(options, inside)),
            StatementKind::Do(options) => Kind::Do(self.options(options, inside)),
            StatementKind::Atomic(block) => Kind::Group(Sort::Atomic, self.block(block, inside)),
            StatementKind::DStep(block) => Kind::Group(Sort::DStep, self.block(block, inside)),
            StatementKind::Block(block) => Kind::Group(Sort::Plain, self.block(block, inside)),
            StatementKind::For(range) => Kind::For(range, self.block(&range.body, inside)),
            StatementKind::ForMessages(f) => Kind::ForMessages(f, self.block(&f.body, inside)),
            StatementKind::Select(select) => Kind::Select(select),
            kind => Kind::Basic(kind),
        };
        // SPIN takes `for` and the looping `select` apart before it sees the label, which then
        // stands at the loop.
        let looping = match &self.nodes[id].kind {
            Kind::For(..) | Kind::ForMessages(..) => true,
            Kind::Select(select) => !crate::moves::is_choice(select),
            _ => false,
        };
        for label in &statement.labels {
            self.targets[*label] = Some(if looping { At::Test(id) } else { At::Node(id) });
        }
        id
    }

    fn options(&mut self, blocks: &'m [Block], inside: Option<(NodeId, Side)>) -> Vec<NodeId> {
        let firsts = blocks.iter().filter_map(|block| self.block(block, inside));
        let mut firsts: Vec<NodeId> = firsts.collect();
        let is_else = |n: &NodeId| matches!(self.nodes[*n].kind, Kind::Basic(StatementKind::Else));
        if let Some(at) = firsts.iter().position(is_else) {
            let option = firsts.remove(at);
            firsts.push(option);
        }
        firsts
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].parent.map(|(parent, _)| parent)
    }

    fn is_inside(&self, node: NodeId, group: NodeId) -> bool {
        std::iter::successors(self.parent(node), |n| self.parent(*n)).any(|n| n == group)
    }

    /// The outermost atomic sequence around a node.
    pub fn region(&self, node: NodeId) -> Option<NodeId> {
        let around = std::iter::successors(self.parent(node), |n| self.parent(*n));
        around.filter(|n| matches!(self.nodes[*n].kind, Kind::Group(Sort::Atomic, _))).last()
    }

    /// The escapes that a node can be left by, innermost first: their first nodes.
    pub fn escapes(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut at = node;
        while let Some((parent, side)) = self.nodes[at].parent {
            if let (Kind::Unless { escape: Some(escape), .. }, Side::Main) = (&self.nodes[parent].kind, side)
            {
                found.push(*escape);
            }
            at = parent;
        }
        found
    }

    /// Whether a node is the last statement of an atomic sequence, directly or in plain braces.
    pub fn is_last(&self, node: NodeId, region: NodeId) -> bool {
        let mut at = node;
        while at != region {
            let Some(parent) = self.parent(at) else { return false };
            let plain = matches!(self.nodes[parent].kind, Kind::Group(Sort::Plain | Sort::Atomic, _));
            if self.nodes[at].next.is_some() || !plain {
                return false;
            }
            at = parent;
        }
        true
    }

    /// Where completing a node leads; `step` is the d_step that is being executed.
    pub fn after(&self, node: NodeId, step: Option<NodeId>) -> Way {
        let mut way = Way { to: At::End, left: false, by: None, done: false };
        self.fall(node, step, self.region(node), &mut way);
        way
    }

    /// Goes on at a place, through what is no step.
    pub fn settle(&self, at: At, step: Option<NodeId>) -> Way {
        let region = if let At::Node(n) = at { self.region(n) } else { None };
        let mut way = Way { to: At::End, left: false, by: None, done: false };
        self.rest(at, (step, region), &mut way, 0);
        way
    }

    /// Where a jump leads.
    pub fn jump(&self, node: NodeId, step: Option<NodeId>) -> Way {
        let mut way = Way { to: At::End, left: false, by: None, done: false };
        self.leap(node, (step, self.region(node)), &mut way, 0);
        way
    }

    fn fall(&self, node: NodeId, step: Option<NodeId>, region: Option<NodeId>, way: &mut Way) {
        if let Some(next) = self.nodes[node].next {
            return self.rest(At::Node(next), (step, region), way, 0);
        }
        let Some(parent) = self.parent(node) else { return };
        match &self.nodes[parent].kind {
            Kind::Do(_) => way.to = At::Node(parent),
            Kind::For(..) | Kind::ForMessages(..) => way.to = At::Next(parent),
            _ if step == Some(parent) => way.done = true,
            _ => {
                if region == Some(parent) {
                    way.left = true;
                    let exits = |n: NodeId| {
                        matches!(self.nodes[n].kind, Kind::Do(_) | Kind::For(..) | Kind::ForMessages(..))
                    };
                    way.by = Some(node).filter(|n| exits(*n));
                }
                self.fall(parent, step, region, way);
            }
        }
    }

    fn rest(&self, at: At, (step, region): Within, way: &mut Way, jumps: usize) {
        let At::Node(n) = at else {
            way.to = at;
            return;
        };
        match &self.nodes[n].kind {
            Kind::Goto(_) | Kind::Break if jumps < 100 => self.leap(n, (step, region), way, jumps),
            Kind::Unless { main: Some(main), .. } => {
                let plain_first = match &self.nodes[*main].kind {
                    Kind::Group(Sort::Plain, first) => *first,
                    _ => Some(*main),
                };
                match plain_first {
                    Some(first) => self.rest(At::Node(first), (step, region), way, jumps),
                    None => self.fall(n, step, region, way),
                }
            }
            Kind::Group(_, None) => self.fall(n, step, region, way),
            Kind::Group(..) if step.is_some() => match self.nodes[n].kind {
                Kind::Group(_, Some(first)) => self.rest(At::Node(first), (step, region), way, jumps),
                _ => way.to = At::Node(n),
            },
            _ => way.to = At::Node(n),
        }
    }

    fn leap(&self, node: NodeId, (step, region): Within, way: &mut Way, jumps: usize) {
        if let Kind::Goto(label) = self.nodes[node].kind {
            let target = self.targets[label].clone().unwrap_or(At::End);
            let inside = match &target {
                At::Node(n) | At::Test(n) => self.region(*n),
                _ => None,
            };
            self.leave_by(node, region.is_some() && inside.is_none(), way);
            return self.rest(target, (step, inside), way, jumps + 1);
        }
        let is_loop =
            |n: &NodeId| matches!(self.nodes[*n].kind, Kind::Do(_) | Kind::For(..) | Kind::ForMessages(..));
        let mut around = std::iter::successors(self.parent(node), |n| self.parent(*n));
        if let Some(round) = around.find(is_loop) {
            self.leave_by(node, region.is_some_and(|region| !self.is_inside(round, region)), way);
            self.fall(round, step, region, way);
        }
    }

    fn leave_by(&self, jump: NodeId, leaves: bool, way: &mut Way) {
        if leaves && !way.left {
            way.left = true;
            way.by = Some(jump);
        }
    }
}
