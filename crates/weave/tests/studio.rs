//! `weave studio` from outside: it prints its address, answers with what the command line answers,
//! steps through runs, and ends with its searches. The server alone is tested in its crate.

mod support;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, root, validate};

const SCHEMA: &str = "weave-v1.schema.json";

struct Studio {
    child: Child,
    host: String,
    key: String,
}

impl Studio {
    fn open(place: &Path) -> Studio {
        let mut child = Command::new(env!("CARGO_BIN_EXE_weave"))
            .args(["studio", "--no-open"])
            .arg(place)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("weave studio: http://").unwrap();
        let (host, rest) = address.split_once("/#key=").unwrap();
        let key = rest.split('&').next().unwrap();
        Studio { child, host: host.to_string(), key: key.to_string() }
    }

    fn send(&self, what: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let Studio { host, key, .. } = self;
        let request = format!(
            "{what} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// The lines of JSON in an answer.
    fn ask(&self, question: &Value) -> Vec<Value> {
        let mut text = String::new();
        self.send("POST /api/ask", &question.to_string()).read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
        let body = unchunked(text.split_once("\r\n\r\n").unwrap().1);
        body.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn signal(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The pieces of a body, each behind its length, as one text.
fn unchunked(body: &str) -> String {
    let (mut whole, mut rest) = (String::new(), body);
    while let Some((length, more)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        whole.push_str(&more[..length]);
        rest = &more[length + 2..];
    }
    whole
}

fn event<'a>(lines: &'a [Value], name: &str) -> &'a Value {
    lines.iter().rfind(|line| line["event"] == name).unwrap_or_else(|| panic!("no {name} in {lines:?}"))
}

#[test]
fn a_check_is_answered_and_its_run_forked() {
    let studio = Studio::open(&root().join("models/promela"));
    let checked =
        studio.ask(&json!({"command": "check", "file": "needham_schroeder.pml", "options": ["shortest"]}));
    let result = event(&checked, "result");
    validate(SCHEMA, result);
    assert_eq!(result["verdict"], "violated");
    let end = event(&checked, "end");
    assert_eq!(end["exit_code"], 1);
    let run = &end["recording"];
    let orders = json!(["j 2", "1", "g 9"]);
    let ask = json!({"command": "simulate", "file": "needham_schroeder.pml", "guide": run, "orders": orders});
    let forked = studio.ask(&ask);
    forked.iter().filter(|line| line["event"] != "end").for_each(|line| validate(SCHEMA, line));
    assert_eq!(event(&forked, "state")["steps"], 3);
    assert_eq!(event(&forked, "graph")["states"].as_array().map(Vec::len), Some(9));
    let result = event(&forked, "result");
    assert_eq!(result["choices"].as_array().map(Vec::len), Some(3));
    assert_eq!(result["choices"][2]["taken"], 0);
    let kept: Value = serde_json::from_str(event(&forked, "end")["recording"].as_str().unwrap()).unwrap();
    assert_eq!(kept["steps"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_text_that_is_not_saved_is_checked_where_it_belongs() {
    let folder = Folder::new("studio-draft");
    std::fs::create_dir_all(folder.path("sub")).unwrap();
    folder.write("sub/limit.h", "#define LIMIT 3\n");
    let model = "#include \"limit.h\"\nbyte x;\nactive proctype P() { x = LIMIT; assert(x == 4) }\n";
    folder.write("sub/m.pml", "init { skip }\n");
    let studio = Studio::open(Path::new(&folder.path("")));
    let ask = json!({"command": "check", "file": "sub/m.pml", "draft": model});
    let result = studio.ask(&ask);
    let result = event(&result, "result");
    assert_eq!(
        (&result["verdict"], &result["violations"][0]["location"]["line"]),
        (&json!("violated"), &json!(3))
    );
    assert_eq!(result["violations"][0]["location"]["file"], "sub/m.pml");
}

#[test]
fn a_signal_ends_the_studio_and_its_searches() {
    let folder = Folder::new("studio-end");
    let endless = "int a, b;\nactive proctype P() { do :: a++ :: b++ :: assert(a != -1 || b != -2) od }\n";
    folder.write("endless.pml", endless);
    let mut studio = Studio::open(Path::new(&folder.path("")));
    let question = json!({"command": "check", "file": "endless.pml"}).to_string();
    let mut stream = studio.send("POST /api/ask", &question);
    let mut seen = [0; 4096];
    let read = stream.read(&mut seen).unwrap();
    assert!(String::from_utf8_lossy(&seen[..read]).contains("weave-job"));
    studio.signal();
    let begun = Instant::now();
    let status = studio.child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    let searched = Command::new("pgrep").args(["-f", "studio-end.*endless.pml"]).output();
    assert!(searched.is_ok_and(|found| found.stdout.is_empty()), "the search goes on");
}
