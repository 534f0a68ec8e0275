//! The lines of a command on their way to the page, as they come; and a last one that says how the
//! command ended, with the run that it wrote down. If the page goes away, the command ends.

use crate::jobs::{Job, Jobs};
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::Frame;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::pin::Pin;
use std::process::{ChildStdout, ExitStatus};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::sleep;

/// Pieces that wait for the page; a command whose page does not read waits, too.
const PIECES: usize = 8;
const PIECE: usize = 16 << 10;

/// The body of the answer: what the command writes, and its end.
pub(crate) fn relay(jobs: Arc<Jobs>, job: Arc<Job>, pipe: ChildStdout) -> Body {
    let (sender, receiver) = channel(PIECES);
    tokio::spawn(async move {
        if let Ok(pipe) = pipe::Receiver::from_owned_fd(OwnedFd::from(pipe)) {
            pass_on(pipe, &sender).await;
        }
        if sender.is_closed() {
            job.interrupt();
        }
        let status = job.end().await;
        let _ = sender.send(Bytes::from(format!("{}\n", last(status, job.recorded())))).await;
        jobs.forget(&job);
    });
    Body::new(Lines(receiver))
}

/// How often a command that is silent gives a sign, so that a page that is gone is noticed.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// Until the command has said all, or the page is gone. While it is silent, empty lines are sent.
async fn pass_on(mut pipe: pipe::Receiver, sender: &Sender<Bytes>) {
    let mut piece = vec![0; PIECE];
    let mut between_lines = true;
    loop {
        let sent = tokio::select! {
            read = pipe.read(&mut piece) => match read.unwrap_or(0) {
                0 => return,
                read => {
                    between_lines = piece[read - 1] == b'\n';
                    sender.send(Bytes::copy_from_slice(&piece[..read])).await
                }
            },
            () = sender.closed() => return,
            () = sleep(SIGN_OF_LIFE), if between_lines => sender.send(Bytes::from_static(b"\n")).await,
        };
        if sent.is_err() {
            return;
        }
    }
}

fn last(status: Option<ExitStatus>, recorded: Option<String>) -> Value {
    let recording = recorded.and_then(|text| lean(&text));
    json!({
        "event": "end", "exit_code": status.and_then(|s| s.code()), "signal": status.and_then(|s| s.signal()),
        "recording": recording,
    })
}

/// What weave reads of a step in a recorded run; the rest is for people.
const READ: [&str; 3] = ["process", "transitions", "partner"];

/// A recorded run without what is only there to be read, as text.
fn lean(text: &str) -> Option<String> {
    let mut run: Value = serde_json::from_str(text).ok()?;
    for step in run["steps"].as_array_mut()?.iter_mut().filter_map(Value::as_object_mut) {
        step.retain(|key, _| READ.contains(&key.as_str()));
    }
    Some(run.to_string())
}

/// What was passed on, as a body.
struct Lines(Receiver<Bytes>);

impl HttpBody for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|bytes| Ok(Frame::data(bytes))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_run_keeps_its_large_numbers() {
        let text =
            r#"{"steps":[{"process":1,"transitions":[18446744073709551615],"changes":{"x":["0","1"]}}]}"#;
        let lean = lean(text).unwrap();
        assert_eq!(lean, r#"{"steps":[{"process":1,"transitions":[18446744073709551615]}]}"#);
    }
}
