//! Connections and routes. Listens on this machine alone; how long a head or a body may take, how
//! large it is and how many connections there are at once, all have limits.

use crate::ask::Ask;
use crate::assets;
use crate::folder::{Folder, NoFile};
use crate::graph::{Sketch, drawn};
use crate::guard::{Guard, guard};
use crate::jobs::{Jobs, NotStarted};
use crate::relay::relay;
use crate::secret::Key;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Connections at once; others are closed.
const MOST_CONNECTIONS: usize = 64;
/// How long a request may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest body: a text, or a run.
const LARGEST_BODY: usize = 16 << 20;
/// The longest answer that is made into a picture.
const LARGEST_GRAPH: usize = 64 << 20;
/// How often it is asked whether the studio is to end.
const GLANCE: Duration = Duration::from_millis(50);

/// What a studio is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that the page may see.
    pub root: PathBuf,
    /// The file that is open at first, by its path from there.
    pub file: Option<String>,
    /// The port, or 0 for one that is free.
    pub port: u16,
    /// The program that answers.
    pub weave: PathBuf,
    /// Options that limit it.
    pub limits: Vec<String>,
}

/// Why there is no studio.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The port is taken, or not allowed.
    #[error("no connection can be taken on port {port}: {why}")]
    Port {
        /// The port that was asked for.
        port: u16,
        /// What the system says.
        why: io::Error,
    },
    /// The folder cannot be read, or there is no place for files.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A studio that listens.
pub struct Studio {
    listener: std::net::TcpListener,
    port: u16,
    key: Key,
    file: Option<String>,
    shared: Arc<Shared>,
}

struct Shared {
    folder: Folder,
    jobs: Arc<Jobs>,
}

impl Studio {
    /// Listens from now on; nothing is answered before [`Studio::serve`].
    pub fn open(options: Options) -> Result<Studio, Failure> {
        let folder = Folder::new(&options.root)?;
        let refused = |why| Failure::Port { port: options.port, why };
        let listener = std::net::TcpListener::bind(("127.0.0.1", options.port)).map_err(refused)?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let name = Key::random()?;
        let jobs = Arc::new(Jobs::new(options.weave, options.limits, name.text())?);
        let shared = Arc::new(Shared { folder, jobs });
        Ok(Studio { listener, port, key: Key::random()?, file: options.file, shared })
    }

    /// The address of the page, with the key behind `#`, which no browser sends.
    pub fn address(&self) -> String {
        let file = self.file.as_ref().map(|f| format!("&file={}", escaped(f))).unwrap_or_default();
        format!("http://127.0.0.1:{}/#key={}{file}", self.port, self.key.text())
    }

    /// A page that leads to the address. A browser is started with this file, because everyone on
    /// the machine can read what a program is started with.
    pub fn door(&self) -> io::Result<PathBuf> {
        let path = self.shared.jobs.folder().join("open.html");
        let to = self.address().replace('&', "&amp;");
        let page = format!(
            "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={to}\"><a href=\"{to}\">studio</a>"
        );
        std::fs::write(&path, page)?;
        Ok(path)
    }

    /// Answers until it is to end; then every command under way is ended.
    pub fn serve(self, is_over: &dyn Fn() -> bool) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let jobs = Arc::clone(&self.shared.jobs);
        let served = runtime.block_on(self.accept(is_over));
        jobs.clear();
        Ok(served?)
    }

    async fn accept(self, is_over: &dyn Fn() -> bool) -> io::Result<()> {
        let listener = TcpListener::from_std(self.listener)?;
        let routes = routes(self.shared, Guard::new(self.key, self.port));
        let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let mut clock = tokio::time::interval(GLANCE);
        while !is_over() {
            tokio::select! {
                // A connection that fails while it is made is none.
                accepted = listener.accept() => if let Ok((stream, _)) = accepted {
                    talk(stream, routes.clone(), &room);
                },
                _ = clock.tick() => {}
            }
        }
        Ok(())
    }
}

/// Answers on a connection, if there is room for one more.
fn talk(stream: TcpStream, routes: Router, room: &Arc<Semaphore>) {
    let Ok(place) = Arc::clone(room).try_acquire_owned() else { return };
    tokio::spawn(async move {
        let _place = place;
        let mut server = http1::Builder::new();
        server.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(64 << 10);
        let _ = server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes)).await;
    });
}

fn routes(shared: Arc<Shared>, guarded: Guard) -> Router {
    Router::new()
        .route("/api/files", get(files))
        .route("/api/file", get(open).put(save))
        .route("/api/stamp", get(stamp))
        .route("/api/ask", post(ask))
        .route("/api/graph", post(graph))
        .route("/api/layout", post(layout))
        .route("/api/stop", post(stop))
        .with_state(shared)
        .route("/", get(|| async { assets::answer("index.html") }))
        .route("/{name}", get(|Path(name): Path<String>| async move { assets::answer(&name) }))
        .layer(middleware::from_fn_with_state(Arc::new(guarded), guard))
}

/// What is said instead of an answer.
fn refused(status: StatusCode, why: impl ToString) -> Response {
    json_with(status, &json!({"reason": why.to_string()}))
}

fn json_with(status: StatusCode, value: &impl serde::Serialize) -> Response {
    let text = serde_json::to_string(value).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}

