//! The control flow of a process as SPIN sees it: elements in sequences, with joins, breaks and
//! escapes.
//!
//! After SPIN 6.5.2's flow.c, because which elements become steps decides what its users count. An
//! element is a statement, or one of the nodes that structure leaves behind: a join (behind `if`
//! and `unless`, before `do`), the exit of a loop, a compound. Elements are numbered in the order
//! SPIN makes them (inner ones first), which matters where escapes are attached.
//! [`super::automaton`] turns the result into locations and transitions.

use source::Span;
use system::{Expr, Operation};

/// Index of an element.
pub(crate) type El = usize;
/// Index of a sequence.
pub(crate) type Seq = usize;

/// What a statement does.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) guard: Expr,
    pub(crate) command: Vec<Operation>,
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Action {
    /// A condition to go on.
    pub(crate) fn test(guard: Expr, text: &str, span: Span) -> Action {
        Action { guard, command: Vec::new(), text: text.to_string(), span }
    }

    pub(crate) fn command(command: Vec<Operation>, text: &str, span: Span) -> Action {
        Action { guard: logic::Term::TRUE, command, text: text.to_string(), span }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Action(Action),
    /// `skip`, `true` or 1, which SPIN treats as a known step.
    Skip(Action),
    /// `false` or 0.
    Never(Action),
    Else(Span),
    Goto {
        to: Target,
        text: String,
        span: Span,
    },
    /// Where the options of an `if` meet, a loop begins again, or an `unless` ends.
    Join,
    /// Where a loop ends.
    Exit,
    If,
    Do,
    /// Main sequence and escape in `sub`.
    Unless,
    Atomic(Seq),
    Step(Seq),
    Block(Seq),
    /// The process ends.
    End(Action),
}

/// Where a jump goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Label(usize),
    /// The exit of a loop, by its number.
    Loop(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) node: Node,
    pub(crate) next: Option<El>,
    /// Options of `if` and `do`; main sequence and escape of `unless`.
    pub(crate) sub: Vec<Seq>,
    /// Escapes attached here, the latest first.
    pub(crate) escapes: Vec<Seq>,
    /// Inside an atomic sequence and not its last statement.
    pub(crate) atomic: bool,
    /// The last statement of an atomic sequence.
    pub(crate) last_atomic: bool,
    /// Inside a d_step.
    pub(crate) in_step: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sequence {
    pub(crate) first: Option<El>,
    pub(crate) last: Option<El>,
    /// The last element when the sequence was closed, before joins were added.
    pub(crate) extent: Option<El>,
}

/// The elements of one process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    pub(crate) elements: Vec<Element>,
    pub(crate) sequences: Vec<Sequence>,
    /// By label: the element it stands at.
    pub(crate) labels: Vec<Option<El>>,
    /// By loop: its exit.
    pub(crate) exits: Vec<Option<El>>,
}

impl Flow {
    pub(crate) fn new(labels: usize) -> Flow {
        Flow { labels: vec![None; labels], ..Flow::default() }
    }

    pub(crate) fn open(&mut self) -> Seq {
        self.sequences.push(Sequence::default());
        self.sequences.len() - 1
    }

    pub(crate) fn close(&mut self, seq: Seq) {
        self.sequences[seq].extent = self.sequences[seq].last;
    }

    pub(crate) fn element(&mut self, node: Node, span: Span) -> El {
        self.elements.push(Element {
            node,
            next: None,
            sub: Vec::new(),
            escapes: Vec::new(),
            atomic: false,
            last_atomic: false,
            in_step: false,
            span,
        });
        self.elements.len() - 1
    }

    /// A new element at the end of a sequence.
    pub(crate) fn put(&mut self, seq: Seq, node: Node, span: Span) -> El {
        let el = self.element(node, span);
        self.append(seq, el);
        el
    }

