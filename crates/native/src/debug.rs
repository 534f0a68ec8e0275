//! A recorded run, executed up to its last step, with every process of it stopped under gdb.
//!
//! One gdb has all processes, each as an *inferior*; the one that failed is the current one.
//! Whatever gdb does, the processes end with it.

use crate::compile::equipped_folder;
use crate::execution::{Execution, Known, Options};
use crate::launch::Program;
use crate::operation::Tid;
use crate::steps::perform;
use explore::stateless::Trouble;
use space::Step;
use std::path::Path;
use std::process::Command;

/// Executes a record and gives all its processes to gdb, which talks to the user itself.
pub fn debug(program: &Program, options: Options, known: &Known, record: &[Step]) -> Result<(), Trouble> {
    let mut execution = Execution::new(program, options, known.clone(), 0)?;
    perform(&mut execution, record)?;
    let processes = execution.machine.processes();
    if processes.is_empty() {
        return Err(Trouble::Broken("no process of the run is left for gdb".to_string()));
    }
    let last = record.last().map_or(0, |step| step.actor);
    let mut gdb = Command::new("gdb");
    gdb.args([
        "-q",
        "-ex",
        "set confirm off",
        "-ex",
        "set pagination off",
        "-ex",
        "set print inferior-events off",
    ]);
    // gdb cannot read a file in memory that belongs to another process, and needs the library to
    // find who called it.
    let files = equipped_folder().map_err(|e| Trouble::Broken(e.to_string()))?;
    for order in orders(program, &files.library(), &processes, execution.process_of(last)) {
        gdb.arg("-ex").arg(order);
    }
    match gdb.status() {
        Ok(_) => Ok(()),
        Err(error) => Err(Trouble::Broken(format!("gdb: {error}"))),
    }
}

/// Attaches to each process and shows where it stands; ends with the one that failed.
fn orders(program: &Program, library: &Path, processes: &[(Tid, i32)], failed: u64) -> Vec<String> {
    let mut orders = Vec::new();
    let mut current = 1;
    for (at, (who, pid)) in processes.iter().enumerate() {
        if at > 0 {
            orders.push("add-inferior".to_string());
            orders.push(format!("inferior {}", at + 1));
        }
        orders.push(format!("file {}", program.path.display()));
        orders.push(format!("attach {pid}"));
        orders.extend(base(*pid).map(|base| format!("add-symbol-file {} -o {base:#x}", library.display())));
        orders.push(format!("echo \\n* process {who}, inferior {}:\\n", at + 1));
        orders.push("backtrace 8".to_string());
        if *who as u64 == failed {
            current = at + 1;
        }
    }
    orders.push(format!("inferior {current}"));
    orders
}

/// Where the library lies in a process.
fn base(pid: i32) -> Option<u64> {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
    let line = maps.lines().find(|l| l.contains("libweave.so"))?;
    u64::from_str_radix(line.split('-').next()?, 16).ok()
}
