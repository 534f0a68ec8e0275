//! The language server: one loop, in which nothing takes longer than to read a text. Searches are
//! processes, and what they find comes back as an event.
//!
//! * `documents`: the texts of the editor. `places`: how the protocol counts.
//! * `names`: what a name means. `outline`: symbols and diagnostics. `checks`: lenses.
//! * `session`: who may ask what, and when.

mod checks;
mod documents;
mod names;
mod outline;
mod places;
mod session;

use crate::framing::Framing;
use crate::rpc::{self, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, Incoming, METHOD_NOT_FOUND, Wrong};
use crate::wire::{Ended, Event, Wire};
use crate::{Bounds, Panicked, shielded};
use checks::{Check, Checked};
use documents::{Change, Documents, Verdict};
use places::Position;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use session::{Phase, Session};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use workbench::editing::NotRenamed;

/// The client does not want the answer any more.
const CANCELLED: i32 = -32800;
/// It cannot be done now.
const FAILED: i32 = -32803;
/// Something was asked before the session began.
const NOT_INITIALIZED: i32 = -32002;
/// How many checks may be under way at once.
const MOST: usize = 4;

/// Serves a client until it leaves, or until this process is to end.
pub fn serve(
    bounds: Bounds,
    input: Box<dyn BufRead + Send>,
    output: Box<dyn Write>,
    interrupted: &dyn Fn() -> bool,
) -> Ended {
    let mut server = Server {
        wire: Wire::open(Framing::Header, input, output),
        bounds,
        documents: Documents::default(),
        session: Session::default(),
        checks: BTreeMap::new(),
        next: 0,
    };
    let ended = server.run(interrupted);
    std::mem::take(&mut server.checks).into_values().for_each(Check::join);
    ended
}

struct Server {
    wire: Wire<Checked>,
    bounds: Bounds,
    documents: Documents,
    session: Session,
    /// Checks under way, by a number of their own.
    checks: BTreeMap<u64, Check>,
    next: u64,
}

/// Why a request has no answer: a code of the protocol and words.
type Refused = (i32, String);
type Answer = Result<Value, Refused>;

#[derive(Deserialize)]
struct Identifier {
    uri: String,
}

#[derive(Deserialize)]
struct OfText {
    #[serde(rename = "textDocument")]
    document: Identifier,
}

#[derive(Deserialize)]
struct AtPlace {
    #[serde(rename = "textDocument")]
    document: Identifier,
    position: Position,
    context: Option<Context>,
    #[serde(rename = "newName")]
    name: Option<String>,
}

#[derive(Deserialize)]
struct Context {
    #[serde(rename = "includeDeclaration", default)]
    declared: bool,
}

#[derive(Deserialize)]
struct Opened {
    #[serde(rename = "textDocument")]
    document: Item,
}

#[derive(Deserialize)]
struct Item {
    uri: String,
    #[serde(rename = "languageId", default)]
    language: String,
    #[serde(default)]
    version: i64,
    text: String,
}

#[derive(Deserialize)]
struct Changed {
    #[serde(rename = "textDocument")]
    document: Versioned,
    #[serde(rename = "contentChanges")]
    changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Versioned {
    uri: String,
    #[serde(default)]
    version: Option<i64>,
}

#[derive(Deserialize)]
struct Execute {
    command: String,
    #[serde(default)]
    arguments: Vec<String>,
}

fn of<T: DeserializeOwned>(params: Value) -> Result<T, Refused> {
    serde_json::from_value(params).map_err(|why| (INVALID_PARAMS, why.to_string()))
}

impl Server {
    fn run(&mut self, interrupted: &dyn Fn() -> bool) -> Ended {
        loop {
            let Some(event) = self.wire.next(interrupted) else { return Ended::Interrupted };
            let ended = match event {
                Event::Closed => Some(Ended::Lost),
                Event::Other(checked) => self.checked(checked).then_some(Ended::Lost),
                Event::Message(message) => self.message(message),
            };
            if let Some(ended) = ended {
                return ended;
            }
            // Words of one burst are looked at once.
            if self.wire.is_quiet() && !self.publish() {
                return Ended::Lost;
            }
        }
    }

    /// How the session ends, if this message ends it.
    fn message(&mut self, message: Incoming) -> Option<Ended> {
        let answer = match message {
            Incoming::Response => return None,
            Incoming::Wrong(Wrong { id, code, message }) => rpc::error(&id, code, &message),
            Incoming::Notification { method, .. } if method == "exit" => {
                return Some(if self.session.phase == Phase::Over { Ended::Orderly } else { Ended::Lost });
            }
            Incoming::Notification { method, params } => {
                let _ = shielded(|| self.notified(&method, params));
                return None;
            }
            Incoming::Request { id, method, params } => match self.requested(&id, &method, params) {
                None => return None,
                Some(Ok(result)) => rpc::result(&id, result),
                Some(Err((code, message))) => rpc::error(&id, code, &message),
            },
        };
        (!self.wire.send(&answer)).then_some(Ended::Lost)
    }

