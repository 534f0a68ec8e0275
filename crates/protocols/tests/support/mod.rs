//! A client at the other end of two pipes, with the server in a thread.

#![allow(dead_code)]

use protocols::{Bounds, Ended};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

/// What no test of this crate needs: an answer of weave.
pub fn bounds() -> Bounds {
    Bounds { weave: PathBuf::from("/bin/false"), time: Duration::from_secs(60), limits: Vec::new() }
}

/// A client that waits for each answer.
pub struct Client {
    to: PipeWriter,
    from: BufReader<PipeReader>,
    server: JoinHandle<Ended>,
    next: i64,
    /// Notifications that came in between.
    pub heard: Vec<Value>,
}

impl Client {
    /// Begins a language server.
    pub fn lsp() -> Client {
        Client::new(|input, output| protocols::lsp::serve(bounds(), input, output, &|| false))
    }

    fn new(serve: impl FnOnce(Box<dyn BufRead + Send>, Box<dyn Write>) -> Ended + Send + 'static) -> Client {
        let (input, to) = std::io::pipe().unwrap();
        let (from, output) = std::io::pipe().unwrap();
        let work = move || serve(Box::new(BufReader::new(input)), Box::new(output));
        // Texts may be nested deeply.
        let server = std::thread::Builder::new().stack_size(1 << 28).spawn(work).unwrap();
        Client { to, from: BufReader::new(from), server, next: 0, heard: Vec::new() }
    }

    /// Begins the session as a client that knows everything.
    pub fn initialize(&mut self, encodings: Value) -> Value {
        let capabilities = json!({
            "general": {"positionEncodings": encodings},
            "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}},
        });
        let answer = self.ask("initialize", json!({"capabilities": capabilities}));
        self.notify("initialized", json!({}));
        answer
    }

    /// Sends the bytes of a message.
    pub fn write(&mut self, text: &str) {
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// The whole answer to a request.
    pub fn answer(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// The result of a request that succeeds.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The next message.
    pub fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.from.read_line(&mut line).unwrap();
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// What is published next of a text.
    pub fn published(&mut self, uri: &str) -> Value {
        loop {
            let about =
                |m: &Value| m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri;
            if let Some(at) = self.heard.iter().position(about) {
                return self.heard.remove(at)["params"].clone();
            }
            let message = self.read();
            self.heard.push(message);
        }
    }

    /// Opens a text; what is wrong with it.
    pub fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({"uri": uri, "languageId": "", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        self.published(uri)["diagnostics"].as_array().unwrap().clone()
    }

    /// Ends the session as the protocol has it.
    pub fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        drop(self.to);
        assert_eq!(self.server.join().unwrap(), Ended::Orderly);
    }

    /// Closes the pipes; how the server takes it.
    pub fn leave(self) -> Ended {
        drop(self.to);
        self.server.join().unwrap()
    }
}

/// Asks about a place in a text.
pub fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}
