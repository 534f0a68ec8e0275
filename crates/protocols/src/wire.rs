//! Messages in and out: a thread reads, everything else happens in one loop that nothing blocks.

use crate::framing::{Frame, Framing};
use crate::rpc::{self, Incoming, PARSE_ERROR, Wrong};
use serde_json::Value;
use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often a loop without messages looks whether it is to end.
const PAUSE: Duration = Duration::from_millis(100);

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// As the protocol has it.
    Orderly,
    /// The client is gone without a word.
    Lost,
    /// This process was asked to end.
    Interrupted,
}

/// What a loop waits for: messages, and what else there is to hear of.
#[derive(Debug)]
pub(crate) enum Event<T> {
    Message(Incoming),
    Other(T),
    Closed,
}

/// The side of the wire that is ours.
pub(crate) struct Wire<T> {
    framing: Framing,
    output: Box<dyn Write>,
    pub(crate) sender: Sender<Event<T>>,
    events: Receiver<Event<T>>,
    queue: VecDeque<Event<T>>,
    /// The requests among what waits that the client does not want any more.
    cancelled: Vec<Value>,
}

impl<T: Send + 'static> Wire<T> {
    /// Begins to read.
    pub(crate) fn open(
        framing: Framing,
        mut input: Box<dyn BufRead + Send>,
        output: Box<dyn Write>,
    ) -> Wire<T> {
        let (sender, events) = channel();
        let reader = sender.clone();
        std::thread::spawn(move || {
            loop {
                let event = match framing.read(&mut *input) {
                    Frame::Message(bytes) => Event::Message(rpc::read(&bytes)),
                    Frame::Wrong("") => continue,
                    Frame::Wrong(why) => {
                        let (id, message) = (Value::Null, why.to_string());
                        Event::Message(Incoming::Wrong(Wrong { id, code: PARSE_ERROR, message }))
                    }
                    Frame::End => Event::Closed,
                };
                let closed = matches!(event, Event::Closed);
                if reader.send(event).is_err() || closed {
                    return;
                }
            }
        });
        Wire { framing, output, sender, events, queue: VecDeque::new(), cancelled: Vec::new() }
    }

    /// The next event; none if this process is to end.
    pub(crate) fn next(&mut self, interrupted: &dyn Fn() -> bool) -> Option<Event<T>> {
        self.take_in();
        while self.queue.is_empty() {
            match self.events.recv_timeout(PAUSE) {
                Ok(event) => {
                    self.cancelled.clear();
                    self.note(&event);
                    self.queue.push_back(event);
                }
                Err(RecvTimeoutError::Timeout) if interrupted() => return None,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(Event::Closed),
            }
        }
        self.queue.pop_front()
    }

    /// Whether nothing waits to be handled.
    pub(crate) fn is_quiet(&mut self) -> bool {
        self.take_in();
        self.queue.is_empty()
    }

    /// Whether a request is among those that the client has cancelled before we came to it.
    pub(crate) fn is_cancelled(&mut self, id: &Value) -> bool {
        self.take_in();
        self.cancelled.contains(id)
    }

    /// Queues all that has come.
    fn take_in(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.note(&event);
            self.queue.push_back(event);
        }
    }

    fn note(&mut self, event: &Event<T>) {
        if let Event::Message(Incoming::Notification { method, params }) = event
            && method == "$/cancelRequest"
        {
            self.cancelled.extend(params.get("id").cloned());
        }
    }

    /// Sends a message; false if the client does not read.
    pub(crate) fn send(&mut self, message: &Value) -> bool {
        let bytes = self.framing.write(&message.to_string());
        self.output.write_all(&bytes).and_then(|()| self.output.flush()).is_ok()
    }
}
