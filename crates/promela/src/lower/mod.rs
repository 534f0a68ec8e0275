//! A checked model to a system.
//!
//! * `names`: variables to objects. `expr`: expressions to terms. `body`: statements to control
//!   flow.
//! * `properties`: formulas and labels to properties. `claim`: never claims to automata. `trace`:
//!   event traces.
//! * `flow`, `automaton`, `numbering`: control flow to points and transitions, as SPIN does it.
//!   `points`: labels asked for elsewhere.

mod automaton;
mod body;
mod claim;
mod expr;
mod flow;
mod format;
mod guard;
mod names;
mod numbering;
mod points;
pub mod properties;
mod trace;

use crate::model::{Model, Process, ProcessKind, Step};
use body::Body;
use expr::Scope;
use flow::{Flow, Node};
use names::Owner;
use properties::Statement;
use source::Span;
use std::collections::{HashMap, HashSet};
use system::{Creation, Exclusive, Initial, ProcessRules, ProcessType, ProcessTypeId, Scheduling, System};

/// The system that a model describes, without what it states of its runs.
pub fn lower(model: &Model, name: &str) -> System {
    lower_all(model, name).0
}

/// The system that a model describes, and what it states of its runs.
pub fn lower_all(model: &Model, name: &str) -> (System, Vec<Statement>) {
    let process_types = process_type_ids(model);
    let (globals, owners) = objects(model, &process_types);
    let locals: Vec<_> = owners.iter().map(|o| o.of_variable.clone()).collect();
    let watched = points::watched_labels(model);
    let mut system = System {
        name: name.to_string(),
        globals: globals.objects.clone(),
        initial: creations(model, &process_types),
        names: model.mtypes.iter().map(|s| s.constants.iter().map(ToString::to_string).collect()).collect(),
        ..System::default()
    };
    let mut scheduling = Scheduling { process_types: Vec::new(), priorities: uses_priorities(model) };
    let mut label_points: Vec<HashMap<usize, usize>> = Vec::new();
    let mut claims: Vec<Statement> = Vec::new();
    let mut traces: Vec<(ProcessType, ProcessRules, bool)> = Vec::new();
    let scope_of = |process| Scope {
        model,
        globals: &globals.of_variable,
        locals: &locals,
        process_types: &process_types,
        process,
    };
    for (id, (process, owner)) in model.processes.iter().zip(owners).enumerate() {
        let scope = scope_of(Some(id));
        if process_types[id].is_none() {
            let (process_type, rules, _, _) = lower_process(scope, process, owner, &watched[id]);
            match process.kind {
                ProcessKind::Never => claims.push(properties::never(&process.name, &process_type, &rules)),
                _ => traces.push((process_type, rules, process.kind == ProcessKind::NoTrace)),
            }
            continue;
        }
        let (process_type, rules, labels, exclusive) = lower_process(scope, process, owner, &watched[id]);
        let number = system.process_types.len();
        system.exclusive.extend(exclusive.into_iter().map(|(channel, sends, span)| Exclusive {
            process_type: number,
            channel,
            sends,
            span,
        }));
        system.process_types.push(process_type);
        scheduling.process_types.push(rules);
        label_points.push(labels);
    }
    system.scheduling = Some(scheduling);
    points::resolve(&mut system, &label_points);
    let mut statements = properties::formulas(model, &scope_of(None));
    statements.extend(claims);
    statements.extend([properties::acceptance(model), properties::progress(model)]);
    let stated = statements.iter_mut().filter_map(|s| s.property.as_mut().ok());
    stated.flat_map(|p| &mut p.propositions).for_each(|p| points::resolve_term(p, &label_points));
    let traces = traces.iter().map(|(process_type, rules, forbidden)| {
        properties::trace(trace::property(&system, process_type, rules, *forbidden))
    });
    statements.extend(traces);
    (system, statements)
}

type Exclusives = Vec<(system::Expr, bool, Span)>;

fn lower_process(
    scope: Scope<'_>,
    process: &Process,
    owner: Owner<'_>,
    watched: &[usize],
) -> (ProcessType, ProcessRules, HashMap<usize, usize>, Exclusives) {
    let provided = process.provided.as_ref().map(|p| scope.expr(p));
    let mut body = Body::new(scope, process);
    let seq = body.whole();
    let mut process_type = ProcessType {
        name: process.name.to_string(),
        parameters: process.parameters,
        objects: owner.objects,
        span: process.span,
        ..ProcessType::default()
    };
    let labels: Vec<String> = process.labels.iter().map(|l| l.name.to_string()).collect();
    points::give_jumps_a_place(&mut body.flow, watched);
    let (mut rules, points) = automaton::build(&mut body.flow, seq, &labels, watched, &mut process_type);
    rules.provided = provided;
    process_type.detached = detached(&body.flow, &process_type);
    (process_type, rules, points, body.exclusive)
}

