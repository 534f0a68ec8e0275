//! The one who holds a job to its limits, in every phase: the clock, the memory and the signals are
//! looked at here, in a thread that does nothing else, while another does the work.
//!
//! When a limit is reached the work is asked to end; most phases look often and answer by
//! themselves. What has not answered within its grace is cut off: this thread gives the answer
//! instead (`commands::cut`), removes what would stay behind, and ends the process. Who writes the
//! answer is settled in `output`, so that there is one answer and no half line.

use crate::cli::Command;
use crate::commands;
use crate::exit::Exit;
use crate::output;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use workbench::{Cut, Interrupt, Stop};

/// How long the work may take to answer when it is asked to end.
const GRACE: Duration = Duration::from_millis(700);

/// How long it may take to write a checkpoint then.
const SAVING: Duration = Duration::from_secs(30);

/// While memory is limited it is looked at again before it can have grown to the limit, at this
/// many bytes a second.
const GROWTH: u64 = 4 << 30;
const GLANCES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];

/// The work has a large stack: texts may be nested deeply. Only what is used of it is memory.
const STACKS: [usize; 3] = [1 << 30, 1 << 28, 1 << 26];

/// What can happen while the work is done.
enum Event {
    Signal,
    Done(Exit),
}

/// Does the work of a command under its limits.
pub(crate) fn oversee(command: &Arc<Command>, work: fn(&Command) -> Exit) -> Exit {
    let (sender, events) = channel();
    crate::interrupt::on_signal(signal(sender.clone()));
    if !begin(command, work, &sender) {
        return work(command);
    }
    let overseer = Overseer { command, begun: Instant::now(), job: crate::interrupt::listen() };
    command.limits().memory.into_iter().for_each(|bytes| overseer.job.limit_memory(bytes));
    overseer.wait(&events)
}

fn signal(sender: Sender<Event>) -> impl Fn() + Send + 'static {
    move || {
        let _ = sender.send(Event::Signal);
    }
}

/// Starts the work; false if there is no thread for it.
fn begin(command: &Arc<Command>, work: fn(&Command) -> Exit, sender: &Sender<Event>) -> bool {
    STACKS.iter().any(|stack| {
        let (command, sender) = (Arc::clone(command), sender.clone());
        let body = move || {
            let exit = work(&command);
            let _ = sender.send(Event::Done(exit));
        };
        thread::Builder::new().name("weave".to_string()).stack_size(*stack).spawn(body).is_ok()
    })
}

struct Overseer<'a> {
    command: &'a Command,
    begun: Instant,
    job: Interrupt,
}