    /// The answer to a request; none if it comes later.
    fn requested(&mut self, id: &Value, method: &str, params: Value) -> Option<Answer> {
        match self.session.phase {
            Phase::Before if method != "initialize" => {
                return Some(Err((NOT_INITIALIZED, "initialize first".to_string())));
            }
            Phase::Over => return Some(Err((INVALID_REQUEST, "the session is over".to_string()))),
            Phase::Open if method == "initialize" => {
                return Some(Err((INVALID_REQUEST, "the session has begun".to_string())));
            }
            _ => {}
        }
        if method == "workspace/executeCommand" {
            return self.execute(id, params).err().map(Err);
        }
        if self.wire.is_cancelled(id) {
            return Some(Err((CANCELLED, "cancelled".to_string())));
        }
        let answer = shielded(|| self.answer(method, params));
        Some(answer.unwrap_or_else(|Panicked| Err((INTERNAL_ERROR, "a bug in weave".to_string()))))
    }

    fn answer(&mut self, method: &str, params: Value) -> Answer {
        match method {
            "initialize" => {
                let result = self.session.begin(&params);
                self.documents.encoding = self.session.encoding;
                Ok(result)
            }
            "shutdown" => {
                self.session.phase = Phase::Over;
                Ok(Value::Null)
            }
            "textDocument/documentSymbol" => {
                let uri = of::<OfText>(params)?.document.uri;
                let Some(view) = self.documents.view(&uri) else { return Ok(json!([])) };
                Ok(outline::outline(&self.documents, &uri, &view, self.session.trees).into())
            }
            "textDocument/codeLens" => {
                let uri = of::<OfText>(params)?.document.uri;
                let view = self.documents.view(&uri);
                let (Some(view), Some(document)) = (view, self.documents.get(&uri)) else {
                    return Ok(json!([]));
                };
                Ok(checks::lenses(&self.documents, document, &view).into())
            }
            "textDocument/completion" => {
                let AtPlace { document, position, .. } = of(params)?;
                Ok(names::completion(&mut self.documents, &document.uri, position).into())
            }
            _ => self.about_name(method, params),
        }
    }

    /// Requests about the name at a place.
    fn about_name(&mut self, method: &str, params: Value) -> Answer {
        const ABOUT: [&str; 5] = ["hover", "definition", "references", "prepareRename", "rename"];
        let name = method.strip_prefix("textDocument/").filter(|name| ABOUT.contains(name));
        let Some(name) = name else {
            return Err((METHOD_NOT_FOUND, format!("there is no `{method}`")));
        };
        let AtPlace { document, position, context, name: new } = of(params)?;
        let Some(asked) = names::at(&mut self.documents, &document.uri, position) else {
            return Ok(Value::Null);
        };
        let documents = &self.documents;
        Ok(match name {
            "hover" => asked.hover(documents).unwrap_or_default(),
            "definition" => asked.definition(documents).into(),
            "references" => asked.references(documents, context.is_some_and(|c| c.declared)).into(),
            "prepareRename" => asked.renameable(documents).unwrap_or_default(),
            _ => {
                let new = new.ok_or((INVALID_PARAMS, "the new name is missing".to_string()))?;
                self.rename(&document.uri, &asked, &new)?
            }
        })
    }

    fn rename(&self, uri: &str, asked: &names::Asked, new: &str) -> Answer {
        let nothing = || (FAILED, "there is no name to replace".to_string());
        let number = asked.number().ok_or_else(nothing)?;
        let language = self.documents.get(uri).and_then(|document| document.language).ok_or_else(nothing)?;
        let places = asked.view.renamed(language, number, new, &|name| self.documents.text(name));
        let places = places.map_err(|why: NotRenamed| (FAILED, why.to_string()))?;
        Ok(asked.edits(&self.documents, &places, new))
    }

    fn notified(&mut self, method: &str, params: Value) -> Result<(), Refused> {
        if self.session.phase != Phase::Open {
            return Ok(());
        }
        match method {
            "textDocument/didOpen" => {
                let Item { uri, language, version, text } = of::<Opened>(params)?.document;
                self.documents.open(uri, &language, version, text);
            }
            "textDocument/didChange" => {
                let Changed { document, changes } = of(params)?;
                let before = self.documents.get(&document.uri).map_or(0, |document| document.version);
                let version = document.version.unwrap_or(before + 1);
                self.documents.change(&document.uri, version, changes);
            }
            "textDocument/didClose" => {
                let uri = of::<OfText>(params)?.document.uri;
                if self.documents.close(&uri) {
                    self.wire.send(&published(&uri, None, Vec::new()));
                }
            }
            "$/cancelRequest" => {
                let cancelled = |check: &&Check| Some(&check.request) == params.get("id");
                self.checks.values().filter(cancelled).for_each(Check::stop);
            }
            _ => {}
        }
        Ok(())
    }