    /// Appends an element to a sequence.
    pub(crate) fn append(&mut self, seq: Seq, el: El) {
        match self.sequences[seq].last {
            None => self.sequences[seq].first = Some(el),
            Some(last) => self.elements[last].next = Some(el),
        }
        self.sequences[seq].last = Some(el);
    }

    /// Puts an `if` or `do` with these options at the end of `seq`; gives the element that labels
    /// stand at.
    pub(crate) fn choice(
        &mut self,
        seq: Seq,
        mut options: Vec<Seq>,
        loop_exit: Option<usize>,
        span: Span,
    ) -> El {
        let head = self.element(if loop_exit.is_some() { Node::Do } else { Node::If }, span);
        let join = self.element(Node::Join, span);
        self.move_else_last(&mut options);
        for option in &options {
            self.append(*option, join);
        }
        self.elements[head].sub = options;
        match loop_exit {
            None => {
                self.append(seq, head);
                self.append(seq, join);
            }
            Some(number) => {
                self.append(seq, join);
                let exit = self.element(Node::Exit, span);
                self.exits[number] = Some(exit);
                self.append(seq, head);
                self.append(seq, exit);
            }
        }
        head
    }

    fn move_else_last(&self, options: &mut Vec<Seq>) {
        let is_else = |seq: &Seq| {
            self.sequences[*seq].first.is_some_and(|el| matches!(self.elements[el].node, Node::Else(_)))
        };
        if let Some(at) = options.iter().position(is_else) {
            let option = options.remove(at);
            options.push(option);
        }
    }

    /// Puts `main unless escape` at the end of `seq`.
    pub(crate) fn unless(&mut self, seq: Seq, main: Seq, escape: Seq, span: Span) -> El {
        let head = self.element(Node::Unless, span);
        let join = self.element(Node::Join, span);
        self.elements[head].sub = vec![main, escape];
        self.append(main, join);
        self.append(escape, join);
        self.attach_escape(main, escape);
        self.append(seq, head);
        self.append(seq, join);
        head
    }

    /// The elements of a sequence up to `until`.
    fn chain(&self, seq: Seq, until: Option<El>) -> Vec<El> {
        let mut chain = Vec::new();
        let mut at = self.sequences[seq].first;
        while let Some(el) = at {
            chain.push(el);
            if at == until || chain.len() > self.elements.len() {
                break;
            }
            at = self.elements[el].next;
        }
        chain
    }

    /// Everything in `seq` can be left by the first statement of `escape`.
    fn attach_escape(&mut self, seq: Seq, escape: Seq) {
        for el in self.chain(seq, self.sequences[seq].extent) {
            self.escape_element(el, escape);
        }
    }

    fn escape_element(&mut self, el: El, escape: Seq) {
        if self.elements[el].escapes.contains(&escape) {
            return;
        }
        for lower in self.elements[el].escapes.clone() {
            self.attach_escape(lower, escape);
        }
        self.elements[el].escapes.insert(0, escape);
        match self.elements[el].node {
            Node::Unless => self.attach_escape(self.elements[el].sub[0], escape),
            Node::If | Node::Do => {
                for option in self.elements[el].sub.clone() {
                    self.attach_escape(option, escape);
                }
            }
            Node::Step(inner) => {
                if let Some(first) = self.sequences[inner].first {
                    self.escape_element(first, escape);
                }
            }
            Node::Atomic(inner) | Node::Block(inner) => self.attach_escape(inner, escape),
            _ => {}
        }
    }

    /// Marks a sequence as atomic (or, with `step`, as a d_step); its last statement ends it.
    pub(crate) fn make_atomic(&mut self, seq: Seq, step: bool) {
        self.walk_atomic(seq, step);
        let Some(last) = self.sequences[seq].last else { return };
        match self.elements[last].node {
            Node::Block(inner) | Node::Atomic(inner) => self.make_atomic(inner, step),
            Node::Unless => self.make_atomic(self.elements[last].sub[0], step),
            _ => {
                self.elements[last].atomic = false;
                self.elements[last].last_atomic = true;
            }
        }
    }

