//! The program as C: the functions in `c/`, one function for each task, and `main`.

use super::Program;
use std::fmt::{self, Display, Formatter};

/// What the calls are made of.
const PARTS: [&str; 6] = [
    include_str!("c/frame.h"),
    include_str!("c/locks.h"),
    include_str!("c/signals.h"),
    include_str!("c/channels.h"),
    include_str!("c/files.h"),
    include_str!("c/threads.h"),
];

/// How tasks are named and left.
const THREADS: &str = "#define SEND(task, number) pthread_kill(S->thread[task], number)
#define LEAVE(code) (pthread_exit((void *)code), 0)\n";
const PROCESSES: &str = "#define SEND(task, number) E(kill(S->process[task], number))
#define LEAVE(code) (_exit(code), 0)\n";

impl Display for Program {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (tasks, named, gated) = (self.tasks.len(), self.names_tasks(), self.gated);
        writeln!(out, "#define TASKS {tasks}\n#define NAMED {}\n#define GATED {}", named as u8, gated as u8)?;
        writeln!(out, "#define QUEUE \"/weave-calls-{}\"", self.seed)?;
        out.write_str(if self.forks() { "#define SHARED\n" } else { "" })?;
        out.write_str(if self.processes { PROCESSES } else { THREADS })?;
        PARTS.iter().try_for_each(|part| out.write_str(part))?;
        (0..tasks).try_for_each(|task| self.task(task, out))?;
        self.main(out)
    }
}

impl Program {
    /// The calls alone, as they are shown in a report.
    pub fn tasks_as_text(&self) -> String {
        let tasks = self.tasks.iter().enumerate().map(|(task, calls)| {
            let calls = calls.iter().map(|call| call.text.replace("OTHER", &call.other.to_string()));
            format!("task {task}: {}\n", calls.collect::<Vec<_>>().join("; "))
        });
        tasks.collect()
    }

    fn task(&self, task: usize, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "\nstatic void *task{task}(void *unused) {{\n  enum {{ ME = {task} }};")?;
        if self.names_tasks() {
            writeln!(out, "  wait_for(&S->begin[ME]);")?;
        }
        writeln!(out, "  pthread_cleanup_push(ended, (void *){task});")?;
        for (at, call) in self.tasks[task].iter().enumerate() {
            writeln!(out, "  STEP({at}, {});", call.text.replace("OTHER", &call.other.to_string()))?;
        }
        writeln!(out, "  pthread_cleanup_pop(1);\n  return unused;\n}}")
    }

    fn main(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "\nint main(void) {{\n  prepare();")?;
        self.groups().iter().filter(|group| !group.begin.is_empty()).try_for_each(|group| {
            let lines = group.begin.split('\n').map(str::trim);
            lines.into_iter().try_for_each(|line| writeln!(out, "  {line}"))
        })?;
        for task in 0..self.tasks.len() {
            if self.processes {
                writeln!(out, "  begin_process({task}, task{task});")?;
            } else {
                writeln!(out, "  pthread_create(&S->thread[{task}], 0, task{task}, 0);")?;
            }
        }
        if self.processes && self.groups().iter().any(|group| group.name == "pipe") {
            writeln!(out, "  close(pipes[0]), close(pipes[1]);")?;
        }
        writeln!(out, "  let_begin();")?;
        let wait = if self.processes { "await_process" } else { "join_thread" };
        (0..self.tasks.len()).try_for_each(|task| writeln!(out, "  {wait}({task});"))?;
        if self.groups().iter().any(|group| group.name == "children") {
            writeln!(out, "  reap();")?;
        }
        writeln!(out, "  tell();\n  return 0;\n}}")
    }
}
