//! `weave lsp` and `weave mcp`: servers on standard input and output, which ask their questions of
//! this same program.

use crate::cli::{BoundArgs, LspArgs, McpArgs, served};
use crate::exit::Exit;
use crate::interrupt;
use protocols::{Bounds, lsp, mcp};
use std::env;
use std::io::{BufReader, stdin, stdout};
use workbench::Failure;

/// `weave lsp`.
pub(crate) fn lsp(args: &LspArgs) -> Result<Exit, Failure> {
    let (bounds, interrupt) = (bounds(args.bounds)?, interrupt::listen());
    interrupt.phase(super::SERVING);
    let input = Box::new(BufReader::new(stdin()));
    let ended = lsp::serve(bounds, input, Box::new(stdout()), &|| interrupt.is_raised());
    Ok(Exit::of_session(ended))
}

/// `weave mcp`.
pub(crate) fn mcp(args: &McpArgs) -> Result<Exit, Failure> {
    let (bounds, interrupt) = (bounds(args.bounds)?, interrupt::listen());
    let root = args.root.clone();
    let answer = usize::try_from(args.max_answer).unwrap_or(usize::MAX);
    let options = mcp::Options { root: root.clone(), run: args.allow_run, answer, bounds };
    interrupt.phase(super::SERVING);
    let input = Box::new(BufReader::new(stdin()));
    let ended = mcp::serve(options, input, Box::new(stdout()), &|| interrupt.is_raised());
    let wrong = |why: std::io::Error| Failure::File { path: root, message: why.to_string() };
    ended.map(Exit::of_session).map_err(wrong)
}

/// What a question may use.
fn bounds(args: BoundArgs) -> Result<Bounds, Failure> {
    let weave = env::current_exe()
        .map_err(|why| Failure::Request(format!("the program weave cannot be found: {why}")))?;
    let (time, limits) = served(args);
    Ok(Bounds { weave, time, limits })
}
