//! `weave studio`: a page on this machine. It asks its questions of this same program.

use crate::cli::StudioArgs;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::line;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use studio::{Options, Studio, Tour};
use workbench::Failure;

pub(crate) fn run(args: &StudioArgs) -> Result<Exit, Failure> {
    let interrupt = interrupt::listen();
    let wrong = |path: &Path, why: String| Failure::File { path: path.to_path_buf(), message: why };
    let tour = args.tour.then(Tour::new).transpose().map_err(|why| Failure::Request(why.to_string()))?;
    let path = tour.as_ref().map_or(args.path.as_path(), Tour::examples);
    let (root, file) = place(path).map_err(|why| wrong(path, why))?;
    let weave = env::current_exe()
        .map_err(|why| Failure::Request(format!("the program weave cannot be found: {why}")))?;
    let options = Options { root, file, tour: args.tour, port: args.port, weave, limits: limits(args) };
    let studio = Studio::open(options).map_err(|why| Failure::Request(why.to_string()))?;
    line(&format!("weave studio: {}", studio.address()));
    line("Only this machine is answered, and only with the key in the address. Ctrl-C ends it.");
    if !args.no_open && has_desktop() {
        open(&studio);
    }
    interrupt.phase(super::SERVING);
    studio.serve(&|| interrupt.is_raised()).map_err(|why| Failure::Request(why.to_string()))?;
    Ok(Exit::Good)
}

/// The folder, and the file in it that is open at first.
fn place(path: &Path) -> Result<(PathBuf, Option<String>), String> {
    let real = path.canonicalize().map_err(|why| workbench::describe(&why))?;
    if real.is_dir() {
        return Ok((real, None));
    }
    let name = real.file_name().and_then(|name| name.to_str()).ok_or("its name is not text")?;
    let folder = real.parent().ok_or("it is in no folder")?;
    Ok((folder.to_path_buf(), Some(name.to_string())))
}

/// What was typed, for each search.
fn limits(args: &StudioArgs) -> Vec<String> {
    let bounds = args.bounds;
    let time = bounds.timeout.map(|t| format!("--timeout={}ms", t.as_millis()));
    let memory = bounds.max_memory.map(|bytes| format!("--max-memory={bytes}"));
    time.into_iter().chain(memory).collect()
}

fn has_desktop() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// If no browser comes, the address is there to be copied.
fn open(studio: &Studio) {
    let Ok(door) = studio.door() else { return };
    let mut browser = Command::new("xdg-open");
    browser.arg(door).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = browser.spawn() {
        std::thread::spawn(move || child.wait());
    }
}
