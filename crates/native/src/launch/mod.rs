//! Starts a program in its own namespaces, with our library inside, as a server of runs.
//!
//! Two forks: the first makes the namespaces (user, pid, ipc, mount), the second is process 1 of
//! the new pid namespace and becomes the program. It dies with us, and everything it started dies
//! with it. The library and the shared memory are handed over as memory files, so nothing lies on a
//! disk.

mod guard;
mod hidden;
mod input;
mod memory;
mod start;

use crate::group::Group;
use crate::protocol::RUN_QUIT;
pub use hidden::is_hidden;
use hidden::{Kept, kept};
pub use input::Input;
use memory::{Mapping, mapping, memory_file};
use start::{LIBRARY_AT, SHARED_AT, namespaces_work, pin, start};
use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The preloaded library.
pub static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libweave.so"));

/// What to start and how much it may use.
#[derive(Clone, Debug)]
pub struct Program {
    /// The executable file.
    pub path: PathBuf,
    /// What follows the path in the arguments of `main`.
    pub arguments: Vec<std::ffi::OsString>,
    /// Run without namespaces if there are none.
    pub trust: bool,
    /// Bytes of address space for each process.
    pub memory: u64,
    /// What it reads from its standard input; nothing if there is none.
    pub input: Option<Arc<Input>>,
    /// We have compiled it: its own code is instrumented.
    pub built: bool,
}

fn checked(result: i32) -> io::Result<i32> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

fn library() -> io::Result<OwnedFd> {
    use std::io::Write;
    let file = memory_file("libweave.so")?;
    std::fs::File::from(file.try_clone()?).write_all(LIBRARY)?;
    Ok(file)
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| io::Error::other("a zero byte in an argument"))
}

/// Everything the new process needs, made before the fork: after it, only system calls are allowed.
struct Prepared {
    path: CString,
    argv: Vec<CString>,
    environment: Vec<CString>,
    uid_map: String,
    gid_map: String,
    /// Of the control group.
    processes: Option<CString>,
    /// The program, open: its path may be hidden by then.
    program: i32,
    library: i32,
    mapping: i32,
    output: i32,
    input: Option<i32>,
    /// The current folder, if it is or lies in a hidden one, and what is seen of these.
    folder: Option<CString>,
    kept: Vec<Kept>,
    cpu: usize,
    memory: u64,
}

/// A started server.
pub struct Server {
    pub(crate) mapping: Mapping,
    /// What the program writes to its standard output and error.
    pub output: OwnedFd,
    /// Whether it runs in namespaces of its own.
    pub contained: bool,
    /// Bytes of address space for each process.
    pub(crate) memory: u64,
    guardian: i32,
    /// With a position of its own.
    _input: Option<OwnedFd>,
    _library: OwnedFd,
    group: Option<Group>,
}

/// Of one worker's programs at a time. The scheduler stops at [`crate::protocol::LIM_SLOTS`]
/// before.
const MOST_PROCESSES: u64 = 4096;

impl Server {
    /// Whether the server is still there.
    pub fn lives(&self) -> bool {
        let mut status = 0;
        // SAFETY: our own child; `status` is a valid place.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            libc::waitpid(self.guardian, &mut status, libc::WNOHANG) == 0
        }
    }

    /// Whether a process of the program was ended because it had no more memory.
    pub(crate) fn lacked_memory(&self) -> bool {
        self.group.as_ref().is_some_and(Group::lacked_memory)
    }

    /// The process that serves, outside of its namespace.
    pub fn process(&self) -> Option<i32> {
        let children = format!("/proc/{0}/task/{0}/children", self.guardian);
        std::fs::read_to_string(children).ok()?.split_whitespace().next()?.parse().ok()
    }

    /// All processes of the program: their numbers in its namespace, and outside.
    pub fn processes(&self) -> Vec<(i32, i32)> {
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers: Vec<i32> = all.filter_map(|e| e.file_name().to_str()?.parse().ok()).collect();
        let field = |pid: i32, name: &str| -> Option<Vec<i32>> {
            let text = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
            let line = text.lines().find_map(|l| l.strip_prefix(name))?;
            Some(line.split_whitespace().filter_map(|n| n.parse().ok()).collect())
        };
        let space = |pid: i32| std::fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
        let server = numbers.iter().find(|pid| field(**pid, "PPid:") == Some(vec![self.guardian]));
        let Some(inside) = server.and_then(|pid| space(*pid)) else { return Vec::new() };
        let mine = numbers.iter().filter(|pid| space(**pid).as_ref() == Some(&inside));
        mine.filter_map(|pid| Some((*field(*pid, "NSpid:")?.last()?, *pid))).collect()
    }
}

