//! From a process of ours to a server of runs: namespaces, private folders, limits, one processor;
//! system calls only.

use super::guard::{END, guard, prepare};
use super::hidden::Kept;
use super::{MOST_PROCESSES, Prepared, checked};
use std::ffi::CString;
use std::io;
use std::sync::OnceLock;

/// Whether this machine lets us make namespaces.
pub(super) fn namespaces_work() -> bool {
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

/// Empty folders of our own where programs leave files, in a new mount namespace. The server
/// empties them after each run, so that it must not begin if they are not ours.
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
        alone && super::hidden::HIDDEN.into_iter().all(hide)
    }
}

/// Keeps this thread on one processor: scheduler and program take turns, and waking another
/// processor is slow. Each worker has another one, beginning with that on which the first was
/// started.
pub(super) fn pin(worker: usize) -> usize {
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

/// Keeps the calling thread on one processor, where who is woken does not push aside who woke it:
/// that one is about to sleep.
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

/// Where the server finds our library, the shared memory, and (until it is executed) the program:
/// high, so that the numbers of what the program opens are what they are without us.
pub(super) const LIBRARY_AT: i32 = 710;
pub(super) const SHARED_AT: i32 = 711;
const PROGRAM_AT: i32 = 712;

/// Gives these files their numbers and closes all others: whatever else we have open, also for
/// other workers, is not for the program, and would show in the numbers of the files that it opens.
///
/// # Safety
/// None needed: system calls on numbers.
#[allow(unsafe_code, reason = "system calls")]
// SAFETY: no allocation, so it may be called between fork and exec.
unsafe fn hand_over(files: [i32; 3]) {
    // SAFETY: as above.
    unsafe {
        let aside = files.map(|file| libc::fcntl(file, libc::F_DUPFD, PROGRAM_AT + 1));
        for (file, number) in aside.into_iter().zip([LIBRARY_AT, SHARED_AT, PROGRAM_AT]) {
            libc::dup2(file, number);
        }
        libc::syscall(libc::SYS_close_range, 3, LIBRARY_AT - 1, 0);
        libc::syscall(libc::SYS_close_range, PROGRAM_AT + 1, u32::MAX, 0);
        libc::fcntl(PROGRAM_AT, libc::F_SETFD, libc::FD_CLOEXEC);
    }
}

pub(super) fn start(prepared: &Prepared, contained: bool) -> io::Result<i32> {
    let pointers = |strings: &[CString]| {
        let mut all: Vec<*const libc::c_char> = strings.iter().map(|s| s.as_ptr()).collect();
        all.push(std::ptr::null());
        all
    };
    let (argv, environment) = (pointers(&prepared.argv), pointers(&prepared.environment));
    // SAFETY: between fork and exec only system calls are made, on memory prepared before.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        let we = libc::getpid();
        let guardian = checked(libc::fork())?;
        if guardian > 0 {
            return Ok(guardian);
        }
        let mask = prepare();
        libc::prctl(libc::PR_SET_PDEATHSIG, if contained { libc::SIGKILL } else { END });
        if libc::getppid() != we {
            libc::_exit(126); // we have ended meanwhile
        }
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
            // As this namespace sees them, before they are hidden.
            let kept =
                prepared.kept.iter().map(|k| libc::open(k.path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC));
            for (kept, number) in kept.zip(KEPT_AT..) {
                libc::dup2(kept, number);
            }
            if !hide_folders() {
                libc::_exit(126);
            }
            for (kept, number) in prepared.kept.iter().zip(KEPT_AT..) {
                show_again(kept, number);
            }
            // What was the current folder is hidden by now.
            if prepared.folder.as_ref().is_some_and(|folder| libc::chdir(folder.as_ptr()) != 0) {
                libc::chdir(c"/".as_ptr());
            }
        }
        let child = libc::fork();
        if child != 0 {
            // The guardian holds nothing open, and ends with the server.
            libc::syscall(libc::SYS_close_range, 0, u32::MAX, 0);
            guard(child);
        }
        libc::sigprocmask(libc::SIG_SETMASK, &mask, std::ptr::null_mut());
        if contained {
            // A session that has a number in the namespace, as one has outside.
            libc::setsid();
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
        // A call that meets the limit fails, and says so (preload/limits.c).
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup2(prepared.input.unwrap_or(null), 0);
        libc::dup2(prepared.output, 1);
        libc::dup2(prepared.output, 2);
        hand_over([prepared.library, prepared.mapping, prepared.program]);
        let (empty, at_once) = (c"".as_ptr(), libc::AT_EMPTY_PATH);
        libc::syscall(libc::SYS_execveat, PROGRAM_AT, empty, argv.as_ptr(), environment.as_ptr(), at_once);
        libc::execve(prepared.path.as_ptr(), argv.as_ptr(), environment.as_ptr());
        libc::_exit(127)
    }
}

/// Mounts a folder, open under this number, where it was before it was hidden.
#[allow(unsafe_code, reason = "system calls")]
// SAFETY: system calls on borrowed memory; no allocation, so it may be called between fork and
// exec.
unsafe fn show_again(kept: &Kept, number: i32) {
    // SAFETY: as above.
    unsafe {
        for folder in &kept.way {
            libc::mkdir(folder.as_ptr(), 0o755);
        }
        let digit = (number - KEPT_AT) as usize;
        let open = [c"/proc/self/fd/700", c"/proc/self/fd/701"][digit.min(1)];
        let none = std::ptr::null();
        libc::mount(open.as_ptr(), kept.path.as_ptr(), none, libc::MS_BIND | libc::MS_REC, none.cast());
    }
}

/// Folders that are to be seen although they are hidden are open under these numbers meanwhile.
const KEPT_AT: i32 = 700;

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
// SAFETY: system calls on borrowed memory; no allocation, so it may be called between fork and
// exec.
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
