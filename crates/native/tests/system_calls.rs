//! Every number of a system call, by the table and in a program that makes it.

use explore::stateless::{Bounds, Limits, Reduction};
use native::compile::build;
use native::execution::Options;
use native::explore::{Explored, Plan, explore};
use native::launch::Program;
use native::system_calls::{SYSTEM_CALLS, class};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Behind the last number that any kernel has so far.
const NUMBERS: u32 = 600;

fn numbers(wanted: &str) -> Vec<u32> {
    (0..NUMBERS).filter(|number| class(*number) == wanted).collect()
}

fn name(number: u32) -> String {
    let found = SYSTEM_CALLS.iter().find(|(known, ..)| *known == number);
    found.map_or(format!("system call {number}"), |(_, name, _)| name.to_string())
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn make(program: &Path, numbers: &[u32]) -> Explored {
    let plan = Plan {
        program: Program {
            path: program.to_path_buf(),
            arguments: numbers.iter().map(|n| n.to_string().into()).collect(),
            trust: true,
            memory: 4 << 30,
            input: None,
            built: true,
        },
        reduction: Reduction::Dpor,
        bounds: Bounds { limits: Limits { depth: Some(10_000), ..Limits::default() }, ..Bounds::default() },
        options: Options {
            exit_matters: false,
            races_matter: false,
            spurious: 0,
            ordered: false,
            divergence: Duration::from_secs(20),
        },
        threads: 1,
        sampling: None,
        seed: 1,
    };
    explore(&plan, &mut |_| true).unwrap_or_else(|trouble| panic!("{numbers:?}: {trouble}"))
}

#[test]
fn the_table_is_sound() {
    assert!(SYSTEM_CALLS.is_sorted_by(|a, b| a.0 < b.0), "by number, each once");
    let classes = ["MODELLED", "LIBRARY", "HARMLESS", "UNCONTROLLED", "ENDS"];
    assert!(SYSTEM_CALLS.iter().all(|(_, _, class)| classes.contains(class)));
    assert_eq!(class(u32::MAX), "UNCONTROLLED");
    // What the headers of this machine know is in it, under the same number.
    let header = std::fs::read_to_string("/usr/include/x86_64-linux-gnu/asm/unistd_64.h").unwrap_or_default();
    for line in header.lines().filter_map(|l| l.strip_prefix("#define __NR_")) {
        let (known, number) = line.split_once(' ').unwrap();
        assert_eq!(name(number.trim().parse().unwrap()), known);
    }
    // What is modelled is known to the functions that do it.
    let code = |name: &str| std::fs::read_to_string(file("preload").join(name)).unwrap();
    let code = code("direct.c") + &code("calls.c");
    for number in numbers("MODELLED") {
        let name = name(number);
        let known = code.contains(&format!("case SYS_{name}:"))
            || code.contains(&format!("case {}:", name.to_uppercase()));
        assert!(known, "{name}");
    }
}

/// Harmless calls do not come to us, so that nothing can be said of memory that they access.
#[test]
fn harmless_calls_access_no_memory() {
    let rows = std::fs::read_to_string(file("preload/raw.c")).unwrap();
    for number in numbers("HARMLESS") {
        let name = name(number);
        assert!(rows.contains(&format!(" N({name})")), "{name} has no row that says so");
        let others = ["T", "R", "W", "B"].map(|way| format!(" {way}({name},"));
        assert!(!others.iter().any(|row| rows.contains(row)), "{name} has a pointer");
    }
}

/// System calls with an argument that is the number of a process or thread.
const BY_NUMBER: &str = "getpgid getsid setpgid getpriority setpriority sched_setparam sched_getparam \
    sched_setscheduler sched_getscheduler sched_rr_get_interval sched_setaffinity sched_getaffinity \
    sched_setattr sched_getattr prlimit64 ioprio_set ioprio_get kill tkill tgkill rt_sigqueueinfo \
    rt_tgsigqueueinfo wait4 waitid pidfd_open ptrace process_vm_readv process_vm_writev kcmp \
    move_pages migrate_pages get_robust_list perf_event_open capget capset";

/// A process can be named by its number until its parent has waited for it: no such call passes
/// unless it depends on that.
#[test]
fn calls_that_name_a_process_depend_on_its_being() {
    let folder = std::fs::read_dir(file("preload")).unwrap();
    let read = |entry: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(entry.unwrap().path());
    let code: String = folder.filter_map(|entry| read(entry).ok()).collect();
    let table = std::fs::read_to_string(file("src/unseen/library.rs")).unwrap();
    let listed = |name: &str| table.split_whitespace().any(|word| word == name);
    // What makes them depend on it; a wait is for children of one's own.
    let marks = ["NAMES_PROCESS(", "schedules(pid", "send_to(", "send_signal(", "wait_for(", "ask_wait("];
    for name in BY_NUMBER.split_whitespace() {
        let known = SYSTEM_CALLS.iter().find(|(_, call, _)| *call == name);
        let (_, _, class) = known.unwrap_or_else(|| panic!("{name} is not in the table"));
        assert!(["LIBRARY", "UNCONTROLLED", "ENDS"].contains(class), "{name} is {class}");
        let starts = [format!(" {name}("), format!(", {name}, (")];
        let exported = |line: &str| line.starts_with("EXPORT ") || line.starts_with("TELLS");
        let found = code.match_indices("\n").map(|(at, _)| &code[at + 1..]).find(|text| {
            let line = text.lines().next().unwrap_or_default();
            exported(line) && starts.iter().any(|start| line.contains(start))
        });
        let Some(text) = found.filter(|_| *class == "LIBRARY") else {
            assert!(*class != "LIBRARY" || !listed(name), "{name} is listed as harmless");
            continue;
        };
        let one_line = text.starts_with("TELLS");
        let body = if one_line { text.lines().next() } else { text.split("\n}").next() };
        assert!(marks.iter().any(|mark| body.unwrap_or_default().contains(mark)), "{name}: {body:?}");
    }
}

#[test]
fn every_number_that_is_not_controlled_is_reported() {
    let built = build(&file("tests/calls.c"), &[]).unwrap().unwrap();
    let wanted = numbers("UNCONTROLLED");
    let explored = make(&built.program, &wanted);
    for number in wanted {
        let name = name(number);
        let reported = |u: &String| *u == name || u.starts_with(&format!("{name},"));
        assert!(explored.uncontrolled.iter().any(reported), "{name}: {:?}", explored.uncontrolled);
    }
    for number in numbers("ENDS") {
        let explored = make(&built.program, &[number]);
        let trouble = explored.trouble.map(|t| t.to_string()).unwrap_or_default();
        assert!(trouble.contains(&name(number)), "{}: {trouble}", name(number));
    }
}

#[test]
fn harmless_calls_are_let_pass() {
    let built = build(&file("tests/calls.c"), &[]).unwrap().unwrap();
    // These end the thread, or take long.
    let aside = ["rt_sigreturn", "sync", "restart_syscall"];
    let wanted: Vec<u32> =
        numbers("HARMLESS").into_iter().filter(|n| !aside.contains(&name(*n).as_str())).collect();
    let explored = make(&built.program, &wanted);
    assert!(explored.trouble.is_none() && explored.uncontrolled.is_empty(), "{explored:?}");
    assert!(explored.report.exhausted && explored.report.violations.is_empty(), "{explored:?}");
}
