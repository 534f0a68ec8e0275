//! `weave mcp` from outside: each tool, what it may not see, limits, cancellation, and the
//! protocol.

mod support;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::symlink;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use support::Folder;

const MODEL: &str = "byte x;\nactive proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od; assert(x == 2) }\n\
                     ltl small { [] (x < 4) }\n";
const PROOF: &str = "local x : int where x = 0\nP::[ loop forever do l0: x := x + 1 ]\n\
                     PROPERTY positive : [] (x >= 0)\n";
const ENDLESS: &str = "int a, b, c;\nactive proctype P() { do :: a++ :: b++ :: c++ od }\n";

struct Client {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    fn open(folder: &Folder, options: &[&str]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_weave"))
            .arg("mcp")
            .args(options)
            .arg(folder.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut client = Client { child, to, from, next: 0 };
        let begun = client.ask("initialize", json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        }));
        assert_eq!(begun["result"]["protocolVersion"], "2025-06-18");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let answer = self.read();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The result of a tool.
    fn call(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        assert_eq!(result["content"][0]["type"], "text", "{answer}");
        result.clone()
    }

    fn end(mut self) -> Option<i32> {
        self.to = None;
        self.child.wait().unwrap().code()
    }
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    for (file, text) in [("a.pml", MODEL), ("p.spl", PROOF), ("endless.pml", ENDLESS)] {
        std::fs::write(folder.path(file), text).unwrap();
    }
    std::fs::write(folder.path("b.c"), "int main(void) { return 0; }\n").unwrap();
    folder
}

#[test]
fn the_protocol_is_spoken() {
    let folder = folder("mcp-protocol");
    let mut client = Client::open(&folder, &[]);
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["check", "prove", "simulate", "trace", "explain"]);
    for tool in tools {
        assert!(jsonschema::meta::is_valid(&tool["inputSchema"]), "{tool}");
        assert!(tool["description"].is_string());
    }
    assert_eq!(client.ask("ping", Value::Null)["result"], json!({}));
    assert_eq!(client.ask("resources/list", json!({}))["error"]["code"], -32601);
    assert_eq!(client.ask("tools/call", json!({"name": "nothing"}))["error"]["code"], -32602);
    let wrong = json!({"name": "check", "arguments": {"file": "a.pml", "trace": "/tmp/x"}});
    assert_eq!(client.ask("tools/call", wrong)["error"]["code"], -32602);
    writeln!(client.to.as_mut().unwrap(), "{{nonsense").unwrap();
    let answer = client.read();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)));
    let older = client.ask("initialize", json!({"protocolVersion": "2024-11-05"}));
    assert_eq!(older["result"]["protocolVersion"], "2024-11-05");
    let newer = client.ask("initialize", json!({"protocolVersion": "2099-01-01"}));
    assert_eq!(newer["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_violation_is_found_shown_and_explained() {
    let folder = folder("mcp-check");
    let mut client = Client::open(&folder, &[]);
    let found = client.call("check", json!({"file": "a.pml"}));
    let data = &found["structuredContent"];
    assert_eq!((&data["verdict"], &found["isError"]), (&json!("violated"), &json!(false)));
    let same: Value = serde_json::from_str(found["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(&same, data);
    let run = data["run"].as_str().unwrap().to_string();
    let shown = client.call("trace", json!({"run": run}));
    assert!(shown["content"][0]["text"].as_str().unwrap().contains("assert"), "{shown}");
    let again = client.call("simulate", json!({"file": "a.pml", "run": run}));
    assert_eq!(again["structuredContent"]["exit_code"], 1, "{again}");
    let held = client.call("check", json!({"file": "a.pml", "properties": ["small"]}));
    assert_eq!(held["structuredContent"]["verdict"], "holds");
    assert!(held["structuredContent"].get("run").is_none());
    let proved = client.call("prove", json!({"file": "./p.spl"}));
    assert_eq!(proved["structuredContent"]["verdict"], "holds", "{proved}");
    let word = client.call("explain", json!({"word": "deadlock"}));
    assert_eq!(word["isError"], false);
    let wrong = client.call("explain", json!({"word": "no-such-word"}));
    assert_eq!(wrong["isError"], true);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn mistakes_are_answered_with_their_diagnostics() {
    let folder = folder("mcp-wrong");
    std::fs::write(folder.path("wrong.pml"), "init { y = 1 }").unwrap();
    let mut client = Client::open(&folder, &[]);
    let found = client.call("check", json!({"file": "wrong.pml"}));
    assert_eq!(found["isError"], true);
    assert_eq!(found["structuredContent"]["diagnostics"][0]["code"], "E0301");
    client.end();
}

#[test]
fn nothing_outside_of_the_folder_is_seen() {
    let outside = Folder::new("mcp-outside");
    std::fs::write(outside.path("secret.pml"), "byte the_secret; init { the_secret = = 1 }").unwrap();
    let folder = folder("mcp-inside");
    symlink(outside.path("secret.pml"), folder.path("link.pml")).unwrap();
    symlink(outside.path(""), folder.path("up")).unwrap();
    let include = format!("#include \"{}\"\ninit {{ skip }}", outside.path("secret.pml"));
    std::fs::write(folder.path("includes.pml"), include).unwrap();
    std::fs::write(folder.path("linked.pml"), "#include \"up/secret.pml\"\ninit { skip }").unwrap();
    let mut client = Client::open(&folder, &[]);
    let secret = outside.path("secret.pml");
    for file in [secret.as_str(), "link.pml", "up/secret.pml", "../x", "includes.pml", "linked.pml"] {
        let found = client.call("check", json!({"file": file}));
        let text = found.to_string();
        assert!(found["isError"] == true && !text.contains("the_secret"), "{file}: {text}");
    }
    client.end();
}

#[test]
fn programs_run_only_if_that_is_allowed() {
    let folder = folder("mcp-run");
    let mut client = Client::open(&folder, &[]);
    for (tool, arguments) in [("run", json!({"file": "b.c"})), ("simulate", json!({"file": "b.c"}))] {
        let refused = client.call(tool, arguments);
        assert!(refused["isError"] == true && refused.to_string().contains("--allow-run"), "{refused}");
    }
    client.end();
    let mut client = Client::open(&folder, &["--allow-run"]);
    let found = client.call("run", json!({"file": "b.c"}));
    assert_eq!(found["structuredContent"]["verdict"], "holds", "{found}");
    client.end();
}

#[test]
fn a_call_has_limits_and_can_be_cancelled() {
    let folder = folder("mcp-limits");
    let mut client = Client::open(&folder, &["--timeout", "1s", "--max-answer", "300"]);
    let found = client.call("check", json!({"file": "endless.pml"}));
    assert!(found["content"][0]["text"].as_str().unwrap().len() < 400, "{found}");
    assert_eq!(found["isError"], false);
    client.end();
    let mut client = Client::open(&folder, &["--timeout", "1h", "--max-memory", "64G"]);
    let id = client.begin("tools/call", json!({"name": "check", "arguments": {"file": "endless.pml"}}));
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    client.send(&cancelled);
    // It has no answer, and the next one has.
    assert_eq!(client.ask("ping", Value::Null)["result"], json!({}));
    // The server ends, and takes what is under way along.
    client.begin("tools/call", json!({"name": "check", "arguments": {"file": "endless.pml"}}));
    assert_eq!(client.end(), Some(0));
}