    fn walk_atomic(&mut self, seq: Seq, step: bool) {
        for el in self.chain(seq, self.sequences[seq].last) {
            let element = &mut self.elements[el];
            element.atomic = true;
            element.in_step |= step;
            match element.node {
                Node::Atomic(inner) | Node::Block(inner) => {
                    element.node = Node::Block(inner);
                    self.walk_atomic(inner, step);
                }
                Node::Step(inner) if step => {
                    element.node = Node::Block(inner);
                    self.walk_atomic(inner, step);
                }
                _ => {}
            }
            for option in self.elements[el].sub.clone() {
                self.walk_atomic(option, step);
            }
        }
    }

    /// Takes unlabelled skips out of an option that follow one another, as SPIN does.
    pub(crate) fn drop_redundant_skips(&mut self, seq: Seq) {
        let Sequence { first, last, extent } = self.sequences[seq];
        let (mut in_row, mut before) = (0, first);
        for el in self.chain(seq, last) {
            let unlabelled = !self.labels.contains(&Some(el));
            let (skip, print) = match &self.elements[el].node {
                Node::Skip(_) => (true, false),
                Node::Action(a) => (false, matches!(a.command[..], [Operation::Print { .. }])),
                _ => (false, false),
            };
            in_row = if (skip || print) && unlabelled { in_row + 1 } else { 0 };
            let is_edge = [first, last, extent].contains(&Some(el));
            if in_row > 1 && skip && !is_edge {
                if let Some(before) = before {
                    self.elements[before].next = self.elements[el].next;
                }
            } else {
                before = Some(el);
            }
        }
    }

    /// Ties the ends of blocks to what follows them.
    pub(crate) fn tie_loose_ends(&mut self) {
        for el in (0..self.elements.len()).rev() {
            let (Node::Atomic(inner) | Node::Block(inner) | Node::Step(inner)) = self.elements[el].node
            else {
                continue;
            };
            let mut following = self.elements[el].next;
            while let Some(f) = following
                && matches!(self.elements[f].node, Node::Join)
            {
                following = self.elements[f].next;
            }
            if let Some(last) = self.sequences[inner].last
                && self.elements[last].next.is_none()
            {
                self.elements[last].next = following;
            }
        }
    }

    pub(crate) fn target(&self, target: Target) -> Option<El> {
        match target {
            Target::Label(label) => self.labels[label],
            Target::Loop(number) => self.exits[number],
        }
    }

    /// The element at which a process that goes to `el` comes to rest: joins, exits and jumps are
    /// passed through, but not across the border of an atomic sequence if the way there is atomic.
    pub(crate) fn hunt(&self, start: El, atomic: bool) -> El {
        let mut at = start;
        for _ in 0..=self.elements.len() {
            let element = &self.elements[at];
            let onward = match &element.node {
                Node::Goto { to, .. } => self.target(*to),
                Node::Join | Node::Exit => element.next,
                Node::Unless => self.sequences[element.sub[0]].first.map(|first| self.hunt(first, atomic)),
                _ => None,
            };
            // No process stands at an `unless` itself; SPIN has one blocked there if its main part
            // begins with a jump out of the atomic.
            let stays = atomic && !matches!(element.node, Node::Unless);
            match onward {
                Some(next) if next != at && (self.elements[next].atomic || !stays) => at = next,
                _ => return at,
            }
        }
        start
    }

    /// The element that stands for the beginning of a sequence.
    pub(crate) fn hunt_start(&self, start: El) -> El {
        let mut at = start;
        for _ in 0..=self.elements.len() {
            let element = &self.elements[at];
            match &element.node {
                Node::Join if element.next.is_some() => at = element.next.unwrap_or(at),
                Node::Unless => match self.sequences[element.sub[0]].first {
                    Some(first) => at = first,
                    None => return at,
                },
                _ => return at,
            }
        }
        start
    }
}
