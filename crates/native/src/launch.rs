//! Starts a program in its own namespaces, with our library inside, as a server of runs.
//!
//! Two forks: the first makes the namespaces (user, pid, ipc, mount), the second is process 1 of the new pid namespace and
//! becomes the program. It dies with us, and everything it started dies with it. The library and the shared memory are handed
//! over as memory files, so nothing lies on a disk.

use crate::group::Group;
use crate::protocol::{RUN_QUIT, Shared};
use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

/// The preloaded library.
pub static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libweave.so"));

/// What to start and how much it may use.
#[derive(Clone, Debug)]
pub struct Program {
    pub path: std::path::PathBuf,
    pub arguments: Vec<std::ffi::OsString>,
    /// Run without namespaces if there are none.
    pub trust: bool,
    /// Bytes of address space for each process.
    pub memory: u64,
}

/// The memory that is shared with the program.
pub struct Mapping {
    memory: *const Shared,
    _file: OwnedFd,
}

// SAFETY: the memory is only accessed through atomics.
#[allow(unsafe_code, reason = "see above")]
unsafe impl Send for Mapping {}

impl Mapping {
    pub fn shared(&self) -> &Shared {
        // SAFETY: mapped with this size for as long as `self` lives; all fields are atomics, so any content is valid.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            &*self.memory
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped in `memory_file`, and nobody has a reference any more.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            libc::munmap(self.memory as *mut _, size_of::<Shared>());
        }
    }
}

fn checked(result: i32) -> io::Result<i32> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// A file in memory that programs inherit.
pub fn memory_file(name: &str) -> io::Result<OwnedFd> {
    let name = CString::new(name)?;
    // SAFETY: the name is a C string; the result is checked and owned by nobody else.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        Ok(OwnedFd::from_raw_fd(checked(libc::memfd_create(name.as_ptr(), libc::MFD_ALLOW_SEALING))?))
    }
}

fn library() -> io::Result<OwnedFd> {
    use std::io::Write;
    let file = memory_file("libweave.so")?;
    std::fs::File::from(file.try_clone()?).write_all(LIBRARY)?;
    Ok(file)
}

fn mapping() -> io::Result<Mapping> {
    let file = memory_file("weave")?;
    let size = size_of::<Shared>();
    // SAFETY: a new file of this size, mapped whole; the result is checked.
    #[allow(unsafe_code, reason = "see above")]
    let memory = unsafe {
        checked(libc::ftruncate(file.as_raw_fd(), size as i64))?;
        // Whoever cuts it off would take us with it.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        checked(libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals))?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        libc::mmap(std::ptr::null_mut(), size, access, libc::MAP_SHARED, file.as_raw_fd(), 0)
    };
    if memory == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(Mapping { memory: memory.cast(), _file: file })
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
    output: i32,
    cpu: usize,
    memory: u64,
}

/// A started server.
pub struct Server {
    pub mapping: Mapping,
    /// What the program writes to its standard output and error.
    pub output: OwnedFd,
    pub contained: bool,
    guardian: i32,
    _library: OwnedFd,
    _group: Option<Group>,
}

/// Of one worker's programs at a time. The scheduler stops at [`crate::protocol::LIM_SLOTS`] before.
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
    /// Asks the server to end, which ends everything in its namespace and is reaped by the guardian; or ends the guardian.
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
        // SAFETY: our own child. Its death kills process 1 of the namespace and so everything in it.
        #[allow(unsafe_code, reason = "see above")]
        unsafe {
            libc::kill(self.guardian, libc::SIGKILL);
            libc::waitpid(self.guardian, std::ptr::null_mut(), 0);
        }
    }
}

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
    let mut environment: Vec<CString> = Vec::new();
    for (name, value) in std::env::vars_os().filter(|(n, _)| n != "LD_PRELOAD") {
        let pair = [name.as_bytes(), b"=", value.as_bytes()].concat();
        environment.push(CString::new(pair).map_err(io::Error::other)?);
    }
    environment.push(c_string(OsStr::new(&format!("LD_PRELOAD=/proc/self/fd/{}", library.as_raw_fd())))?);
    environment.push(c_string(OsStr::new(&format!("WEAVE_FD={}", mapping._file.as_raw_fd())))?);
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
        output: output.as_raw_fd(),
        cpu: pin(worker),
        memory: program.memory,
    };
    mapping.shared().contained.store(contained.into(), std::sync::atomic::Ordering::SeqCst);
    let guardian = start(&prepared, contained)?;
    Ok(Server { mapping, output, contained, guardian, _library: library, _group: group })
}

/// Whether this machine lets us make namespaces.
fn namespaces_work() -> bool {
    // SAFETY: the child only makes system calls and ends.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        let child = libc::fork();
        if child == 0 {
            let good = libc::unshare(NAMESPACES) == 0 && hide_folders();
            libc::_exit(if good { 0 } else { 1 });
        }
        let mut status = 1;
        child > 0 && libc::waitpid(child, &mut status, 0) == child && status == 0
    }
}

const NAMESPACES: i32 = libc::CLONE_NEWUSER | libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWNS;

