//! The server from outside, over plain connections: who is answered, what is given, how a command
//! is started and ended. In place of weave stands a script, so that this tests the server
//! alone.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};
use studio::{Options, Studio};

/// Says what it was started with. `slow.pml` is searched until the interrupt; `stubborn.pml` does
/// not hear it. A shell that writes where no one reads is ended, so its answer comes last.
const WEAVE: &str = r#"#!/bin/sh
for file; do :; done
case $file in
*slow.pml)
  trap 'echo ended >> ended; echo "{\"event\":\"result\",\"verdict\":\"unknown\"}"; exit 130' TERM
  echo "{\"event\":\"progress\",\"states\":1}"
  while :; do sleep 0.05; done ;;
*stubborn.pml)
  trap '' TERM
  echo $$ > stubborn
  echo "{\"event\":\"progress\",\"states\":1}"
  while :; do sleep 0.05; done ;;
*)
  printf '{"event":"result","arguments":"%s","text":"%s","input":"%s"}\n' "$*" "$(cat "$file")" "$(tr '\n' ' ')"
  for option; do case $option in --trace=*) echo '{"steps":[]}' > "${option#--trace=}" ;; esac; done ;;
esac
"#;

struct Server {
    folder: PathBuf,
    port: u16,
    key: String,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn start(name: &str) -> Server {
        let folder = std::env::temp_dir().join(format!("weave-server-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("root/sub")).unwrap();
        for (file, text) in [
            ("secret.pml", "the secret"),
            ("root/a.pml", "init-a"),
            ("root/slow.pml", "slow"),
            ("root/stubborn.pml", "stubborn"),
            ("root/sub/b.pml", "init-b"),
            ("root/main.c", "int main(void) { return 0; }"),
        ] {
            fs::write(folder.join(file), text).unwrap();
        }
        let weave = folder.join("weave");
        fs::write(&weave, WEAVE).unwrap();
        fs::set_permissions(&weave, fs::Permissions::from_mode(0o755)).unwrap();
        let options = Options {
            root: folder.join("root"),
            file: None,
            tour: false,
            port: 0,
            weave,
            limits: Vec::new(),
        };
        let studio = Studio::open(options).unwrap();
        let address = studio.address();
        let (host, key) = address.split_once("/#key=").unwrap();
        let port = host.rsplit_once(':').unwrap().1.parse().unwrap();
        let over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&over);
        let thread = std::thread::spawn(move || studio.serve(&|| ends.load(Ordering::SeqCst)).unwrap());
        Server { folder, port, key: key.to_string(), over, thread: Some(thread) }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    fn head(&self, what: &str, more: &str) -> String {
        let Server { port, key, .. } = self;
        format!(
            "{what} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n{more}\r\n"
        )
    }

    fn get(&self, path: &str) -> Answer {
        self.send(&self.head(&format!("GET {path}"), ""))
    }

    fn ask(&self, body: &str) -> Answer {
        self.send(&self.asking(body))
    }

    fn asking(&self, body: &str) -> String {
        self.head("POST /api/ask", &format!("Content-Length: {}\r\n", body.len())) + body
    }

    fn send(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        Answer::read(&mut stream)
    }

    fn exists(&self, name: &str) -> bool {
        self.folder.join("root").join(name).exists()
    }

    fn ends(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        self.thread.take().into_iter().for_each(|thread| thread.join().unwrap());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ends();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn read(stream: &mut TcpStream) -> Answer {
        let mut bytes = Vec::new();
        if let Err(why) = stream.read_to_end(&mut bytes) {
            assert_eq!(why.kind(), ErrorKind::ConnectionReset, "{why}");
        }
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text.as_str(), ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_string() }
    }
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        sleep(Duration::from_millis(20));
    }
}

/// Reads until the text was seen.
fn read_until(stream: &mut TcpStream, text: &str) -> String {
    let (mut seen, mut piece) = (String::new(), [0; 1024]);
    while !seen.contains(text) {
        let read = stream.read(&mut piece).unwrap();
        assert!(read > 0, "`{text}` does not come in: {seen}");
        seen.push_str(std::str::from_utf8(&piece[..read]).unwrap());
    }
    seen
}

#[test]
fn the_page_comes_without_a_key_and_data_only_with_it() {
    let server = Server::start("key");
    let bare = |path: &str, more: &str| {
        server.send(&format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{more}\r\n"))
    };
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    let page = bare("/", &host);
    assert_eq!(page.status, 200);
    assert!(page.body.contains("<weave-app>"));
    for header in ["content-security-policy: default-src 'none'", "nosniff", "no-referrer"] {
        assert!(page.head.contains(header), "{header} is missing in {}", page.head);
    }
    assert!(!page.head.contains("-inline") && !page.head.contains("-eval"));
    assert!(!page.body.contains(&server.key));
    assert_eq!(bare("/api/files", &host).status, 401);
    assert_eq!(bare("/api/files", &format!("{host}Authorization: Bearer 12\r\n")).status, 401);
    assert_eq!(server.get("/api/files").status, 200);
    assert_eq!(server.get("/nothing.js").status, 404);
    assert_eq!(server.get("/../Cargo.toml").status, 404);
    assert_eq!(server.get("/%2e%2e%2fCargo.toml").status, 404);
    let no_key =
        format!("POST /api/ask HTTP/1.1\r\n{host}Content-Length: 2\r\nConnection: close\r\n\r\n{{}}");
    assert_eq!(server.send(&no_key).status, 401);
    assert_eq!(server.send(&server.head("DELETE /", "")).status, 405);
    assert_eq!(server.get("/api/nothing").status, 404);
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let server = Server::start("host");
    let key = format!("Authorization: Bearer {}\r\nConnection: close\r\n", server.key);
    for host in ["", "Host: evil.example\r\n", "Host: 127.0.0.1\r\n", "Host: [::1]:80\r\n"] {
        let answer = server.send(&format!("GET /api/files HTTP/1.1\r\n{host}{key}\r\n"));
        assert!([400, 421].contains(&answer.status), "{host}: {}", answer.status);
    }
    for origin in ["http://evil.example", "null", "https://localhost"] {
        let answer = server.send(&server.head("GET /api/files", &format!("Origin: {origin}\r\n")));
        assert_eq!(answer.status, 403, "{origin}");
    }
    // A page elsewhere may send what changes something without asking first.
    let asks = r#"{"command":"check","file":"a.pml"}"#;
    for what in ["POST /api/ask", "PUT /api/file?path=a.pml&stamp=x", "POST /api/stop?job=1"] {
        let length = format!("Origin: http://evil.example\r\nContent-Length: {}\r\n", asks.len());
        assert_eq!(server.send(&(server.head(what, &length) + asks)).status, 403, "{what}");
    }
    let two = server.head("GET /api/files", &format!("Host: 127.0.0.1:{}\r\n", server.port));
    assert!([400, 421].contains(&server.send(&two).status), "two hosts");
    let own = format!("Origin: http://127.0.0.1:{}\r\n", server.port);
    assert_eq!(server.send(&server.head("GET /api/files", &own)).status, 200);
}

#[test]
fn no_path_leads_out_of_the_root() {
    let server = Server::start("paths");
    symlink(server.folder.join("secret.pml"), server.folder.join("root/link.pml")).unwrap();
    symlink(&server.folder, server.folder.join("root/up")).unwrap();
    let absolute = server.folder.join("secret.pml");
    let paths = ["../secret.pml", "%2e%2e/secret.pml", "sub/../../secret.pml", "link.pml", "up/secret.pml"];
    for path in paths.into_iter().chain([absolute.to_str().unwrap()]) {
        let answer = server.get(&format!("/api/file?path={path}"));
        assert!([403, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("the secret"), "{path}");
        let saved = server.head(&format!("PUT /api/file?path={path}&stamp=x"), "Content-Length: 1\r\n") + "x";
        assert!([403, 404].contains(&server.send(&saved).status), "{path}");
        let asked = server.ask(&format!("{{\"command\":\"check\",\"file\":\"{path}\"}}"));
        assert!([403, 404].contains(&asked.status), "{path}");
    }
    assert!(server.get("/api/file?path=sub/b.pml").body.contains("init-b"));
    let files = server.get("/api/files").body;
    assert!(
        files.contains("sub/b.pml") && !files.contains("link.pml") && !files.contains("secret"),
        "{files}"
    );
}

#[test]
fn a_file_is_saved_if_it_has_not_changed() {
    let server = Server::start("save");
    let opened = server.get("/api/file?path=a.pml").body;
    let stamp = opened.split("\"stamp\":\"").nth(1).unwrap().split('"').next().unwrap().to_string();
    let save = |text: &str| {
        let length = format!("Content-Length: {}\r\n", text.len());
        server.send(&(server.head(&format!("PUT /api/file?path=a.pml&stamp={stamp}"), &length) + text)).status
    };
    assert_eq!(save("init-a, and more"), 200);
    assert_eq!(fs::read_to_string(server.folder.join("root/a.pml")).unwrap(), "init-a, and more");
    assert_eq!(save("late"), 409);
}

#[test]
fn a_command_is_started_and_its_lines_come_with_its_end() {
    let server = Server::start("ask");
    let asked = server.ask(r#"{"command":"check","file":"a.pml","options":["shortest"],"property":["p"]}"#);
    assert_eq!(asked.status, 200);
    assert!(asked.head.contains("weave-job: 1"), "{}", asked.head);
    assert!(asked.body.contains("--search=bfs --property=p a.pml"), "{}", asked.body);
    assert!(asked.body.contains(r#""event":"end","exit_code":0"#), "{}", asked.body);
    assert!(asked.body.contains(r#""recording":"{\"steps\":[]}""#), "{}", asked.body);
    let draft = r#"{"command":"simulate","file":"sub/b.pml","draft":"new","orders":["1","q"],"guide":"{}"}"#;
    let draft = server.ask(draft);
    assert!(draft.body.contains(r#""text":"new","input":"1 q ""#), "{}", draft.body);
    assert!(draft.body.contains("--interactive --guide="), "{}", draft.body);
    assert_eq!(fs::read_to_string(server.folder.join("root/sub/b.pml")).unwrap(), "init-b");
    assert_eq!(server.ask(r#"{"command":"cc","file":"a.pml"}"#).status, 400);
    assert_eq!(server.ask("no question").status, 400);
}

#[test]
fn a_program_is_executed_only_if_that_is_allowed() {
    let server = Server::start("allow");
    for command in ["run", "simulate", "check"] {
        assert_eq!(server.ask(&format!(r#"{{"command":"{command}","file":"main.c"}}"#)).status, 403);
    }
    for script in [r#""command":"run""#, r##""command":"simulate","draft":"#!/bin/sh""##] {
        assert_eq!(server.ask(&format!(r#"{{{script},"file":"a.pml"}}"#)).status, 403);
    }
    assert_eq!(server.ask(r#"{"command":"run","file":"main.c","allow":true}"#).status, 200);
}

#[test]
fn stop_ends_a_search_with_what_it_knows() {
    let server = Server::start("stop");
    let mut stream = server.connect();
    stream.write_all(server.asking(r#"{"command":"check","file":"slow.pml"}"#).as_bytes()).unwrap();
    let begun = read_until(&mut stream, "progress");
    assert!(begun.to_lowercase().contains("weave-job: 1"), "{begun}");
    assert_eq!(server.send(&server.head("POST /api/stop?job=1", "")).status, 204);
    let rest = read_until(&mut stream, "\"end\"");
    assert!(rest.contains("unknown") && rest.contains("\"exit_code\":130"), "{rest}");
    until("the job is forgotten", || server.send(&server.head("POST /api/stop?job=1", "")).status == 404);
}

#[test]
fn to_leave_the_page_ends_the_search() {
    let server = Server::start("leave");
    let mut stream = server.connect();
    stream.write_all(server.asking(r#"{"command":"check","file":"slow.pml"}"#).as_bytes()).unwrap();
    read_until(&mut stream, "progress");
    assert!(!server.exists("ended"));
    stream.shutdown(Shutdown::Both).unwrap();
    drop(stream);
    until("the search ends", || server.exists("ended"));
}

#[test]
fn the_end_of_the_server_ends_every_search() {
    let mut server = Server::start("end");
    let begin = |file: &str| {
        let mut stream = server.connect();
        let body = format!(r#"{{"command":"check","file":"{file}"}}"#);
        stream.write_all(server.asking(&body).as_bytes()).unwrap();
        read_until(&mut stream, "progress");
        stream
    };
    let streams = [begin("slow.pml"), begin("stubborn.pml")];
    let stubborn = fs::read_to_string(server.folder.join("root/stubborn")).unwrap();
    server.ends();
    assert!(server.exists("ended"));
    assert!(!Path::new("/proc").join(stubborn.trim()).exists(), "it was asked in vain, and killed");
    drop(streams);
}

#[test]
fn long_and_half_requests_are_refused_and_cost_nobody_else() {
    let server = Server::start("long");
    let long = server.head("POST /api/ask", &format!("Content-Length: {}\r\n", 17 << 20));
    let mut stream = server.connect();
    stream.write_all(long.as_bytes()).unwrap();
    let block = vec![b' '; 1 << 20];
    let _ = (0..17).try_for_each(|_| stream.write_all(&block));
    let refused = Answer::read(&mut stream).status;
    assert!([413, 0].contains(&refused), "{refused}");
    let mut chunked = server.connect();
    chunked.write_all(server.head("POST /api/ask", "Transfer-Encoding: chunked\r\n").as_bytes()).unwrap();
    let _ = (0..17).try_for_each(|_| {
        chunked.write_all(b"100000\r\n")?;
        chunked.write_all(&block)?;
        chunked.write_all(b"\r\n")
    });
    assert!([413, 0].contains(&Answer::read(&mut chunked).status));
    let head = format!("X-Long: {}\r\n", "x".repeat(200 << 10));
    assert!([431, 400, 0].contains(&server.send(&server.head("GET /api/files", &head)).status));
    let mut half = server.connect();
    half.write_all(b"GET / HT").unwrap();
    assert_eq!(server.get("/api/files").status, 200);
    // It is closed after a while, not kept.
    let mut rest = Vec::new();
    let _ = half.read_to_end(&mut rest);
    assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 4"));
}

/// A body that is announced and does not come, or not to its end, is waited for only so long.
#[test]
fn a_body_that_does_not_come_is_given_up() {
    let server = Server::start("body");
    let mut none = server.connect();
    none.write_all(server.head("POST /api/ask", "Content-Length: 100\r\n").as_bytes()).unwrap();
    let mut part = server.connect();
    part.write_all(server.head("POST /api/ask", "Transfer-Encoding: chunked\r\n").as_bytes()).unwrap();
    part.write_all(b"ff\r\n{").unwrap();
    assert_eq!(server.get("/api/files").status, 200);
    let mut gone = server.connect();
    gone.write_all(server.head("POST /api/ask", "Content-Length: 100\r\n").as_bytes()).unwrap();
    gone.write_all(b"{").unwrap();
    gone.shutdown(Shutdown::Write).unwrap();
    for (what, mut stream) in [("none", none), ("a part", part), ("broken off", gone)] {
        let status = Answer::read(&mut stream).status;
        assert!([400, 408, 413, 0].contains(&status), "{what}: {status}");
    }
    assert_eq!(server.get("/api/files").status, 200);
}

/// Each of many requests at once is answered or its connection closed, and none is forgotten.
#[test]
fn two_hundred_requests_at_once_leave_the_server_as_it_was() {
    let server = Server::start("crowd");
    let request = server.head("GET /api/files", "");
    let crowd: Vec<Option<TcpStream>> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port)).ok()?;
            stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
            stream.write_all(request.as_bytes()).ok()?;
            Some(stream)
        })
        .collect();
    let mut answered = 0;
    for mut stream in crowd.into_iter().flatten() {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.is_empty() || text.starts_with("HTTP/1.1 200"), "{text}");
        answered += usize::from(!text.is_empty());
    }
    assert!(answered > 0);
    until("there is room again", || server.get("/api/files").status == 200);
}

#[test]
fn many_connections_and_commands_have_limits() {
    let server = Server::start("many");
    let idle: Vec<TcpStream> =
        (0..200).filter_map(|_| TcpStream::connect(("127.0.0.1", server.port)).ok()).collect();
    sleep(Duration::from_millis(300));
    drop(idle);
    until("there is room again", || server.get("/api/files").status == 200);
    let ask = r#"{"command":"check","file":"slow.pml"}"#;
    let begin = |_| {
        let mut stream = server.connect();
        stream.write_all(server.asking(ask).as_bytes()).unwrap();
        read_until(&mut stream, "progress");
        stream
    };
    let running: Vec<TcpStream> = (0..8).map(begin).collect();
    assert_eq!(server.ask(ask).status, 429);
    drop(running);
    until("a command can be started again", || {
        server.ask(r#"{"command":"check","file":"a.pml"}"#).status == 200
    });
}