impl Drop for Server {
    /// Asks the server to end, which ends everything in its namespace and is reaped by the
    /// guardian; or ends the guardian.
    fn drop(&mut self) {
        let order = &self.mapping.shared().order;
        order.store(RUN_QUIT, std::sync::atomic::Ordering::SeqCst);
        // SAFETY: a word of mapped memory, and our own child.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            libc::syscall(libc::SYS_futex, order.as_ptr(), libc::FUTEX_WAKE, 1);
        }
        for _ in 0..2000 {
            if !self.lives() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        // SAFETY: our own child. Its death kills process 1 of the namespace and so everything in
        // it; without one, it kills what is left, and ends.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            libc::kill(self.guardian, if self.contained { libc::SIGKILL } else { guard::END });
            libc::waitpid(self.guardian, std::ptr::null_mut(), 0);
        }
    }
}

/// Whether this machine lets us contain a program in namespaces of its own.
pub fn can_contain() -> bool {
    namespaces_work()
}

/// Starts the program with the preloaded library, in namespaces of its own if there are any.
pub fn launch(program: &Program, worker: usize) -> io::Result<Server> {
    let contained = namespaces_work();
    // SAFETY: asks for a number.
    #[allow(unsafe_code, reason = "see above")]
    let (uid, gid) = unsafe { (libc::getuid(), libc::getgid()) };
    if !contained && uid == 0 && !program.trust {
        return Err(io::Error::other(
            "this machine has no user namespaces and you are root: the program could do anything; --trust runs it",
        ));
    }
    let library = library()?;
    let mapping = mapping()?;
    let output = memory_file("output")?;
    let input = program.input.as_ref().map(|i| i.open()).transpose()?;
    let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let beside = program.path.parent().filter(|_| !program.built).map(Path::to_path_buf);
    let seen: Vec<PathBuf> = beside.into_iter().chain([folder.clone()]).collect();
    let mut environment: Vec<CString> = Vec::new();
    for (name, value) in std::env::vars_os().filter(|(n, _)| n != "LD_PRELOAD") {
        let pair = [name.as_bytes(), b"=", value.as_bytes()].concat();
        environment.push(CString::new(pair).map_err(io::Error::other)?);
    }
    environment.push(c_string(OsStr::new(&format!("LD_PRELOAD=/proc/self/fd/{LIBRARY_AT}")))?);
    environment.push(c_string(OsStr::new(&format!("WEAVE_FD={SHARED_AT}")))?);
    environment.push(c_string(OsStr::new("LD_BIND_NOW=1"))?);
    let path = program.path.as_os_str();
    let open = std::fs::File::open(&program.path)?;
    let group = Group::new(program.memory, MOST_PROCESSES);
    let words = std::iter::once(path).chain(program.arguments.iter().map(|a| a.as_os_str()));
    let prepared = Prepared {
        path: c_string(path)?,
        argv: words.map(c_string).collect::<io::Result<_>>()?,
        environment,
        uid_map: format!("0 {uid} 1"),
        gid_map: format!("0 {gid} 1"),
        processes: group.as_ref().map(|g| c_string(g.processes().as_os_str())).transpose()?,
        program: open.as_raw_fd(),
        library: library.as_raw_fd(),
        mapping: mapping.file.as_raw_fd(),
        output: output.as_raw_fd(),
        input: input.as_ref().map(|i| i.as_raw_fd()),
        folder: hidden::concerns(&folder).then(|| c_string(folder.as_os_str())).transpose()?,
        kept: kept(&seen),
        cpu: pin(worker),
        memory: program.memory,
    };
    mapping.shared().contained.store(contained.into(), std::sync::atomic::Ordering::SeqCst);
    let guardian = start(&prepared, contained)?;
    let memory = program.memory;
    Ok(Server { mapping, output, contained, memory, guardian, _input: input, _library: library, group })
}

/// Whether a file is a program that the dynamic linker loads: a static one would never see our
/// library.
pub(crate) fn is_dynamic(path: &Path) -> io::Result<bool> {
    let bytes = std::fs::read(path)?;
    let word = |at: usize, n: usize| -> Option<u64> {
        let part = bytes.get(at..at + n)?;
        Some(part.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    };
    if bytes.get(..5) != Some(b"\x7fELF\x02") {
        return Err(io::Error::other("not a 64-bit ELF program"));
    }
    let (Some(table), Some(size), Some(count)) = (word(32, 8), word(54, 2), word(56, 2)) else {
        return Err(io::Error::other("a broken ELF program"));
    };
    const INTERPRETER: u64 = 3;
    Ok((0..count).any(|i| word((table + i * size) as usize, 4) == Some(INTERPRETER)))
}