/// Statements behind a jump or a loop without an end: none of their elements became a transition.
fn detached(flow: &Flow, process_type: &ProcessType) -> Vec<(String, Span)> {
    let mut kept: HashSet<(&str, Span)> =
        process_type.transitions.iter().map(|t| (t.text.as_str(), t.span)).collect();
    let statements = flow.elements.iter().filter_map(|e| match &e.node {
        Node::Action(action) => Some((action.text.as_str(), action.span)),
        _ => None,
    });
    let mut found: Vec<(String, Span)> =
        statements.filter(|s| kept.insert(*s)).map(|(text, span)| (text.to_string(), span)).collect();
    found.sort_by_key(|(_, span)| span.start);
    found
}

/// Processes and init become process types; claims and traces do not.
fn process_type_ids(model: &Model) -> Vec<Option<ProcessTypeId>> {
    let mut next = 0;
    let ids = model.processes.iter().map(|p| {
        matches!(p.kind, ProcessKind::Proctype | ProcessKind::Init).then(|| {
            next += 1;
            next - 1
        })
    });
    ids.collect()
}

fn creations(model: &Model, process_types: &[Option<ProcessTypeId>]) -> Vec<Creation> {
    let mut creations = Vec::new();
    for (process, process_type) in model.processes.iter().zip(process_types) {
        if let Some(process_type) = process_type {
            for _ in 0..process.active {
                let arguments = vec![logic::Term::FALSE; process.parameters];
                creations.push(Creation {
                    process_type: *process_type,
                    arguments,
                    priority: process.priority.unwrap_or(1),
                });
            }
        }
    }
    creations
}

/// The objects of the model and of each process. Which object a variable is must be known before
/// any initial value is, since that may be about variables of other owners; so they are made twice.
fn objects<'m>(model: &'m Model, process_types: &[Option<ProcessTypeId>]) -> (Owner<'m>, Vec<Owner<'m>>) {
    let unknown = |_: Option<usize>, _: &crate::model::Expr| logic::Term::FALSE;
    let globals = global_objects(model, &unknown);
    let owners = model.processes.iter().enumerate().map(|(id, p)| local_objects(model, id, p, &unknown));
    let locals: Vec<_> = owners.map(|owner| owner.of_variable).collect();
    let value = |process: Option<usize>, expr: &crate::model::Expr| {
        let scope = Scope { model, globals: &globals.of_variable, locals: &locals, process_types, process };
        scope.expr(expr)
    };
    let owners = model.processes.iter().enumerate().map(|(id, p)| local_objects(model, id, p, &value));
    (global_objects(model, &value), owners.collect())
}

/// What an expression of a process, or of none, means.
type Meaning<'a> = dyn Fn(Option<usize>, &crate::model::Expr) -> system::Expr + 'a;

fn global_objects<'m>(model: &'m Model, value: &Meaning<'_>) -> Owner<'m> {
    let mut owner = Owner::new(model, names::Scope::Global);
    for variable in &model.globals {
        owner.add(variable, None, &|e| value(None, e));
    }
    owner
}

/// The locals of a process: parameters begin with their arguments, variables declared at the start
/// of the body with their initial values, all others with zero (their declarations run like
/// statements).
fn local_objects<'m>(model: &'m Model, number: usize, process: &Process, value: &Meaning<'_>) -> Owner<'m> {
    let mut owner = Owner::new(model, names::Scope::Local);
    let early = early_declarations(process);
    for (id, variable) in process.locals.iter().enumerate() {
        let begins = match () {
            () if id < process.parameters => Some(Initial::Argument(id)),
            () if early.contains(&id) => None,
            () => (!keeps_its_parts(variable)).then_some(Initial::Zero),
        };
        owner.add(variable, begins, &|e| value(Some(number), e));
    }
    owner
}

/// Records keep what their typedef says and channels are made, wherever the declaration stands.
fn keeps_its_parts(variable: &crate::model::Variable) -> bool {
    matches!(variable.initial, crate::model::Initial::Channel(_) | crate::model::Initial::List(_))
        || matches!(variable.ty, crate::model::Type::Record(_))
}

fn early_declarations(process: &Process) -> Vec<usize> {
    let steps = process.body.steps.iter();
    let declared = steps.filter_map(|step| match step {
        Step::Declare { variables, runs: false, .. } => Some(variables.clone()),
        _ => None,
    });
    declared.flatten().collect()
}

fn uses_priorities(model: &Model) -> bool {
    use crate::model::{ExprKind, StatementKind};
    let declared = model.processes.iter().any(|p| p.priority.is_some());
    let mut found = false;
    crate::walk::statements(model, &mut |s| {
        found |= matches!(s.kind, StatementKind::SetPriority { .. });
    });
    crate::walk::expressions(model, &mut |e| match &e.kind {
        ExprKind::Run { priority, .. } => found |= priority.is_some(),
        ExprKind::Priority | ExprKind::GetPriority(_) => found = true,
        _ => {}
    });
    declared || found
}