/// Empty folders of our own where programs leave files, in a new mount namespace. The server empties them after each run, so that
/// it must not begin if they are not ours.
///
/// # Safety
/// None needed: system calls on constants.
#[allow(unsafe_code, reason = "system calls")]
// SAFETY: no allocation, so it may be called between fork and exec.
unsafe fn hide_folders() -> bool {
    // SAFETY: as above.
    unsafe {
        let none = std::ptr::null();
        let alone = libc::mount(none, c"/".as_ptr(), none, libc::MS_REC | libc::MS_PRIVATE, none.cast()) == 0;
        let limit = c"size=64m".as_ptr().cast();
        let hide = |folder: &std::ffi::CStr| {
            libc::mount(c"private".as_ptr(), folder.as_ptr(), c"tmpfs".as_ptr(), 0, limit) == 0
                || *libc::__errno_location() == libc::ENOENT
        };
        alone && [c"/dev/shm", c"/tmp", c"/var/tmp"].into_iter().all(hide)
    }
}

/// Keeps this thread on one processor: scheduler and program take turns, and waking another processor is slow. Each worker has
/// another one, beginning with that on which the first was started.
fn pin(worker: usize) -> usize {
    static MINE: OnceLock<Vec<usize>> = OnceLock::new();
    let mine = MINE.get_or_init(processors);
    let cpu = mine.get(worker % mine.len().max(1)).copied().unwrap_or(0);
    // SAFETY: plain system calls on a zeroed set of the right size.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        set_cpu(cpu);
    }
    cpu
}

/// The processors that this process may use, the present one first.
fn processors() -> Vec<usize> {
    // SAFETY: plain system calls on a zeroed set of the right size.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set);
        let mut all: Vec<usize> =
            (0..libc::CPU_SETSIZE as usize).filter(|cpu| libc::CPU_ISSET(*cpu, &set)).collect();
        let here = libc::sched_getcpu().max(0) as usize;
        let at = all.iter().position(|cpu| *cpu == here).unwrap_or(0);
        all.rotate_left(at);
        all
    }
}

/// Keeps the calling thread on one processor, where who is woken does not push aside who woke it: that one is about to sleep.
///
/// # Safety
/// None needed: two system calls.
#[allow(unsafe_code, reason = "system calls")]
// SAFETY: the set is a plain local value.
unsafe fn set_cpu(cpu: usize) {
    // SAFETY: zero is a valid set, and valid parameters.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set);
        let none: libc::sched_param = std::mem::zeroed();
        libc::sched_setscheduler(0, libc::SCHED_BATCH, &none);
    }
}

fn start(prepared: &Prepared, contained: bool) -> io::Result<i32> {
    let pointers = |strings: &[CString]| {
        let mut all: Vec<*const libc::c_char> = strings.iter().map(|s| s.as_ptr()).collect();
        all.push(std::ptr::null());
        all
    };
    let (argv, environment) = (pointers(&prepared.argv), pointers(&prepared.environment));
    // SAFETY: between fork and exec only system calls are made, on memory prepared before.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        let guardian = checked(libc::fork())?;
        if guardian > 0 {
            return Ok(guardian);
        }
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::setsid();
        if let Some(processes) = &prepared.processes {
            write_file(processes, b"0");
        }
        if contained {
            if libc::unshare(NAMESPACES) != 0 {
                libc::_exit(126);
            }
            write_file(c"/proc/self/setgroups", b"deny");
            write_file(c"/proc/self/uid_map", prepared.uid_map.as_bytes());
            write_file(c"/proc/self/gid_map", prepared.gid_map.as_bytes());
            if !hide_folders() {
                libc::_exit(126);
            }
        }
        let child = libc::fork();
        if child != 0 {
            // The guardian holds nothing open, and ends with the server.
            libc::syscall(libc::SYS_close_range, 0, u32::MAX, 0);
            let mut status = 0;
            libc::waitpid(child, &mut status, 0);
            libc::_exit(1);
        }
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        set_cpu(prepared.cpu);
        limit(libc::RLIMIT_CORE, 0);
        limit(libc::RLIMIT_FSIZE, 64 << 20);
        limit(libc::RLIMIT_AS, prepared.memory);
        limit(libc::RLIMIT_NPROC, MOST_PROCESSES);
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup2(null, 0);
        libc::dup2(prepared.output, 1);
        libc::dup2(prepared.output, 2);
        let (empty, at_once) = (c"".as_ptr(), libc::AT_EMPTY_PATH);
        libc::fcntl(prepared.program, libc::F_SETFD, libc::FD_CLOEXEC);
        libc::syscall(
            libc::SYS_execveat,
            prepared.program,
            empty,
            argv.as_ptr(),
            environment.as_ptr(),
            at_once,
        );
        libc::execve(prepared.path.as_ptr(), argv.as_ptr(), environment.as_ptr());
        libc::_exit(127)
    }
}

#[allow(unsafe_code, reason = "system call")]
// SAFETY: one system call on a local value.
unsafe fn limit(what: libc::__rlimit_resource_t, value: u64) {
    // SAFETY: as above.
    unsafe {
        let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
        libc::setrlimit(what, &limit);
    }
}

#[allow(unsafe_code, reason = "system calls")]
// SAFETY: system calls on borrowed memory; no allocation, so it may be called between fork and exec.
unsafe fn write_file(path: &std::ffi::CStr, text: &[u8]) {
    // SAFETY: as above.
    unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if fd >= 0 {
            libc::write(fd, text.as_ptr().cast(), text.len());
            libc::close(fd);
        }
    }
}

/// Whether a file is a program that the dynamic linker loads: a static one would never see our library.
pub fn is_dynamic(path: &Path) -> io::Result<bool> {
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
