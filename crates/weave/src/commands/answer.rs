//! What `check`, `prove` and `run` have in common: a subject is read, a question is asked, the
//! answer is shown.

use crate::cli::OutputArgs;
use crate::exit::Exit;
use crate::output::{decide, event, line, out};
use crate::show::progress::{ProgressLine, ProofEvents};
use crate::show::{self, result};
use crate::style::Style;
use crate::{interrupt, json, reproduce, trace_file};
use source::SourceMap;
use std::path::Path;
use workbench::{Answer, Engine, Failure, Interrupt, Progress, Question, Subject, SubjectRequest, answer};

/// Reads and asks; progress is shown.
pub(crate) fn ask(
    request: &SubjectRequest,
    question: &Question,
    output: OutputArgs,
) -> Result<(Subject, Answer), Failure> {
    let interrupt = interrupt::listen();
    interrupt.phase("reading the model");
    let mut listener = Listener::new(output, &interrupt);
    let subject = Subject::read(request)?;
    let proof = (output.json() && question.engine == Engine::Prove).then(|| ProofEvents::new(&interrupt));
    let answer = answer(&subject, question, &interrupt, &mut |p| listener.hear(p));
    drop((listener, proof));
    let answer = answer?;
    interrupt.phase("writing the answer");
    Ok((subject, answer))
}

/// Warnings, and the answer as it was asked for.
pub(crate) fn show(command: &str, answer: &Answer, map: &SourceMap, output: OutputArgs) -> Exit {
    let (exit, reproduce) = (Exit::of_answer(answer), reproduce::command());
    decide(exit);
    let style = Style::of_stdout(output.full);
    if output.json() {
        answer.warnings.iter().for_each(|w| line(&json::diagnostic(map, w).to_string()));
        line(&json::answer(command, answer, map, &reproduce, exit).to_string());
    } else if output.quiet {
        out(&result::headline(answer, &style));
    } else {
        show::complain_all(map, &answer.warnings);
        out(&result::result(map, answer, &reproduce, &style));
    }
    exit
}

/// The counterexample, or a run of a program that failed once, to a file if one is asked for.
pub(crate) fn write(path: Option<&Path>, answer: &Answer) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let once = answer.numbers.runs.as_ref().and_then(|runs| runs.unrepeated.first());
    match (answer.violations.first(), once) {
        (Some(violation), _) => trace_file::write(path, &violation.recording, &violation.trace),
        (None, Some(once)) => trace_file::write(path, &once.recording, None),
        (None, None) => Ok(()),
    }
}

/// The progress listener: a refreshed line for people, an event a second for programs.
struct Listener {
    line: ProgressLine,
    json: bool,
    /// When the last event was written.
    written: f64,
}

impl Listener {
    fn new(output: OutputArgs, job: &Interrupt) -> Listener {
        let line = ProgressLine::new(!output.json() && !output.quiet, job);
        Listener { line, json: output.json(), written: 0.0 }
    }

    fn hear(&mut self, progress: &Progress) {
        self.line.hear(progress);
        if self.json && progress.seconds - self.written >= 1.0 {
            self.written = progress.seconds;
            event(&format!("{}\n", json::progress(progress)));
        }
    }
}
