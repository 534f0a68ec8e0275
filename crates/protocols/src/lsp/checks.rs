//! A check at each property: a command of weave in a process of its own, asked about the text as it
//! is in the editor.

use super::documents::{Document, Documents, Verdict, path_of};
use crate::Bounds;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use workbench::asking::{self, Heard, Scratch, ask, drafted};
use workbench::editing::View;
use workbench::kind::Language;

/// The command behind a lens, and the one that ends it.
pub(crate) const CHECK: &str = "weave.check";
pub(crate) const STOP: &str = "weave.stop";

/// The longest answer that is listened to.
const LONGEST: u64 = 64 << 20;
/// A process ends by itself when its time is over; this is how much later it is helped.
const LATER: std::time::Duration = std::time::Duration::from_secs(5);

/// A check under way.
pub(crate) struct Check {
    /// The request that waits for it.
    pub(crate) request: Value,
    pub(crate) uri: String,
    /// Of the text it is about.
    pub(crate) version: i64,
    /// None for all that the text states.
    pub(crate) property: Option<String>,
    stop: Arc<AtomicBool>,
    worker: Option<JoinHandle<()>>,
}

/// What a check found.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) number: u64,
    pub(crate) heard: Result<Heard, String>,
}

impl Check {
    pub(crate) fn new(request: Value, document: &Document, property: Option<String>) -> Check {
        let (uri, version) = (document.uri.clone(), document.version);
        Check { request, uri, version, property, stop: Arc::default(), worker: None }
    }

    /// Starts it; what it finds is reported.
    pub(crate) fn start(
        &mut self,
        number: u64,
        bounds: &Bounds,
        document: &Document,
        tell: impl FnOnce(Checked) + Send + 'static,
    ) {
        let (text, stop) = (document.text.clone(), Arc::clone(&self.stop));
        let place = place(document);
        let mut command = Command::new(&bounds.weave);
        command.args(["check", "--json"]).arg(format!("--timeout={}ms", bounds.time.as_millis()));
        command.args(&bounds.limits);
        command.args(self.property.iter().map(|name| format!("--property={name}")));
        command.arg(format!("./{}", place.1)).stdin(Stdio::null());
        let bounds = asking::Bounds { time: bounds.time + LATER, bytes: LONGEST };
        self.worker = Some(std::thread::spawn(move || {
            let heard = within(number, &place, &text, |folder| {
                ask(command.current_dir(folder), bounds, &|| stop.load(Ordering::Relaxed))
            });
            tell(Checked { number, heard: heard.map_err(|why| why.to_string()) });
        }));
    }

    /// Asks it to end.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits until it has ended.
    pub(crate) fn join(mut self) {
        self.stop();
        let _ = self.worker.take().map(JoinHandle::join);
    }
}

/// The folder of a document and the name of its file there; a text that is no file yet has none.
fn place(document: &Document) -> (Option<PathBuf>, String) {
    let path = path_of(&document.uri);
    let folder = path.as_deref().and_then(Path::parent).filter(|folder| folder.is_dir());
    let name = path.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
    match (folder, name) {
        (Some(folder), Some(name)) => (Some(folder.to_path_buf()), name.to_string()),
        _ => {
            let ending = match document.language {
                Some(Language::Relation) => "spl",
                Some(Language::Tvm) => "tvm",
                _ => "pml",
            };
            (None, format!("untitled.{ending}"))
        }
    }
}

/// Asks in a folder in which the file has the text of the editor.
fn within(
    number: u64,
    (folder, name): &(Option<PathBuf>, String),
    text: &str,
    ask: impl FnOnce(&Path) -> io::Result<Heard>,
) -> io::Result<Heard> {
    let scratch = Scratch::new(&format!("weave-lsp-{}-{number}", std::process::id()))?;
    match folder {
        Some(folder) => ask(&drafted(folder, name, text, scratch.path())?),
        None => {
            std::fs::write(scratch.path().join(name), text)?;
            ask(scratch.path())
        }
    }
}

/// The answer in what a command wrote: its last line.
pub(crate) fn answer(heard: &Heard) -> Option<Value> {
    let last = heard.text.lines().rev().find(|line| !line.trim().is_empty())?;
    serde_json::from_str(last).ok().filter(|value: &Value| value["event"] == "result")
}

/// What an answer says of a property, or of all of them.
pub(crate) fn verdict(answer: &Value, property: Option<&str>) -> Verdict {
    let named = |name: &str| answer["properties"].as_array()?.iter().find(|p| p["name"] == name);
    let of = property.and_then(named).unwrap_or(answer);
    let said = of["verdict"].as_str().unwrap_or("unknown").to_string();
    let reason = [&of["reason"], &answer["violations"][0]["message"], &answer["reason"]];
    let reason = reason.into_iter().find_map(Value::as_str).filter(|_| said != "holds");
    Verdict::Said(said, reason.map(str::to_string))
}

/// Where statements begin that no run reaches, as bytes of the text, and where they end there.
pub(crate) fn unreached(answer: &Value, document: &Document) -> Vec<(usize, usize)> {
    let text = &document.text;
    let name = place(document).1;
    let mut found: Vec<(usize, usize)> = Vec::new();
    for one in answer["unreached"].as_array().into_iter().flatten() {
        let at = &one["location"];
        let file = at["file"].as_str().unwrap_or_default();
        let (Some(line), Some(column)) = (at["line"].as_u64(), at["column"].as_u64()) else { continue };
        if file.trim_start_matches("./") != name {
            continue;
        }
        let Some(words) = text.split('\n').nth(line.saturating_sub(1) as usize) else { continue };
        let begin = words.as_ptr() as usize - text.as_ptr() as usize;
        let Some((skipped, _)) = words.char_indices().nth(column.saturating_sub(1) as usize) else {
            continue;
        };
        let rest = &words[skipped..];
        let stops = [";", "->", "}", "//", "/*"].iter().filter_map(|stop| rest.find(stop)).min();
        let length = rest[..stops.unwrap_or(rest.len())].trim_end().len();
        found.push((begin + skipped, begin + skipped + length));
    }
    found.retain(|(start, end)| start < end);
    found
}

/// A lens at each property, and one for all at the top.
pub(crate) fn lenses(documents: &Documents, document: &Document, view: &View) -> Vec<Value> {
    let lens = |range: Value, property: Option<&str>, what: &str| {
        let mut arguments = vec![json!(document.uri)];
        arguments.extend(property.map(|name| json!(name)));
        let verdict = document.verdicts.get(&property.map(str::to_string));
        let command = if verdict == Some(&Verdict::UnderWay) { STOP } else { CHECK };
        let title = match verdict {
            None => what.to_string(),
            Some(Verdict::UnderWay) => format!("{what}: under way (stop)"),
            Some(Verdict::Said(said, None)) => format!("{what}: {said}"),
            Some(Verdict::Said(said, Some(why))) => format!("{what}: {said} ({})", short(why)),
        };
        json!({"range": range, "command": {"title": title, "command": command, "arguments": arguments}})
    };
    let top = lens(document.lines.range(&document.text, 0, 0), None, "check all");
    let here = view.properties.iter().filter(|(_, span)| span.file == view.root);
    let each = here.map(|(name, span)| lens(documents.range(view, *span), Some(&**name), "check"));
    std::iter::once(top).chain(each).collect()
}

/// The beginning of a reason, as much as fits above a line.
fn short(why: &str) -> String {
    let line = why.lines().next().unwrap_or_default();
    match line.char_indices().nth(80) {
        Some((cut, _)) => format!("{} …", &line[..cut]),
        None => line.to_string(),
    }
}