    /// Sends what is known of texts that have changed; false if the client does not read.
    fn publish(&mut self) -> bool {
        for uri in self.documents.dirty() {
            let view = shielded(|| self.documents.view(&uri)).ok().flatten();
            let Some(document) = self.documents.get(&uri) else { continue };
            let found = view.map(|view| outline::diagnostics(&self.documents, document, &view));
            let message = published(&uri, Some(document.version), found.unwrap_or_default());
            if let Some(document) = self.documents.get_mut(&uri) {
                document.dirty = false;
            }
            if !self.wire.send(&message) {
                return false;
            }
        }
        true
    }

    /// A command of a lens: a check is begun, and answered when it has ended.
    fn execute(&mut self, id: &Value, params: Value) -> Result<(), Refused> {
        let Execute { command, arguments } = of(params)?;
        let uri = arguments.first().ok_or((INVALID_PARAMS, "the request names no text".to_string()))?;
        let property = arguments.get(1).cloned();
        let document = self.documents.get(uri).filter(|document| document.language.is_some());
        let document = document.ok_or((INVALID_PARAMS, "this text is not open".to_string()))?;
        match command.as_str() {
            checks::CHECK if self.checks.len() >= MOST => {
                return Err((FAILED, format!("{MOST} checks are under way")));
            }
            checks::CHECK => {
                let number = self.next;
                let mut check = Check::new(id.clone(), document, property.clone());
                let sender = self.wire.sender.clone();
                let tell = move |checked| drop(sender.send(Event::Other(checked)));
                check.start(number, &self.bounds, document, tell);
                self.next += 1;
                self.checks.insert(number, check);
                let uri = uri.clone();
                if let Some(document) = self.documents.get_mut(&uri) {
                    document.verdicts.insert(property, Verdict::UnderWay);
                }
                self.refresh();
            }
            checks::STOP => {
                let same = |check: &&Check| check.uri == *uri && check.property == property;
                self.checks.values().filter(same).for_each(Check::stop);
                self.wire.send(&rpc::result(id, Value::Null));
            }
            _ => return Err((METHOD_NOT_FOUND, format!("there is no command `{command}`"))),
        }
        Ok(())
    }

    /// A check has ended; true if the client does not read what it found.
    fn checked(&mut self, Checked { number, heard }: Checked) -> bool {
        let Some(check) = self.checks.remove(&number) else { return false };
        let answer = heard.as_ref().ok().and_then(checks::answer);
        let property = check.property.as_deref();
        let verdict = answer.as_ref().map(|answer| checks::verdict(answer, property));
        if let Some(document) = self.documents.get_mut(&check.uri).filter(|d| d.version == check.version) {
            document.verdicts.remove(&check.property);
            if let (Some(verdict), false) = (&verdict, check.is_stopped()) {
                document.verdicts.insert(check.property.clone(), verdict.clone());
            }
            if let Some(answer) = answer.as_ref().filter(|answer| answer["exhausted"] == true) {
                document.unreached = checks::unreached(answer, document);
                document.dirty = true;
            }
        }
        let message = match (verdict, heard) {
            _ if check.is_stopped() => rpc::error(&check.request, CANCELLED, "stopped"),
            (Some(Verdict::Said(said, reason)), _) => {
                rpc::result(&check.request, json!({"verdict": said, "reason": reason}))
            }
            (_, Err(why)) => rpc::error(&check.request, FAILED, &why),
            _ => rpc::error(&check.request, FAILED, "weave gave no answer"),
        };
        let sent = self.wire.send(&message);
        check.join();
        self.refresh();
        !sent
    }

    /// Asks the client to ask for the lenses again, if it knows how.
    fn refresh(&mut self) {
        if self.session.refreshes {
            self.next += 1;
            self.wire.send(&rpc::request(self.next, "workspace/codeLens/refresh"));
        }
    }
}

fn published(uri: &str, version: Option<i64>, diagnostics: Vec<Value>) -> Value {
    let mut params = json!({"uri": uri, "diagnostics": diagnostics});
    if let Some(version) = version {
        params["version"] = json!(version);
    }
    rpc::notification("textDocument/publishDiagnostics", params)
}
