//! Threads that go round in a circle: at the end of a run, when no other thread can move, each is
//! let round once more. If all come back they do so endlessly, and the run is a deadlock; if one
//! goes elsewhere, it does so in another run too, in which it came later, and this one is only cut.

use super::{Execution, State};
use crate::objects::check::Op;
use crate::operation::{Operation, Tid};
use crate::protocol::{self as p, Request};
use crate::tape::Reply;
use explore::stateless::{Trouble, World};
use objects::Object;

/// The most operations in one round.
const LONGEST: usize = 10_000;

impl Execution {
    pub(super) fn look_at_busy_waits(&mut self) -> Result<(), Trouble> {
        self.endless = false;
        let busy_waiting = self.threads.iter().filter_map(|(who, t)| {
            let State::Pending(op) = &t.state else { return None };
            let Operation::Check(Op::BusyWait { changes }) = op.operation else { return None };
            Some((*who, changes))
        });
        let busy_waiting: Vec<(Tid, i64)> = busy_waiting.collect();
        if busy_waiting.is_empty() {
            return Ok(());
        }
        let moves = self.pending().iter().any(|(who, op)| !self.model.outcomes(*who, op).is_empty());
        if moves || self.failure.is_some() {
            return Ok(());
        }
        self.endless = true;
        for (who, changes) in busy_waiting {
            self.endless &= self.comes_back(who, changes)?;
            if !self.endless {
                break;
            }
        }
        Ok(())
    }

    /// Nothing that happens here counts: the run is over. A thread that changes something on the
    /// way does not come back.
    fn comes_back(&mut self, who: Tid, changes: i64) -> Result<bool, Trouble> {
        let time = self.thread(who).time;
        self.machine.grant(who, Reply { result: 0, data: &[], several: true, time });
        for _ in 0..LONGEST {
            let Ok(request) = self.machine.request(who) else { return Ok(false) };
            self.machine.notes();
            self.machine.accesses(who);
            match request.op {
                p::OP_CIRCLE => return Ok(request.b == changes),
                p::OP_NONE => self.machine.grant(who, Reply { result: 0, data: &[], several: true, time }),
                _ if !self.answer(who, &request)? => return Ok(false),
                _ => {}
            }
        }
        Err(Trouble::Uncontrolled("a loop that waits in a way that is not understood".to_string()))
    }

    /// Whether the operation could be answered at once, and was.
    fn answer(&mut self, who: Tid, request: &Request) -> Result<bool, Trouble> {
        if !matches!(
            request.op,
            p::OP_LOAD
                | p::OP_STORE
                | p::OP_UPDATE
                | p::OP_TEST_CANCEL
                | p::OP_SLEEP
                | p::OP_CHECK
                | p::OP_SEM_GETVALUE
                | p::OP_MUTEX_TRYLOCK
                | p::OP_RW_TRYREAD
                | p::OP_RW_TRYWRITE
                | p::OP_SEM_TRYWAIT
                | p::OP_FD_READ
                | p::OP_FD_POLL
                | p::OP_FILE
                | p::OP_MSG_RECEIVE
                | p::OP_MQ_RECEIVE
                | p::OP_WAIT
                | p::OP_PARENT
        ) {
            return Ok(false);
        }
        let mut op = self.decode(who, request)?;
        // Its time is up: if it waited instead, it would wait forever.
        if matches!(op.operation, Operation::Choice(_)) {
            match self.model.clone().perform(who, &op, 1).next {
                Some(next) => op = next,
                None => return Ok(false),
            }
        }
        let [outcome] = self.model.outcomes(who, &op)[..] else { return Ok(false) };
        let effect = self.model.clone().perform(who, &op, outcome);
        if effect.next.is_some() {
            return Ok(false);
        }
        let time = self.thread(who).time;
        let reply = Reply { result: effect.result, data: &effect.data, several: true, time };
        self.machine.grant(who, reply);
        Ok(true)
    }
}
