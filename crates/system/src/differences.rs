//! What changed from one state to another, with names a reader knows: `x`, `P[1]:y`, `a[3]`, `r.f`,
//! `q = [1,2]`.
//!
//! How a value is written (a number, the name of an mtype, …) is the caller's business: [`Names`].

use crate::model::{Object, ObjectId, ObjectKind, Pid, PointId, System, TemplateId};
use crate::state::{Process, State, Value};
use logic::Sort;
use num_bigint::BigInt;
use objects::channel::Message;

/// Where a value stands: what a caller needs to know how to write it.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// The template of the process that owns the object; `None` if it is global.
    pub owner: Option<TemplateId>,
    pub object: ObjectId,
    /// Indices and field numbers inside the object; of a channel, the number of the message field.
    pub path: &'a [usize],
    pub sort: &'a Sort,
}

/// Writes values.
pub trait Names {
    fn value(&self, spot: Spot<'_>, value: &BigInt) -> String;
}

/// Writes every value as a number.
pub struct Numbers;

impl Names for Numbers {
    fn value(&self, _: Spot<'_>, value: &BigInt) -> String {
        value.to_string()
    }
}

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A variable or a part of one, or the contents of a channel.
    Value {
        name: String,
        before: String,
        after: String,
    },
    Born {
        process: String,
        pid: Pid,
    },
    Ended {
        process: String,
        pid: Pid,
    },
    Moved {
        process: String,
        pid: Pid,
        from: PointId,
        to: PointId,
    },
    Priority {
        process: String,
        pid: Pid,
        before: u8,
        after: u8,
    },
}

/// A process as it is written: `P[1]`.
pub fn process_name(system: &System, template: TemplateId, pid: Pid) -> String {
    format!("{}[{pid}]", system.templates[template].name)
}

/// What changed from `before` to `after`: globals in order of declaration, then process by process.
pub fn differences(system: &System, before: &State, after: &State, names: &dyn Names) -> Vec<Difference> {
    let mut found = Comparison { names, found: Vec::new() };
    found.objects("", None, &system.globals, &before.globals, &after.globals);
    for pid in 0..before.processes.len().max(after.processes.len()) {
        match (before.processes.get(pid), after.processes.get(pid)) {
            (Some(old), Some(new)) if old.template == new.template => found.process(system, pid, old, new),
            (old, new) => {
                let name = |p: &Process| process_name(system, p.template, pid);
                found.found.extend(old.map(|p| Difference::Ended { process: name(p), pid }));
                found.found.extend(new.map(|p| Difference::Born { process: name(p), pid }));
            }
        }
    }
    found.found
}

struct Comparison<'a> {
    names: &'a dyn Names,
    found: Vec<Difference>,
}

impl Comparison<'_> {
    fn process(&mut self, system: &System, pid: Pid, old: &Process, new: &Process) {
        let process = process_name(system, new.template, pid);
        if old.point != new.point {
            let (from, to) = (old.point, new.point);
            self.found.push(Difference::Moved { process: process.clone(), pid, from, to });
        }
        if old.priority != new.priority {
            let (before, after) = (old.priority, new.priority);
            self.found.push(Difference::Priority { process: process.clone(), pid, before, after });
        }
        let objects = &system.templates[new.template].objects;
        self.objects(&format!("{process}:"), Some(new.template), objects, &old.objects, &new.objects);
    }

    fn objects(
        &mut self,
        prefix: &str,
        owner: Option<TemplateId>,
        objects: &[Object],
        old: &[Value],
        new: &[Value],
    ) {
        for (id, ((object, old), new)) in objects.iter().zip(old).zip(new).enumerate() {
            let name = format!("{prefix}{}", object.name);
            match (&object.kind, old, new) {
                (ObjectKind::Channel { fields, .. }, Value::Channel(old), Value::Channel(new)) => {
                    self.channel(name, owner, id, fields, old, new);
                }
                (ObjectKind::Variable { sort, .. }, old, new) => {
                    self.value(name, Spot { owner, object: id, path: &[], sort }, old, new);
                }
                (ObjectKind::Channel { .. }, _, _) => {}
            }
        }
    }

    fn channel(
        &mut self,
        name: String,
        owner: Option<TemplateId>,
        object: ObjectId,
        fields: &[Sort],
        old: &[Message],
        new: &[Message],
    ) {
        if old == new {
            return;
        }
        let field = |(k, (sort, value)): (usize, (&Sort, &BigInt))| {
            self.names.value(Spot { owner, object, path: &[k], sort }, value)
        };
        let message = |m: &Message| {
            let fields: Vec<String> = fields.iter().zip(m).enumerate().map(field).collect();
            if fields.len() == 1 { fields.concat() } else { format!("({})", fields.join(",")) }
        };
        let contents =
            |all: &[Message]| format!("[{}]", all.iter().map(message).collect::<Vec<_>>().join(","));
        let (before, after) = (contents(old), contents(new));
        self.found.push(Difference::Value { name, before, after });
    }

    fn value(&mut self, name: String, spot: Spot<'_>, old: &Value, new: &Value) {
        match (old, new, spot.sort) {
            (Value::Int(old), Value::Int(new), _) if old != new => {
                let (before, after) = (self.names.value(spot, old), self.names.value(spot, new));
                self.found.push(Difference::Value { name, before, after });
            }
            (Value::Parts(old), Value::Parts(new), Sort::Array(sort, _)) => {
                for (i, (old, new)) in old.iter().zip(new).enumerate() {
                    let path = [spot.path, &[i]].concat();
                    self.value(format!("{name}[{i}]"), Spot { path: &path, sort, ..spot }, old, new);
                }
            }
            (Value::Parts(old), Value::Parts(new), Sort::Record(fields)) => {
                for (i, ((field, sort), (old, new))) in fields.iter().zip(old.iter().zip(new)).enumerate() {
                    let path = [spot.path, &[i]].concat();
                    self.value(format!("{name}.{field}"), Spot { path: &path, sort, ..spot }, old, new);
                }
            }
            _ => {}
        }
    }
}
