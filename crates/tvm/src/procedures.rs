//! Procedure calls and exceptions, written out as predicates and actions.
//!
//! After the paper, which handles calls as Rinetzky and Sagiv do: the stack is part of the state.
//! Every call that goes on is an individual; `top(t, f)` is the innermost one of a thread,
//! `pr(f, g)` the one that called, and `cs[s](f)` the place it goes back to; `from[s](t)` and
//! `under[s](f)` say that of the innermost call of a thread and of the caller. A stack of any
//! height is a shape like any other, so recursion needs nothing more. Exceptions are transitions: a
//! procedure is left by `return` or by `raise`, and a call goes on at its `else` in the second
//! case. Without one the exception goes on to the caller; in a thread it is an error.
//!
//! A procedure that several kinds of threads call is copied: the places of the copy for a thread T
//! end in `_T`. One that is called from one place alone, and not while it is being called, needs no
//! stack: where it goes back to is known. With any number of threads that makes the difference
//! between few structures and very many.

use crate::ast::{Call, Ident, Item, Name, ProcedureDef, ThreadDef, Transition};
use crate::parser::parse_at;
use source::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The procedures by their names.
type Procedures<'a> = BTreeMap<&'a str, &'a ProcedureDef>;

/// Going into a procedure and out of it without a stack.
const DIRECT: &str = "
action enter_directly { }
action leave_directly { }
action uncaught_directly { error \"uncaught exception\" }
";

/// Predicates of the stack, with `SITES` for the places of calls.
const STACK: &str = "
set call_site = { SITES }
predicate top(t, f) function invfunction
predicate pr(f, g) function invfunction
foreach (s in call_site) { predicate cs[s](f) }
derived is_top(f) = exists t. top(t, f)
derived is_pr(g) = exists f. pr(f, g)
derived has_pr(f) = exists g. pr(f, g)
foreach (s in call_site) {
  derived from[s](t) = exists f. top(t, f) & cs[s](f)
  derived under[s](f) = exists g. pr(f, g) & cs[s](g)
}
constraint top(t, f) => !pr(g, f)
constraint is_top(f) => !is_pr(f)
constraint is_pr(f) => !is_top(f)
action call[s] {
  focus top(self, f)
  new n
  top(t, x) := (t == self ? x == n : top(t, x))
  pr(x, y) := pr(x, y) | x == n & top(self, y)
  cs[s](x) := cs[s](x) | x == n
}
action back[s] {
  focus top(self, f) & pr(f, g)
  when from[s](self)
  top(t, x) := (t == self ? (exists f. top(self, f) & pr(f, x)) : top(t, x))
  retain x: !top(self, x)
}
action uncaught[s] {
  focus top(self, f) & pr(f, g)
  when from[s](self)
  top(t, x) := (t == self ? (exists f. top(self, f) & pr(f, x)) : top(t, x))
  retain x: !top(self, x)
  error \"uncaught exception\"
}
";

/// The items without procedures and calls.
pub fn expand(items: Vec<Item>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Item> {
    let threads = || items.iter().filter_map(|item| if let Item::Thread(t) = item { Some(t) } else { None });
    let declared = items.iter().filter_map(|item| if let Item::Procedure(p) = item { Some(p) } else { None });
    let procedures: Procedures<'_> = declared.map(|p| (p.name.text.as_str(), p)).collect();
    if procedures.is_empty() && !threads().any(|t| t.transitions.iter().any(|t| t.calls)) {
        return items;
    }
    let uses = |thread: &ThreadDef, name: &str| count(&thread.transitions, &procedures).contains_key(name);
    let users = |name: &str| threads().filter(|thread| uses(thread, name)).count();
    let shared: BTreeSet<&str> = procedures.keys().copied().filter(|name| users(name) > 1).collect();
    let mut sites = BTreeSet::new();
    let mut out = Vec::new();
    for item in &items {
        match item {
            Item::Procedure(_) => {}
            Item::Thread(thread) => {
                let mut writer = Writer {
                    thread: &thread.name,
                    procedures: &procedures,
                    shared: &shared,
                    direct: direct(&thread.transitions, &procedures),
                    sites: &mut sites,
                    diagnostics,
                    out: Vec::new(),
                };
                writer.all(&thread.transitions);
                let transitions = writer.out;
                out.push(Item::Thread(ThreadDef { transitions, ..thread.clone() }));
            }
            other => out.push(other.clone()),
        }
    }
    let place = procedures.values().map(|p| p.name.span).next().unwrap_or_default();
    let names: Vec<String> = sites.into_iter().collect();
    let text = if names.is_empty() { DIRECT.to_string() } else { format!("{DIRECT}{STACK}") };
    let stack = parse_at(&text.replace("SITES", &names.join(", ")), place);
    stack.into_iter().chain(out).collect()
}

/// The procedures that need no stack: called from one place of a thread and what it calls, and not
/// by themselves, even through others. Called once, a procedure that calls itself would not be
/// reached from outside; so none calls itself here.
fn direct(transitions: &[Transition], procedures: &Procedures<'_>) -> BTreeSet<String> {
    let once = count(transitions, procedures).into_iter().filter(|(_, n)| *n == 1);
    once.map(|(name, _)| name.to_string()).collect()
}

/// How often each procedure is called, perhaps through others, by texts that are reached, each
/// counted once.
fn count<'a>(transitions: &'a [Transition], procedures: &Procedures<'a>) -> BTreeMap<&'a str, usize> {
    let called = |ts: &'a [Transition]| -> Vec<&'a str> {
        ts.iter().filter(|t| t.calls).map(|t| t.call.name.base.text.as_str()).collect()
    };
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    let mut todo = called(transitions);
    while let Some(next) = todo.pop() {
        let times = count.entry(next).or_default();
        *times += 1;
        if let (1, Some(procedure)) = (*times, procedures.get(next)) {
            todo.extend(called(&procedure.transitions));
        }
    }
    count
}

/// Writes the transitions of one kind of thread.
struct Writer<'a> {
    thread: &'a Ident,
    procedures: &'a Procedures<'a>,
    shared: &'a BTreeSet<&'a str>,
    direct: BTreeSet<String>,
    sites: &'a mut BTreeSet<String>,
    diagnostics: &'a mut Vec<Diagnostic>,
    out: Vec<Transition>,
}

impl Writer<'_> {
    /// The transitions of the thread, and of every procedure that is called.
    fn all(&mut self, transitions: &[Transition]) {
        let mut todo = self.body(transitions, None);
        let mut done: BTreeSet<String> = BTreeSet::new();
        while let Some(next) = todo.pop() {
            let procedure = self.procedures.get(next.as_str()).copied();
            if let Some(procedure) = procedure.filter(|_| done.insert(next)) {
                todo.extend(self.body(&procedure.transitions, Some(procedure)));
            }
        }
    }

    /// The transitions of the thread, or of a procedure in it; the procedures that are called.
    fn body(&mut self, transitions: &[Transition], inside: Option<&ProcedureDef>) -> Vec<String> {
        let mut called = Vec::new();
        for t in transitions {
            let name = &t.call.name.base;
            if !t.calls {
                let (from, to) = (self.place(&t.from, inside), self.place(&t.to, inside));
                self.out.push(Transition { from, to, ..t.clone() });
            } else if let Some(procedure) = self.procedures.get(name.text.as_str()).copied() {
                called.extend(self.call(t, procedure, inside));
            } else {
                let message = format!("no procedure `{}`", name.text);
                let error = Diagnostic::error("E0923", name.span, message).label("not declared");
                self.diagnostics.push(error.meant(&name.text, self.procedures.keys().copied()));
            }
        }
        called
    }

    /// The way into a procedure and the ways out of it, for one call; its name, unless it has no
    /// transitions.
    fn call(
        &mut self,
        t: &Transition,
        procedure: &ProcedureDef,
        inside: Option<&ProcedureDef>,
    ) -> Option<String> {
        let entry = procedure.transitions.first()?;
        let (from, to) = (self.place(&t.from, inside), self.place(&t.to, inside));
        let name = &procedure.name.text;
        let site = format!("{}_{name}", from.text);
        let [enter, leave, uncaught] = match self.direct.contains(name) {
            true => ["enter_directly", "leave_directly", "uncaught_directly"],
            false => ["call", "back", "uncaught"],
        };
        if enter == "call" {
            self.sites.insert(site.clone());
        }
        let entry = self.place(&entry.from, Some(procedure));
        self.push((enter, &site), from, entry, t.span);
        for place in &procedure.returns {
            self.push((leave, &site), self.place(place, Some(procedure)), to.clone(), t.span);
        }
        // Where an exception goes on.
        let (action, caught) = match (&t.otherwise, inside) {
            (Some(place), _) => (leave, self.place(place, inside)),
            (None, Some(caller)) => (leave, self.raised(caller)),
            (None, None) => (uncaught, Ident { text: format!("{}_uncaught", self.thread.text), ..to }),
        };
        let lets_through = procedure.transitions.iter().any(|t| t.calls && t.otherwise.is_none());
        let let_through = lets_through.then(|| self.raised(procedure));
        let raises = procedure.raises.iter().map(|place| self.place(place, Some(procedure)));
        for place in raises.chain(let_through).collect::<Vec<_>>() {
            self.push((action, &site), place, caught.clone(), t.span);
        }
        Some(name.clone())
    }

    fn push(&mut self, (action, site): (&str, &str), from: Ident, to: Ident, span: Span) {
        let word = |text: &str| Ident { text: text.to_string(), span };
        let index = if action.ends_with("directly") { Vec::new() } else { vec![word(site)] };
        let call = Call { name: Name { base: word(action), index, span } };
        self.out.push(Transition { from, call, to, span, calls: false, otherwise: None });
    }

    /// The name of a place here.
    fn place(&self, place: &Ident, inside: Option<&ProcedureDef>) -> Ident {
        match inside {
            Some(p) if self.shared.contains(p.name.text.as_str()) => {
                Ident { text: format!("{}_{}", place.text, self.thread.text), span: place.span }
            }
            _ => place.clone(),
        }
    }

    /// Where a procedure is when an exception from what it called passes through it.
    fn raised(&self, procedure: &ProcedureDef) -> Ident {
        let place = Ident { text: format!("{}_raised", procedure.name.text), span: procedure.name.span };
        self.place(&place, Some(procedure))
    }
}
