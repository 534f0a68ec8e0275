//! Ten thousand messages, sensible, random and malformed: every request has one answer, and the
//! session ends as it should. The same ones each time.

mod support;

use protocols::{Ended, lsp, mcp};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};
use workbench::asking::Scratch;
use workbench::random::Random;

const MESSAGES: usize = 10_000;

/// Texts that messages are made of.
const TEXTS: [(&str, &str); 3] = [
    ("file:///t/a.pml", include_str!("../../../models/promela/peterson.pml")),
    ("file:///t/b.spl", include_str!("../../../models/spl/peterson.spl")),
    ("file:///t/c.tvm", include_str!("../../../models/shapes/mutex.tvm")),
];

/// What was written, for both ends.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

struct Noise {
    random: Random,
    bytes: Vec<u8>,
    /// The ids of requests that must have an answer.
    asked: BTreeSet<String>,
    next: u64,
    framed: bool,
}

impl Noise {
    fn new(framed: bool) -> Noise {
        Noise { random: Random::new(21), bytes: Vec::new(), asked: BTreeSet::new(), next: 0, framed }
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn frame(&mut self, text: &[u8]) {
        if self.framed {
            self.bytes.extend(format!("Content-Length: {}\r\n\r\n", text.len()).bytes());
            self.bytes.extend(text);
        } else {
            self.bytes.extend(text.iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte }));
            self.bytes.push(b'\n');
        }
    }

    fn request(&mut self, method: &str, params: Value) {
        self.next += 1;
        let id = format!("request {}", self.next);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.asked.insert(id);
        self.frame(message.to_string().as_bytes());
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.frame(json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string().as_bytes());
    }

    /// Anything that JSON has.
    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(1000)),
            3 => json!(-1.5e300),
            4 => json!(u64::MAX),
            5 => json!("ö𝒳\u{0}\"\\ \r\n"),
            6 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let keys =
                    ["textDocument", "position", "uri", "line", "id", "name", "arguments", "capabilities"];
                let pairs = (0..self.below(4)).map(|_| (self.pick(&keys).to_string(), self.value(depth - 1)));
                Value::Object(pairs.collect())
            }
        }
    }

    /// What is no message: JSON cut off or with other bytes in it, or a header that is none.
    fn nonsense(&mut self) {
        let good =
            json!({"jsonrpc": "2.0", "id": "x", "method": "textDocument/hover", "params": {"a": [1, 2]}});
        let mut text = good.to_string().into_bytes();
        match self.below(5) {
            0 => text.truncate(self.below(text.len())),
            1 => {
                let at = self.below(text.len());
                text[at] = self.below(256) as u8;
            }
            2 => text = "[".repeat(self.below(5000)).into_bytes(),
            3 => text = self.value(4).to_string().into_bytes(),
            _ if self.framed => {
                let lines = [
                    "nonsense",
                    "Content-Length: -1",
                    "Content-Length: 99999999999999999",
                    ": :",
                    "\u{fffd}",
                ];
                let line = self.pick(&lines);
                return self.bytes.extend(format!("{line}\r\n\r\n").bytes());
            }
            _ => text = vec![b'x'; self.below(100_000)],
        }
        self.frame(&text);
    }
}

/// An editor that does everything at random.
fn edit(noise: &mut Noise) {
    let uris = [TEXTS[0].0, TEXTS[1].0, TEXTS[2].0, "untitled:1", "file:///t/none.pml"];
    let uri = noise.pick(&uris);
    let position = |noise: &mut Noise| json!({"line": noise.below(60), "character": noise.below(60)});
    match noise.below(10) {
        0..3 => {
            let methods = [
                "hover",
                "definition",
                "references",
                "prepareRename",
                "rename",
                "completion",
                "documentSymbol",
                "codeLens",
                "nothing",
            ];
            let method = format!("textDocument/{}", noise.pick(&methods));
            let place = position(noise);
            let params = json!({
                "textDocument": {"uri": uri}, "position": place, "newName": "other", "context": {"includeDeclaration": true},
            });
            noise.request(&method, params);
        }
        3..6 => {
            let (start, end) = (position(noise), position(noise));
            let words = [
                "x",
                " ",
                "\n",
                "{",
                "}",
                "::",
                "od",
                "#define x ",
                "/*",
                "ö",
                "byte y;",
                "[] <> ",
                "",
                "l0:",
            ];
            let text = noise.pick(&words);
            let change = json!({"range": {"start": start, "end": end}, "text": text});
            let document = json!({"uri": uri, "version": noise.below(100)});
            noise.notify(
                "textDocument/didChange",
                json!({"textDocument": document, "contentChanges": [change]}),
            );
        }
        6 => {
            let (uri, text) = noise.pick(&TEXTS);
            let document = json!({"uri": uri, "languageId": "promela", "version": 1, "text": text});
            let method = if noise.below(9) == 0 { "didClose" } else { "didOpen" };
            noise.notify(&format!("textDocument/{method}"), json!({"textDocument": document}));
        }
        7 => {
            let params = noise.value(4);
            let methods = [
                "textDocument/rename",
                "textDocument/didOpen",
                "workspace/executeCommand",
                "",
                "$/cancelRequest",
            ];
            match noise.pick(&methods) {
                "$/cancelRequest" => noise.notify("$/cancelRequest", params),
                method => noise.request(method, params),
            }
        }
        _ => noise.nonsense(),
    }
}

