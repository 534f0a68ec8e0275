//! What an operation of a program works on, in words: a variable of the program where there is one,
//! else the kind of object and its number; nothing where the operation says it all (`pause`).

use crate::machine::states::unlocked;
use crate::objects::condition::Does;
use crate::objects::process::Op as Life;
use crate::objects::signal::{Kill, Op as Signal};
use crate::objects::{check, choice, sysv};
use crate::operation::{Class, Key, Operation, Outcome, Pending};
use crate::symbols::Symbols;

/// What an operation works on, and how.
pub(crate) fn worked_on(symbols: &Symbols, op: &Pending, outcome: Outcome) -> String {
    let name = |key: &Key| object(symbols, key);
    match &op.operation {
        Operation::Choice(choice::Op::Before(_)) => if outcome == 1 { "yes" } else { "no" }.to_string(),
        Operation::Choice(choice::Op::Toss { most }) => format!("{outcome} of 0..{most}"),
        Operation::SysV(sysv::Op { set, does: sysv::Does::Operate(buffers) }) => {
            let one = |b: &sysv::Buffer| format!("{}{:+}", b.index, b.change);
            format!("set {set}, {}", buffers.iter().map(one).collect::<Vec<String>>().join(" "))
        }
        Operation::Life(life) => life_of(life, op.process),
        Operation::Signal(Signal::Kill(kill)) => sent(kill),
        Operation::Signal(Signal::Action { signal, .. }) => signal_name(*signal),
        Operation::Condition(condition) => match condition.does {
            Does::Signal if outcome >= 0 => format!("{}, wakes thread {outcome}", name(&op.key())),
            Does::Wait(wait) | Does::Relock(wait) => {
                format!("{} with {}", name(&op.key()), name(&wait.mutex))
            }
            _ => name(&op.key()),
        },
        Operation::Check(check::Op::Assertion) => String::new(),
        _ => name(&op.key()),
    }
}

fn life_of(life: &Life, own: u64) -> String {
    match life {
        Life::Join { thread } | Life::TryJoin { thread } => format!("thread {thread}"),
        Life::Wait(wait) if wait.child < 0 => "any child".to_string(),
        Life::Wait(wait) => format!("process {}", wait.child),
        Life::Exit { status } => format!("status {status}"),
        Life::Parent { process } if *process != own && *process != u64::MAX => {
            format!("process {process}")
        }
        _ => String::new(),
    }
}

fn sent(kill: &Kill) -> String {
    let signal = signal_name(kill.sent.signal);
    match kill.thread {
        Some(thread) => format!("{signal} to thread {thread}"),
        None => format!("{signal} to process {}", kill.process),
    }
}

/// The kind of an object and its number; a variable's name.
pub(crate) fn object(symbols: &Symbols, key: &Key) -> String {
    match key.class {
        Class::Thread => format!("the end of thread {}", key.space),
        Class::Sync | Class::Memory | Class::Futex if key.at != 0 => memory(symbols, key),
        Class::Sysv => format!("set {}, semaphore {}", key.space, key.at),
        Class::Queue => format!("queue {}", key.at),
        Class::Timer => format!("timer {}", key.at),
        Class::Descriptor => format!("descriptor {}", key.at),
        _ => String::new(),
    }
}

/// State of the C library, a variable, or its address.
pub(crate) fn memory(symbols: &Symbols, key: &Key) -> String {
    match key.space < 1 << 32 {
        true => {
            let named = unlocked(key.at).map(str::to_string).or_else(|| symbols.variable(key.at));
            named.unwrap_or_else(|| format!("{:#x}", key.at))
        }
        false => format!("shared+{:#x}", key.at),
    }
}

/// As signal.h names it; Linux on x86-64.
fn signal_name(number: i64) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
        "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
        "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
    match index.and_then(|i| NAMES.get(i)) {
        Some(name) => format!("SIG{name}"),
        None => format!("signal {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_their_names() {
        assert_eq!(signal_name(libc::SIGUSR1.into()), "SIGUSR1");
        assert_eq!(signal_name(libc::SIGSYS.into()), "SIGSYS");
        assert_eq!(signal_name(libc::SIGCHLD.into()), "SIGCHLD");
        assert_eq!(signal_name(0), "signal 0");
        assert_eq!(signal_name(40), "signal 40");
    }
}
