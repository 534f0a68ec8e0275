//! The guardian of a server that has no namespace of processes of its own.
//!
//! In a namespace the server is process 1, and nothing outlives it. Without one, the kernel kills
//! only the server when we end, and the processes of the program would stay: blocked forever, or
//! in a loop. So the guardian gets a signal then, and not the end. It is a subreaper: what its
//! descendants leave behind becomes its child. It kills its children until it has none.
//!
//! System calls only: this runs between fork and exec.

/// Tells the guardian that we have ended, or that it has to.
pub(super) const END: i32 = libc::SIGTERM;

/// Before the server is forked: from now on nothing gets lost. The mask of signals so far, which
/// the server needs.
///
/// # Safety
/// None needed: system calls on local values.
#[allow(unsafe_code, reason = "system calls")]
// SAFETY: no allocation, so it may be called between fork and exec.
pub(super) unsafe fn prepare() -> libc::sigset_t {
    // SAFETY: as above; zero is a valid set.
    unsafe {
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigprocmask(libc::SIG_BLOCK, &awaited(), &mut before);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        before
    }
}

/// Waits for the end of the server, or for ours; then ends everything that is left. Never returns.
///
/// # Safety
/// None needed: system calls on local values.
#[allow(unsafe_code, reason = "system calls")]
// SAFETY: no allocation, so it may be called between fork and exec.
pub(super) unsafe fn guard(server: i32) -> ! {
    // SAFETY: as above.
    unsafe {
        let mut status = 0;
        while libc::waitpid(server, &mut status, libc::WNOHANG) == 0 {
            if libc::sigwaitinfo(&awaited(), std::ptr::null_mut()) == END {
                break;
            }
        }
        while kill_children() {
            // Those that are killed leave their own children to us.
            libc::waitpid(-1, &mut status, 0);
        }
        libc::_exit(1)
    }
}

#[allow(unsafe_code, reason = "system calls")]
// SAFETY: no allocation, so it may be called between fork and exec.
unsafe fn awaited() -> libc::sigset_t {
    // SAFETY: zero is a valid set.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigaddset(&mut set, END);
        libc::sigaddset(&mut set, libc::SIGCHLD);
        set
    }
}

/// Kills the children that the kernel lists; whether there are any. If it lists none although
/// there are some, everything in our process group is killed, with ourselves.
#[allow(unsafe_code, reason = "system calls")]
// SAFETY: no allocation, so it may be called between fork and exec.
unsafe fn kill_children() -> bool {
    // SAFETY: system calls on constants and a local buffer.
    unsafe {
        let mut status = 0;
        while libc::waitpid(-1, &mut status, libc::WNOHANG) > 0 {}
        if libc::waitpid(-1, &mut status, libc::WNOHANG) < 0 {
            return false;
        }
        let list = libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        let mut text = [0_u8; 4096];
        let length = if list < 0 { -1 } else { libc::read(list, text.as_mut_ptr().cast(), text.len() - 1) };
        libc::close(list);
        let killed = kill_listed(text.get(..usize::try_from(length).unwrap_or(0)).unwrap_or_default());
        if !killed {
            libc::kill(0, libc::SIGKILL);
        }
        true
    }
}

/// Kills processes of which the numbers stand here, each with a space behind it; whether there was
/// one. A number that is cut off at the end is left for the next time.
#[allow(unsafe_code, reason = "system calls")]
fn kill_listed(text: &[u8]) -> bool {
    let (mut number, mut any) = (0_i32, false);
    for byte in text {
        match byte {
            b'0'..=b'9' => number = number.wrapping_mul(10).wrapping_add(i32::from(byte - b'0')),
            _ if number > 1 => {
                // SAFETY: a system call on numbers.
                unsafe { libc::kill(number, libc::SIGKILL) };
                (number, any) = (0, true);
            }
            _ => number = 0,
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    /// What a server of ours and its program do here: they exist, and one leaves its session.
    #[allow(unsafe_code, reason = "system calls")]
    fn lives_on() -> ! {
        // SAFETY: system calls alone.
        unsafe {
            if libc::fork() == 0 {
                libc::setsid();
                if libc::fork() == 0 {
                    loop {
                        std::hint::spin_loop();
                    }
                }
            }
            loop {
                libc::pause();
            }
        }
    }

    #[test]
    #[allow(unsafe_code, reason = "system calls")]
    fn nothing_outlives_who_started_it() {
        let (mut ended, held) = std::io::pipe().expect("a pipe");
        // SAFETY: the children make system calls alone.
        let starter = unsafe {
            let starter = libc::fork();
            if starter == 0 {
                if libc::fork() == 0 {
                    let mask = prepare();
                    libc::prctl(libc::PR_SET_PDEATHSIG, END);
                    libc::setsid();
                    let server = libc::fork();
                    if server != 0 {
                        guard(server);
                    }
                    libc::sigprocmask(libc::SIG_SETMASK, &mask, std::ptr::null_mut());
                    lives_on();
                }
                libc::usleep(300_000);
                libc::kill(libc::getpid(), libc::SIGKILL);
            }
            starter
        };
        drop(held);
        // Each of them holds the other end of the pipe: it ends with the last.
        assert_eq!(ended.read(&mut [0; 1]).expect("the end"), 0);
        // SAFETY: our own child.
        unsafe { libc::waitpid(starter, std::ptr::null_mut(), 0) };
    }
}
