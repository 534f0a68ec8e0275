//! The server for programs that use tools: each tool is a command of weave, a process of its own
//! that is limited in time, memory and the size of its answer, and sees one folder.
//!
//! * `tools`: what there is, with the schema of its arguments. `call`: arguments to a command line,
//!   and what came of it to an answer.
//! * `runs`: recorded runs, which the client names and never sees.

mod call;
mod runs;
mod tools;

use crate::framing::Framing;
use crate::rpc::{self, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, Incoming, METHOD_NOT_FOUND, Wrong};
use crate::wire::{Ended, Event, Wire};
use crate::{Bounds, Panicked, shielded};
use call::{Called, Desk};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// The versions of the protocol that are spoken, the newest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];
/// How many calls may be under way at once.
const MOST: usize = 4;

/// What clients may do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder they see.
    pub root: PathBuf,
    /// Whether programs may be executed.
    pub run: bool,
    /// How many bytes an answer may have.
    pub answer: usize,
    /// What each call may use.
    pub bounds: Bounds,
}

/// Serves a client until it leaves, or until this process is to end.
pub fn serve(
    options: Options,
    input: Box<dyn BufRead + Send>,
    output: Box<dyn Write>,
    interrupted: &dyn Fn() -> bool,
) -> io::Result<Ended> {
    let desk = Arc::new(Desk::open(options)?);
    let wire = Wire::open(Framing::Lines, input, output);
    let mut server = Server { wire, desk, begun: false, calls: BTreeMap::new(), next: 0 };
    let ended = server.run(interrupted);
    std::mem::take(&mut server.calls).into_values().for_each(Underway::join);
    Ok(ended)
}

struct Server {
    wire: Wire<Done>,
    desk: Arc<Desk>,
    begun: bool,
    /// Calls under way, by a number of their own.
    calls: BTreeMap<u64, Underway>,
    next: u64,
}

struct Underway {
    request: Value,
    stop: Arc<AtomicBool>,
    worker: JoinHandle<()>,
}

impl Underway {
    fn join(self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.worker.join();
    }
}

/// A call has ended.
struct Done {
    number: u64,
    called: Result<Called, Panicked>,
}

type Answer = Result<Value, (i32, String)>;

impl Server {
    fn run(&mut self, interrupted: &dyn Fn() -> bool) -> Ended {
        loop {
            let answer = match self.wire.next(interrupted) {
                None => return Ended::Interrupted,
                // A client ends a session by closing our input.
                Some(Event::Closed) => return Ended::Orderly,
                Some(Event::Other(done)) => self.done(done),
                Some(Event::Message(message)) => self.message(message),
            };
            if answer.is_some_and(|answer| !self.wire.send(&answer)) {
                return Ended::Lost;
            }
        }
    }

    /// The answer to a message, if there is one now.
    fn message(&mut self, message: Incoming) -> Option<Value> {
        match message {
            Incoming::Response => None,
            Incoming::Wrong(Wrong { id, code, message }) => Some(rpc::error(&id, code, &message)),
            Incoming::Notification { method, params } => {
                if method == "notifications/cancelled" {
                    let same = |call: &&Underway| Some(&call.request) == params.get("requestId");
                    self.calls.values().filter(same).for_each(|c| c.stop.store(true, Ordering::Relaxed));
                }
                None
            }
            Incoming::Request { id, method, params } => match self.answer(&id, &method, params)? {
                Ok(result) => Some(rpc::result(&id, result)),
                Err((code, message)) => Some(rpc::error(&id, code, &message)),
            },
        }
    }

    /// The answer to a request; none if it comes later.
    fn answer(&mut self, id: &Value, method: &str, params: Value) -> Option<Answer> {
        match method {
            "ping" => Some(Ok(json!({}))),
            "initialize" => Some(self.begin(&params)),
            _ if !self.begun => Some(Err((INVALID_REQUEST, "initialize first".to_string()))),
            "tools/list" => Some(Ok(json!({"tools": tools::listed(self.desk.may_run())}))),
            "tools/call" => self.call(id, params).err().map(Err),
            _ => Some(Err((METHOD_NOT_FOUND, format!("there is no `{method}`")))),
        }
    }

    fn begin(&mut self, params: &Value) -> Answer {
        let Some(wanted) = params["protocolVersion"].as_str() else {
            return Err((INVALID_PARAMS, "protocolVersion is missing".to_string()));
        };
        let version = VERSIONS.iter().find(|version| **version == wanted).unwrap_or(&VERSIONS[0]);
        self.begun = true;
        Ok(json!({
            "protocolVersion": version,
            "capabilities": {"tools": {"listChanged": false}},
            "serverInfo": {"name": "weave", "version": env!("CARGO_PKG_VERSION")},
            "instructions": tools::INSTRUCTIONS,
        }))
    }

    /// Begins a call.
    fn call(&mut self, id: &Value, mut params: Value) -> Result<(), (i32, String)> {
        let name = params["name"].as_str().unwrap_or_default().to_string();
        let arguments = params.get_mut("arguments").map_or(json!({}), Value::take);
        let asked = tools::read(&name, arguments).map_err(|why| (INVALID_PARAMS, why))?;
        if self.calls.len() >= MOST {
            return Err((INTERNAL_ERROR, format!("{MOST} calls are under way; wait for one of them")));
        }
        let (number, stop) = (self.next, Arc::new(AtomicBool::new(false)));
        let (desk, sender, stopped) = (Arc::clone(&self.desk), self.wire.sender.clone(), Arc::clone(&stop));
        let worker = std::thread::spawn(move || {
            let called = shielded(|| desk.call(&asked, &|| stopped.load(Ordering::Relaxed)));
            let _ = sender.send(Event::Other(Done { number, called }));
        });
        self.next += 1;
        self.calls.insert(number, Underway { request: id.clone(), stop, worker });
        Ok(())
    }

    /// The answer to a call that has ended. A cancelled one has none: the client does not wait.
    fn done(&mut self, Done { number, called }: Done) -> Option<Value> {
        let call = self.calls.remove(&number)?;
        let (id, cancelled) = (call.request.clone(), call.stop.load(Ordering::Relaxed));
        call.join();
        match called {
            _ if cancelled => None,
            Ok(called) => Some(rpc::result(&id, called.value())),
            Err(Panicked) => Some(rpc::error(&id, INTERNAL_ERROR, "a bug in weave")),
        }
    }
}
