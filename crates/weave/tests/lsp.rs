//! `weave lsp` from outside: checks above properties, their end, and how the server ends. What it
//! says of names is tested in its crate.

mod support;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use support::Folder;

const TEXT: &str = "byte x;\nactive proctype P() {\n  do\n  :: x < 3 -> x++\n  :: x > 5 -> x = 0\n  od\n}\n\
                    ltl small { [] (x < 4) }\nltl tiny { [] (x < 2) }\n";
/// More states than anybody waits for.
const ENDLESS: &str = "int a, b, c;\nactive proctype P() { do :: a++ :: b++ :: c++ od }\nltl p { [] (a >= 0 || b >= 0 || c < 5) }\n";

struct Editor {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    next: u64,
    heard: Vec<Value>,
}

impl Editor {
    fn open() -> Editor {
        let mut child = Command::new(env!("CARGO_BIN_EXE_weave"))
            .args(["lsp", "--timeout", "1h", "--max-memory", "64G"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut editor = Editor { child, to, from, next: 0, heard: Vec::new() };
        let refresh = json!({"workspace": {"codeLens": {"refreshSupport": true}}});
        editor.ask("initialize", json!({"capabilities": refresh}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let to = self.to.as_mut().unwrap();
        write!(to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    fn read(&mut self) -> Value {
        let mut header = String::new();
        self.from.read_line(&mut header).unwrap();
        let length = header.trim().strip_prefix("Content-Length: ").unwrap().parse().unwrap();
        self.from.read_line(&mut String::new()).unwrap();
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.read();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.heard.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)["result"].clone()
    }

    fn edit(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "promela", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn titles(&mut self, uri: &str) -> Vec<String> {
        let lenses = self.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
        let title = |lens: &Value| lens["command"]["title"].as_str().unwrap().to_string();
        lenses.as_array().unwrap().iter().map(title).collect()
    }

    fn end(mut self) -> Option<i32> {
        self.to = None;
        self.child.wait().unwrap().code()
    }
}

fn check(uri: &str, property: Option<&str>) -> Value {
    let arguments: Vec<&str> = [uri].into_iter().chain(property).collect();
    json!({"command": "weave.check", "arguments": arguments})
}

#[test]
fn a_check_is_of_the_text_in_the_editor() {
    let folder = Folder::new("lsp-check");
    std::fs::write(folder.path("a.pml"), "this is not what is checked").unwrap();
    let uri = format!("file://{}", folder.path("a.pml"));
    let mut editor = Editor::open();
    editor.edit(&uri, TEXT);
    assert_eq!(editor.titles(&uri), ["check all", "check", "check"]);
    let said = editor.ask("workspace/executeCommand", check(&uri, Some("small")));
    assert_eq!(said["verdict"], "holds");
    let said = editor.ask("workspace/executeCommand", check(&uri, Some("tiny")));
    assert_eq!(said["verdict"], "violated");
    let titles = editor.titles(&uri);
    assert_eq!((titles[0].as_str(), titles[1].as_str()), ("check all", "check: holds"));
    assert!(titles[2].starts_with("check: violated ("), "{titles:?}");
    assert!(editor.heard.iter().any(|m| m["method"] == "workspace/codeLens/refresh"));
    // What no run reaches is faded, until the text changes.
    let faded = |editor: &Editor| -> Vec<u64> {
        let published = |m: &&Value| m["method"] == "textDocument/publishDiagnostics";
        let last = editor.heard.iter().rev().find(published).unwrap();
        let all = last["params"]["diagnostics"].as_array().unwrap().iter();
        all.filter(|d| d["tags"] == json!([1]))
            .map(|d| d["range"]["start"]["line"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(faded(&editor), [4, 4]);
    let change =
        json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "init { skip }"}]});
    editor.notify("textDocument/didChange", change);
    assert_eq!(editor.titles(&uri), ["check all"]);
    // The server says what it knows of a text when nothing else is to be done.
    for _ in 0..1000 {
        if faded(&editor).is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
        editor.titles(&uri);
    }
    assert_eq!(faded(&editor), [0_u64; 0]);
    editor.ask("shutdown", Value::Null);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_text_that_is_no_file_is_checked_too() {
    let mut editor = Editor::open();
    editor.edit("untitled:Untitled-1", TEXT);
    let said = editor.ask("workspace/executeCommand", check("untitled:Untitled-1", None));
    assert_eq!(said["verdict"], "violated");
    editor.edit("untitled:wrong", "byte x = = 1;");
    let id = editor.begin("workspace/executeCommand", check("untitled:wrong", None));
    let answer = editor.answer(id);
    assert!(answer["error"].is_object() || answer["result"]["verdict"] == "unknown", "{answer}");
    editor.end();
}

#[test]
fn a_check_does_not_block_and_can_be_stopped() {
    let uri = "untitled:endless";
    let mut editor = Editor::open();
    editor.edit(uri, ENDLESS);
    let first = editor.begin("workspace/executeCommand", check(uri, Some("p")));
    // Answered while the check goes on.
    assert_eq!(editor.titles(uri), ["check all", "check: under way (stop)"]);
    editor.notify("$/cancelRequest", json!({"id": first}));
    assert_eq!(editor.answer(first)["error"]["code"], -32800);
    assert_eq!(editor.titles(uri), ["check all", "check"]);
    let second = editor.begin("workspace/executeCommand", check(uri, None));
    let stop = editor.ask("workspace/executeCommand", json!({"command": "weave.stop", "arguments": [uri]}));
    assert_eq!(stop, Value::Null);
    assert_eq!(editor.answer(second)["error"]["code"], -32800);
    // The server ends, and takes what is under way along.
    editor.begin("workspace/executeCommand", check(uri, None));
    editor.titles(uri);
    assert_eq!(editor.end(), Some(1));
}

#[test]
fn an_exit_without_a_word_is_no_success() {
    let mut editor = Editor::open();
    editor.notify("exit", Value::Null);
    assert_eq!(editor.end(), Some(1));
    assert_eq!(Editor::open().end(), Some(1));
}