/// A client of tools that does everything at random.
fn call(noise: &mut Noise) {
    let names = ["check", "prove", "simulate", "trace", "explain", "run", "nothing"];
    match noise.below(10) {
        0 => noise.request("tools/list", json!({})),
        1 => noise.request("ping", Value::Null),
        2..6 => {
            let files = ["/etc/passwd", "../../x", "a.pml", "", "--help", "link/x", "\u{0}"];
            let (name, file) = (noise.pick(&names), noise.pick(&files));
            noise.request("tools/call", json!({"name": name, "arguments": {"file": file, "run": file}}));
        }
        6 => {
            let (method, params) =
                (noise.pick(&["tools/call", "resources/list", "initialize", ""]), noise.value(4));
            noise.request(method, params);
        }
        7 => {
            let params = noise.value(3);
            noise.notify("notifications/cancelled", params);
        }
        _ => noise.nonsense(),
    }
}

/// How often each id was answered.
fn answered(text: &[u8], framed: bool) -> BTreeMap<String, usize> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let mut found = BTreeMap::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (message, after) = match framed {
            true => {
                let (header, after) = rest.split_once("\r\n\r\n").unwrap();
                after.split_at(header.strip_prefix("Content-Length: ").unwrap().parse().unwrap())
            }
            false => rest.split_once('\n').unwrap(),
        };
        let message: Value = serde_json::from_str(message).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
        // What is no request may have an id, too.
        if let Some(id) = message["id"].as_str().filter(|id| id.starts_with("request ")) {
            *found.entry(id.to_string()).or_default() += 1;
        }
        rest = after;
    }
    found
}

/// The requests that were not answered once.
fn wrong(asked: &BTreeSet<String>, answered: &BTreeMap<String, usize>) -> Vec<String> {
    asked.iter().filter(|id| answered.get(*id) != Some(&1)).cloned().collect()
}

#[test]
fn an_editor_may_say_anything() {
    let mut noise = Noise::new(true);
    noise.request("initialize", json!({"capabilities": {}}));
    (0..MESSAGES).for_each(|_| edit(&mut noise));
    noise.request("shutdown", Value::Null);
    noise.notify("exit", Value::Null);
    let (paper, input) = (Paper::default(), Box::new(Cursor::new(noise.bytes)));
    let output = Box::new(paper.clone());
    assert_eq!(lsp::serve(support::bounds(), input, output, &|| false), Ended::Orderly);
    let answered = answered(&paper.0.lock().unwrap(), true);
    assert_eq!(wrong(&noise.asked, &answered), Vec::<String>::new());
}

#[test]
fn a_client_of_tools_may_say_anything() {
    let scratch = Scratch::new(&format!("weave-noise-{}", std::process::id())).unwrap();
    let mut noise = Noise::new(false);
    noise.request("initialize", json!({"protocolVersion": "2025-06-18"}));
    (0..MESSAGES).for_each(|_| call(&mut noise));
    let (paper, input) = (Paper::default(), Box::new(Cursor::new(noise.bytes)));
    let output = Box::new(paper.clone());
    let options = mcp::Options {
        root: scratch.path().to_path_buf(),
        run: false,
        answer: 1000,
        bounds: support::bounds(),
    };
    assert_eq!(mcp::serve(options, input, output, &|| false).unwrap(), Ended::Orderly);
    let answered = answered(&paper.0.lock().unwrap(), false);
    // Calls that were under way when the client closed its end have no answer.
    let wrong = wrong(&noise.asked, &answered);
    assert!(wrong.len() <= 4 && wrong.iter().all(|id| !answered.contains_key(id)), "{wrong:?}");
}
