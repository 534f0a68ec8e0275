//! An operation on a descriptor: when it can happen, what it touches, what it does, by the kind of
//! the operation.

use super::{Description, End, NONBLOCK, Part, key, number};
use crate::objects::queue::Queue;
use crate::objects::{Effect, Model, when};
use crate::operation::{Access, Footprint, Op, Outcome};
use crate::protocol as p;

/// A flag of an operation: that it waits was decided when its call began.
pub(super) const DECIDED: i64 = 16;

impl Model {
    pub(in crate::objects) fn file_outcomes(&self, op: &Op) -> Vec<Outcome> {
        let files = &self.files;
        let Some((_, description)) = files.find(number(op)) else {
            return when(op.kind != p::OP_FD_POLL || files.can_poll(op));
        };
        let waits = op.b & DECIDED != 0 || !description.nonblock && op.b & NONBLOCK == 0;
        match op.kind {
            p::OP_FD_READ => when(!waits || files.can_read(op, description.end)),
            p::OP_FD_WRITE => when(!waits || files.can_write(op, description.end)),
            p::OP_FD_POLL => when(files.can_poll(op)),
            p::OP_EPOLL_WAIT => when(op.b != p::FD_FOREVER || !files.ready(description.end).is_empty()),
            p::OP_MQ_SEND => {
                let goes = |q: &Queue| !q.is_full() || q.is_too_long(&op.data);
                when(!waits || files.queue(description.end).is_none_or(goes))
            }
            p::OP_MQ_RECEIVE => when(!waits || files.queue(description.end).is_none_or(|q| !q.is_empty())),
            _ => vec![0],
        }
    }

    pub(in crate::objects) fn file_touches(&self, op: &Op) -> Footprint {
        let files = &self.files;
        if op.kind == p::OP_FD_CLOSE {
            return files.close_touches(number(op));
        }
        if op.kind == p::OP_FD_POLL {
            return files.poll_touches(op);
        }
        let mut touched = vec![op.key.touch(Access::Read)];
        let Some((id, description)) = files.find(number(op)) else { return touched };
        let set = op.kind == p::OP_FD_FLAGS;
        touched.push(key(id, Part::Flags).touch(if set { Access::Change } else { Access::Read }));
        touched.extend(match op.kind {
            p::OP_FD_READ => files.read_touches(op, description),
            p::OP_FD_WRITE => files.write_touches(op, description.end),
            p::OP_FD_SHUT => {
                description.end.sides().iter().map(|(c, part)| key(*c, *part).touch(Access::Change)).collect()
            }
            p::OP_FD_QUERY if op.a == 2 => Vec::new(),
            p::OP_FD_QUERY => {
                let c = description.end.reads();
                c.map(|c| key(c, Part::Contents).touch(Access::Read)).into_iter().collect()
            }
            p::OP_EPOLL_CTL => files.control_touches(op, description.end),
            p::OP_EPOLL_WAIT => files.wait_touches(description.end),
            p::OP_MQ_SEND | p::OP_MQ_RECEIVE | p::OP_MQ_ATTRIBUTES => match description.end {
                End::Queue(c) if op.kind == p::OP_MQ_ATTRIBUTES => {
                    vec![key(c, Part::Contents).touch(Access::Read)]
                }
                End::Queue(c) => vec![key(c, Part::Contents).touch(Access::Change)],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        });
        touched
    }

    pub(in crate::objects) fn file_apply(&mut self, op: &Op) -> Effect {
        let files = &mut self.files;
        if op.kind == p::OP_FD_POLL {
            return files.poll(op);
        }
        let Some((id, description)) = files.find(number(op)) else { return Effect::of(-libc::EBADF) };
        match op.kind {
            p::OP_FD_READ => files.read(op, description.end),
            p::OP_FD_WRITE => files.write(op, description.end),
            p::OP_FD_CLOSE => {
                files.close(number(op));
                Effect::default()
            }
            p::OP_FD_FLAGS => {
                files.open.insert(id, Description { nonblock: op.a != 0, ..description });
                Effect::default()
            }
            p::OP_FD_SHUT => files.shut(op, description.end),
            p::OP_FD_QUERY if op.a == 2 => Effect::of(i32::from(description.nonblock)),
            p::OP_FD_QUERY => files.query(op, description.end),
            p::OP_EPOLL_CTL => files.control(op, description.end),
            p::OP_EPOLL_WAIT => files.epoll_wait(op, description.end),
            _ => files.queue_apply(op, description.end),
        }
    }
}