impl IntoResponse for NoFile {
    fn into_response(self) -> Response {
        let status = match self {
            NoFile::Outside => StatusCode::FORBIDDEN,
            NoFile::Missing => StatusCode::NOT_FOUND,
            NoFile::NoText => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            NoFile::Changed => StatusCode::CONFLICT,
            NoFile::Io(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        refused(status, self)
    }
}

impl IntoResponse for NotStarted {
    fn into_response(self) -> Response {
        let status = match self {
            NotStarted::Busy => StatusCode::TOO_MANY_REQUESTS,
            NotStarted::Io(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        refused(status, self)
    }
}

/// The body of a request, if it is not too long and comes in time.
async fn text(request: Request) -> Result<String, Response> {
    let bytes = tokio::time::timeout(PATIENCE, to_bytes(request.into_body(), LARGEST_BODY)).await;
    let bytes =
        bytes.map_err(|_| refused(StatusCode::REQUEST_TIMEOUT, "the request did not come in time"))?;
    let bytes = bytes
        .map_err(|_| refused(StatusCode::PAYLOAD_TOO_LARGE, "the request is too long, or broken off"))?;
    String::from_utf8(bytes.into()).map_err(|_| refused(StatusCode::BAD_REQUEST, "the request is not text"))
}

#[derive(Deserialize)]
struct Named {
    path: String,
    #[serde(default)]
    stamp: String,
}

async fn files(State(shared): State<Arc<Shared>>) -> Response {
    let (files, all) = shared.folder.list();
    let root = shared.folder.root().file_name().map(|name| name.to_string_lossy().into_owned());
    json_with(StatusCode::OK, &json!({"root": root, "files": files, "all": all}))
}

async fn open(State(shared): State<Arc<Shared>>, Query(named): Query<Named>) -> Response {
    match shared.folder.open(&named.path) {
        Ok(opened) => json_with(StatusCode::OK, &opened),
        Err(none) => none.into_response(),
    }
}

async fn stamp(State(shared): State<Arc<Shared>>, Query(named): Query<Named>) -> Response {
    match shared.folder.stamp(&named.path) {
        Ok(stamp) => json_with(StatusCode::OK, &json!({"stamp": stamp})),
        Err(none) => none.into_response(),
    }
}

async fn save(State(shared): State<Arc<Shared>>, Query(named): Query<Named>, request: Request) -> Response {
    let text = match text(request).await {
        Ok(text) => text,
        Err(refusal) => return refusal,
    };
    match shared.folder.save(&named.path, &text, &named.stamp) {
        Ok(stamp) => json_with(StatusCode::OK, &json!({"stamp": stamp})),
        Err(none) => none.into_response(),
    }
}

/// Starts a command; the answer is its lines.
async fn ask(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    match started(&shared, request).await {
        Ok((job, lines)) => {
            let named = [(HeaderName::from_static("weave-job"), job.to_string())];
            (named, [(header::CONTENT_TYPE, "application/x-ndjson")], lines).into_response()
        }
        Err(refusal) => refusal,
    }
}

/// Starts a simulation that is asked for states around one; the answer is a picture of them. If the
/// page goes away, the lines are dropped, and with them the command ends.
async fn graph(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let lines = match started(&shared, request).await {
        Ok((_, lines)) => lines,
        Err(refusal) => return refusal,
    };
    let Ok(said) = to_bytes(lines, LARGEST_GRAPH).await else {
        return refused(StatusCode::PAYLOAD_TOO_LARGE, "these states are too large for a picture");
    };
    let lines =
        said.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let (mut picture, mut reason) = (None, "these runs have no states that can be compared".to_string());
    for line in lines {
        match line["event"].as_str() {
            Some("graph") => picture = drawn(&line),
            Some("result") if line["trace"].is_null() => {
                reason = line["reason"].as_str().unwrap_or_default().to_string()
            }
            _ => {}
        }
    }
    match picture {
        Some(picture) => json_with(StatusCode::OK, &picture),
        None => refused(StatusCode::UNPROCESSABLE_ENTITY, reason),
    }
}

/// Draws a graph that the page has.
async fn layout(request: Request) -> Response {
    let text = match text(request).await {
        Ok(text) => text,
        Err(refusal) => return refusal,
    };
    match serde_json::from_str::<Sketch>(&text).map(|sketch| sketch.drawn()) {
        Ok(Some(drawing)) => json_with(StatusCode::OK, &drawing),
        Ok(None) => refused(StatusCode::UNPROCESSABLE_ENTITY, "this graph cannot be drawn"),
        Err(why) => refused(StatusCode::BAD_REQUEST, why),
    }
}

/// The number of the job and its lines, or why there are none.
async fn started(shared: &Shared, request: Request) -> Result<(u64, Body), Response> {
    let text = text(request).await?;
    let asked: Ask = serde_json::from_str(&text).map_err(|why| refused(StatusCode::BAD_REQUEST, why))?;
    let about = shared.folder.about(&asked.file).map_err(IntoResponse::into_response)?;
    if (about.executes || asked.may_execute()) && !asked.allow {
        return Err(refused(StatusCode::FORBIDDEN, "this executes a program: allow it first"));
    }
    let (job, pipe) = shared.jobs.start(&asked, &shared.folder).map_err(IntoResponse::into_response)?;
    Ok((job.id, relay(Arc::clone(&shared.jobs), job, pipe)))
}

#[derive(Deserialize)]
struct Stop {
    job: u64,
}

async fn stop(State(shared): State<Arc<Shared>>, Query(stop): Query<Stop>) -> Response {
    match shared.jobs.stop(stop.job) {
        true => StatusCode::NO_CONTENT.into_response(),
        false => refused(StatusCode::NOT_FOUND, "that command has ended"),
    }
}

/// Text as it stands in an address.
fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped("a b/ü&#.pml"), "a%20b/%C3%BC%26%23.pml");
    }
}
