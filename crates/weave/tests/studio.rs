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

/// The lines of an answer keep to the schema, but for the last one, which is the server's.
fn valid(lines: &[Value]) {
    lines.iter().filter(|line| line["event"] != "end").for_each(|line| validate(SCHEMA, line));
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

#[test]
fn a_formula_is_followed_along_its_counterexample() {
    let folder = Folder::new("studio-automata");
    let model = "bool p, q;\nactive proctype P() { do :: p = true; q = false :: p = false; q = true od }\n\
                 ltl answered { [] (p -> <> q) }\n";
    folder.write("turns.pml", model);
    let studio = Studio::open(Path::new(&folder.path("")));
    let checked = studio.ask(&json!({"command": "check", "file": "turns.pml"}));
    let trace = &event(&checked, "result")["trace"];
    let steps = list(&trace["steps"]).len();
    let orders = json!(["a", format!("a answered {}", trace["ending"]["loop_start"]), "a nothing"]);
    let run = &event(&checked, "end")["recording"];
    let said =
        studio.ask(&json!({"command": "simulate", "file": "turns.pml", "guide": run, "orders": orders}));
    valid(&said);
    assert_eq!(event(&said, "formulas")["formulas"][0]["name"], "answered");
    assert!(event(&said, "automata")["reason"].as_str().unwrap().contains("no such formula"));
    let found = said.iter().find(|line| line["name"] == "answered").unwrap();
    assert_eq!((&found["propositions"], list(&found["letters"]).len()), (&json!(["p", "q"]), steps + 1));
    let [negation, formula] = &list(&found["automata"])[..] else { panic!("{found}") };
    assert_eq!((&negation["accepts"], &formula["accepts"]), (&json!(true), &json!(false)));
    assert!(list(&negation["at"]).iter().all(|states| !list(states).is_empty()), "{negation}");
    assert_eq!(list(&negation["at"]).len(), steps + 1);
    assert!(!list(&negation["taken"][steps]).is_empty(), "the loop begins again");
}

#[test]
fn what_a_reduction_leaves_out_is_in_its_graph() {
    let folder = Folder::new("studio-reduction");
    let model = "byte x, y, z;\nactive proctype A() { x = 1; x = 2 }\nactive proctype B() { y = 1; z = 1 }\n\
                 active proctype C() { z == 1; z = 2 }\n";
    folder.write("commute.pml", model);
    folder.write(
        "wide.pml",
        "byte a, b;\nactive proctype P() { do :: a++ :: b++ :: assert(a + b < 1000) od }\n",
    );
    let studio = Studio::open(Path::new(&folder.path("")));
    let ask =
        |file: &str| studio.ask(&json!({"command": "check", "file": file, "options": ["reduction-graph"]}));
    let said = ask("commute.pml");
    valid(&said);
    let graph = &event(&said, "result")["graph"];
    let states = list(&graph["states"]);
    let explored = |state: &Value| state["explored"] == true;
    let is_explored = |end: &Value| explored(&states[end.as_u64().unwrap() as usize]);
    assert!(explored(&states[0]) && !states.iter().all(explored), "{graph}");
    let edges = list(&graph["edges"]);
    assert!(edges.iter().filter(|e| explored(e)).all(|e| is_explored(&e["from"]) && is_explored(&e["to"])));
    // A state where something is left out says what; each state that is explored is reached.
    let left = |state: &&Value| list(&state["choices"]).iter().any(|choice| choice["left_out"] == true);
    assert!(states.iter().any(|state| left(&state)));
    let numbers = 1..states.len() as u64;
    let reached = |to: u64| edges.iter().any(|e| explored(e) && e["to"] == to);
    assert!(numbers.filter(|n| explored(&states[*n as usize])).all(reached));
    let too_many = ask("wide.pml");
    valid(&too_many);
    let result = event(&too_many, "result");
    assert!(result["graph"].is_null() && result["graph_refused"].as_str().unwrap().contains("500"));
}

#[test]
fn states_grow_where_that_is_asked_for() {
    let folder = Folder::new("studio-grow");
    folder.write("wide.pml", "byte a, b, c, d;\nactive proctype P() { do :: a++ :: b++ :: c++ :: d++ od }\n");
    let studio = Studio::open(Path::new(&folder.path("")));
    let ask = |orders: Value| {
        let said = studio.ask(&json!({"command": "simulate", "file": "wide.pml", "orders": orders}));
        valid(&said);
        event(&said, "graph").clone()
    };
    let first = ask(json!(["g 5"]));
    let states = list(&first["states"]);
    assert_eq!((states.len(), &states[4]["expanded"]), (5, &json!(false)));
    let path: Vec<String> = list(&states[4]["path"]).iter().map(ToString::to_string).collect();
    let grown = ask(json!([format!("g 5 {}", path.join("."))]));
    assert!(list(&grown["states"]).len() > 5 && grown["states"][4]["expanded"] == true, "{grown}");
    assert_eq!(list(&grown["edges"]).iter().filter(|edge| edge["from"] == 4).count(), 4);
}

#[test]
fn diagrams_of_a_file_of_their_own_are_outlined_and_proved_with_a_program() {
    let studio = Studio::open(&root().join("models"));
    let file = "diagrams/bakery2.diagram";
    let ask = |more: Value| {
        let mut question = json!({"command": "prove", "file": file, "program": "spl/bakery2.spl"});
        more.as_object().unwrap().iter().for_each(|(key, value)| question[key] = value.clone());
        let said = studio.ask(&question);
        valid(&said);
        event(&said, "result").clone()
    };
    let outline = ask(json!({"options": ["outline"]}));
    let text = std::fs::read_to_string(root().join("models").join(file)).unwrap();
    let words = |place: &Value| {
        let end = |at: usize| place[at].as_u64().unwrap() as usize;
        &text[end(0)..end(1)]
    };
    let access = list(&outline["diagrams"]).iter().find(|d| d["name"]["name"] == "access").unwrap();
    let parts = list(&access["parts"]);
    assert_eq!(words(&parts[0]["assertion"]), "l1");
    assert_eq!(words(&parts[1]["parts"][0]["place"]).lines().next(), Some("compound behind : y2 < y1 {"));
    assert!(list(&outline["transitions"]).contains(&json!("m4")));
    assert!(list(&outline["properties"]).iter().any(|p| p["name"] == "acc"));
    let broken =
        ask(json!({"options": ["outline"], "draft": text.replace("node 5 : l1", "node 5 : nowhere")}));
    assert_eq!((&broken["exit_code"], list(&broken["diagrams"]).len()), (&json!(2), 3));
    assert_eq!(ask(json!({"property": ["mux"]}))["verdict"], "holds");
}

#[test]
fn a_lemma_that_stands_in_no_file_helps_to_prove() {
    let folder = Folder::new("studio-lemma");
    let text = "local x : [0..9] where x = 0\nlocal y : [0..9] where y = 0\n\
                P::[loop forever do [ l0: (x, y) := (1 - x, x) ]]\n\
                PROPERTY small : [](y <= 1)\nPROOF small : B-INV using nothing\n";
    folder.write("climb.spl", text);
    let studio = Studio::open(Path::new(&folder.path("")));
    let verdict = |more: Value| {
        let mut question = json!({"command": "prove", "file": "climb.spl", "property": ["small"]});
        more.as_object().unwrap().iter().for_each(|(key, value)| question[key] = value.clone());
        event(&studio.ask(&question), "result")["verdict"].clone()
    };
    assert_eq!(verdict(json!({})), "unknown");
    let lemma = "PROPERTY low : [](x <= 1)\nPROOF small : B-INV using low\n";
    let both = json!({"specification": lemma, "property": ["low", "small"], "options": ["rules-only"]});
    assert_eq!(verdict(both), "holds");
    let proof = json!({"engines": ["strengthen"], "solver": "embedded", "patience": "5s"});
    assert_eq!(verdict(json!({"proof": proof})), "holds");
}