impl Overseer<'_> {
    fn wait(&self, events: &Receiver<Event>) -> Exit {
        let (mut due, mut saved_by) = (None, None);
        loop {
            match self.next(events, due) {
                Ok(Event::Done(exit)) => return exit,
                Ok(Event::Signal) => self.on_signal(),
                Err(RecvTimeoutError::Timeout) => self.look(),
                Err(RecvTimeoutError::Disconnected) => return Exit::Bug,
            }
            if due.is_none() && self.job.is_raised() && self.job.board().phase != commands::SERVING {
                due = Some(Instant::now() + GRACE);
                saved_by = Some(Instant::now() + SAVING);
            }
            if self.is_saving() && saved_by.is_some_and(|by| Instant::now() < by) {
                due = Some(Instant::now() + GRACE);
            }
            if due.is_some_and(|due| Instant::now() >= due) || self.is_far_beyond() {
                due = self.cut_off();
            }
        }
    }

    fn next(&self, events: &Receiver<Event>, due: Option<Instant>) -> Result<Event, RecvTimeoutError> {
        match self.pause(due) {
            Some(pause) => events.recv_timeout(pause),
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Until when nothing needs to be looked at; `None` if nothing has a limit.
    fn pause(&self, due: Option<Instant>) -> Option<Duration> {
        if self.job.board().phase == commands::IN_GDB {
            return Some(GRACE);
        }
        let limits = self.command.limits();
        let deadline = limits.time.filter(|_| !self.job.is_raised()).map(|time| self.begun + time);
        let at = [deadline, due].into_iter().flatten().min();
        let clock = at.map(|at| at.saturating_duration_since(Instant::now()));
        let memory = limits.memory.map(|limit| glance(limit, workbench::listener::resident_bytes()));
        [clock, memory].into_iter().flatten().min()
    }

    /// The first signal asks; the second ends the process at once. At a prompt there is nothing to
    /// wait for; in gdb it means gdb.
    fn on_signal(&self) {
        match self.job.board().phase {
            commands::IN_GDB => return,
            phase if phase != commands::AT_PROMPT && !self.job.is_interrupted() => {}
            _ => self.end(Exit::Interrupted),
        }
        self.job.raise();
    }

    /// Asks for an end if a limit is reached.
    fn look(&self) {
        let limits = self.command.limits();
        if self.job.board().phase == commands::IN_GDB {
            return;
        }
        if limits.time.is_some_and(|time| self.begun.elapsed() >= time) {
            self.job.ask(Stop::Time);
        }
        if limits.memory.is_some_and(|limit| workbench::listener::resident_bytes() >= limit) {
            self.job.ask(Stop::Memory);
        }
    }

    /// Memory is not waited for: it may grow faster than the work can answer.
    fn is_far_beyond(&self) -> bool {
        let limit = self.command.limits().memory.filter(|_| self.job.is_raised());
        limit.is_some_and(|limit| workbench::listener::resident_bytes() >= limit + limit / 40)
    }

    /// Whether the work writes down how far it is: that is worth waiting for.
    fn is_saving(&self) -> bool {
        self.job.board().phase == workbench::disk::SAVING
    }

    /// Gives the answer instead of the work and ends the process; or lets the work finish it, if
    /// that has begun to write.
    fn cut_off(&self) -> Option<Instant> {
        let at_prompt = self.job.board().phase == commands::AT_PROMPT;
        let job = self.job.clone();
        thread::spawn(move || give_up(&job));
        if !output::take_over() && !at_prompt {
            return Some(Instant::now() + Duration::from_secs(3600));
        }
        let cut = Cut {
            stop: self.job.asked().unwrap_or(Stop::Time),
            limits: self.command.limits(),
            seconds: self.begun.elapsed().as_secs_f64(),
            memory_bytes: workbench::listener::resident_bytes(),
        };
        let board = self.job.board().clone();
        let exit = commands::cut::answer(self.command, &cut, &board);
        self.end(exit)
    }

    fn end(&self, exit: Exit) -> ! {
        workbench::programs::clear_leftovers();
        std::process::exit(output::settle(exit).code().into())
    }
}

/// A reader that does not read keeps the answer, or the file it goes to. A limit does not wait for
/// it: what is known by then decides how the process ends.
fn give_up(job: &Interrupt) -> ! {
    let (late, patience) =
        if job.is_interrupted() { (Exit::Interrupted, GRACE) } else { (Exit::Unknown, 3 * GRACE) };
    let mut before = None;
    while before != Some(output::written()) || job.board().phase == commands::IN_GDB {
        before = Some(output::written());
        thread::sleep(patience);
    }
    workbench::programs::clear_leftovers();
    std::process::exit(output::decided().unwrap_or(late).code().into());
}

/// When to look at the memory again.
fn glance(limit: u64, used: u64) -> Duration {
    let room = limit.saturating_sub(used);
    Duration::from_secs_f64(room as f64 / GROWTH as f64).clamp(GLANCES[0], GLANCES[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_near_its_limit_is_looked_at_more_often() {
        assert_eq!(glance(1 << 30, 1 << 30), GLANCES[0]);
        assert_eq!(glance(1 << 30, 2 << 30), GLANCES[0]);
        assert_eq!(glance(1 << 40, 0), GLANCES[1]);
        assert!(glance(1 << 30, (1 << 30) - (40 << 20)) < GLANCES[1]);
    }
}
