//! Executors that have a thread for each task: `newCachedThreadPool` and
//! `newVirtualThreadPerTaskExecutor`.
//!
//! A task is a thread that belongs to the executor. After `shutdown` tasks are refused, which is an
//! error; `close` waits for all of them to end, `awaitTermination` for that or for its time.
//! Executors with a bounded number of threads are not modelled: a task that waits for another one
//! that has no thread yet would be taken for one that goes on.

use crate::draft::Variable;
use crate::flow::Label;
use crate::lower::Lower;
use crate::tree::{arguments, child};
use structures::formula as f;
use structures::vocabulary::{Attribute, Symbol};
use tree_sitter::Node;

/// The executor that a thread belongs to.
pub const POOL: &str = "pool";

const MAKERS: [&str; 2] = ["newCachedThreadPool", "newVirtualThreadPerTaskExecutor"];

impl<'t> Lower<'t> {
    /// `Executors.newCachedThreadPool()` and the like.
    pub fn makes_executor(&self, node: Node<'t>) -> bool {
        let on = child(node, "object").map(|o| self.program.text(o));
        let arguments = arguments(node).len();
        node.kind() == "method_invocation"
            && on == Some("Executors")
            && MAKERS.contains(&self.program.part(node, "name"))
            && arguments == 0
    }

    fn pool(&mut self) -> Symbol {
        self.symbol(POOL, 2, &[Attribute::Function])
    }

    fn is_down(&mut self) -> Symbol {
        self.symbol("is_down", 1, &[])
    }

    /// A call of or on an executor; `None` if it is none.
    pub fn executor_call(&mut self, node: Node<'t>, at: &mut Label) -> Option<Variable> {
        if self.makes_executor(node) {
            let (draft, _, result) = self.creating("ExecutorService", node);
            self.then(draft, at, node);
            return Some(result);
        }
        let object = child(node, "object")?;
        if !matches!(self.class_of(object).as_str(), "ExecutorService" | "Executor") {
            return None;
        }
        let arguments = arguments(node);
        let (on, _) = self.operand(object, at);
        match (self.program.part(node, "name"), &arguments[..]) {
            ("submit", [task]) => {
                self.keeps(*task);
                self.submit(&on, *task, node, at);
            }
            ("execute", [task]) => self.submit(&on, *task, node, at),
            ("shutdown", []) => self.shutdown(&on, node, at),
            ("close", []) => {
                self.shutdown(&on, node, at);
                let to = self.label(node);
                self.all_ended(&on, node, *at, to);
                *at = to;
            }
            ("awaitTermination", [time, ..]) => {
                self.effect_inside(*time, at);
                let to = self.label(node);
                self.ended_or_late(&on, node, *at, [to, to]);
                *at = to;
            }
            _ => self.program.outside(node),
        }
        Some(Variable::Nothing)
    }

    /// `if (e.awaitTermination(…))`; false if it is none.
    pub fn executor_condition(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) -> bool {
        let Some(object) = child(node, "object") else { return false };
        if self.class_of(object) != "ExecutorService" || self.program.part(node, "name") != "awaitTermination"
        {
            return false;
        }
        let mut at = from;
        let (on, _) = self.operand(object, &mut at);
        let time = arguments(node).first().copied();
        time.into_iter().for_each(|n| self.effect_inside(n, &mut at));
        self.ended_or_late(&on, node, at, [yes, no]);
        true
    }

    /// What a task throws is kept.
    fn keeps(&mut self, task: Node<'t>) {
        let bodies = match task.kind() {
            "lambda_expression" => child(task, "body").into_iter().collect(),
            _ => {
                let runs = self.program.below(&self.class_of(task));
                let body = |c: &String| self.program.find_method(c, "run", 0).and_then(|m| m.body);
                runs.iter().filter_map(body).collect::<Vec<_>>()
            }
        };
        self.submitted.extend(bodies.iter().map(Node::id));
    }

    /// A thread for the task, started at once, unless the executor has been shut down.
    fn submit(&mut self, on: &Variable, task: Node<'t>, node: Node<'t>, at: &mut Label) {
        self.must_be(on, node, at);
        let thread = self.thread_that_runs(task, node, at);
        let (pool, down, started) = (self.pool(), self.is_down(), self.symbol("started", 1, &[]));
        let mut late = self.draft(node);
        let e = late.refers(on);
        late.when(f::atom(down, &[e]));
        self.fails(late, *at, "a task after shutdown", node);
        let mut draft = self.draft(node);
        draft.focus(on, None);
        draft.focus(&thread, None);
        let (e, x) = (draft.choose(), draft.choose());
        let (is, new) = (draft.is(on, e), draft.is(&thread, x));
        draft.when(f::and([is, new, f::not(f::atom(down, &[e]))]));
        let (s, t, p) = (draft.fresh(), draft.fresh(), draft.fresh());
        draft.update(started, &[s], f::or([f::atom(started, &[s]), f::equal(s, x)]));
        draft.update(pool, &[t, p], f::choose(f::equal(t, x), f::equal(p, e), f::atom(pool, &[t, p])));
        draft.starts = Some(x);
        self.then(draft, at, node);
    }

    fn shutdown(&mut self, on: &Variable, node: Node<'t>, at: &mut Label) {
        self.not_null(on, node, *at);
        let down = self.is_down();
        let mut draft = self.draft(node);
        draft.focus(on, None);
        let (e, o) = (draft.choose(), draft.fresh());
        let is = draft.is(on, e);
        draft.when(is);
        draft.update(down, &[o], f::or([f::atom(down, &[o]), f::equal(o, e)]));
        self.then(draft, at, node);
    }

    /// All tasks have ended, and there will be no more.
    fn all_ended(&mut self, on: &Variable, node: Node<'t>, from: Label, to: Label) {
        self.not_null(on, node, from);
        let down = self.is_down();
        self.pool();
        let mut draft = self.draft(node);
        let e = draft.refers(on);
        draft.when(f::atom(down, &[e]));
        draft.awaits = Some(e);
        self.flow.add(draft, from, to);
    }

    fn ended_or_late(&mut self, on: &Variable, node: Node<'t>, from: Label, [ended, late]: [Label; 2]) {
        self.interruption(None, node, from);
        self.all_ended(on, node, from, ended);
        let mut draft = self.draft(node);
        draft.action.name = format!("{}, its time is over", draft.action.name);
        draft.focus(on, None);
        let null = draft.is_null(on);
        draft.when(f::not(null));
        self.flow.add(draft, from, late);
    }
}
