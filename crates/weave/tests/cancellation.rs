//! Every function that POSIX requires to be a cancellation point is one: a thread that is cancelled
//! ends there, in some run, and its cleanup handler is called.
//!
//! The table has calls that return at once if they are not cancelled, with a file, the two ends of
//! a pipe with a byte in it, a queue and the like at hand.

mod support;

use support::{Folder, result, weave};

/// Functions, and how they are called. `file`, `ends`, `pair`, `byte`, `parts`, `page`, `path`,
/// `none` (no time) and `thread` (which has ended) are there.
const POINTS: [(&str, &str); 45] = [
    ("clock_nanosleep", "clock_nanosleep(CLOCK_REALTIME, 0, &none, 0)"),
    ("close", "close(file)"),
    ("close of a pipe", "close(ends[0])"),
    ("creat", "creat(path, 0600)"),
    ("fcntl", "fcntl(file, F_SETLKW, &(struct flock){.l_type = F_WRLCK})"),
    ("fdatasync", "fdatasync(file)"),
    ("fsync", "fsync(file)"),
    ("lockf", "lockf(file, F_LOCK, 1)"),
    ("mq_receive", "mq_receive(queue, text, 8192, 0)"),
    ("mq_send", "mq_send(queue, &byte, 1, 0)"),
    ("msgrcv", "msgrcv(messages, &message, 1, 0, IPC_NOWAIT)"),
    ("msgsnd", "msgsnd(messages, &message, 1, IPC_NOWAIT)"),
    ("msync", "msync(page, 4096, MS_SYNC)"),
    ("nanosleep", "nanosleep(&none, 0)"),
    ("open", "open(path, O_RDONLY)"),
    ("openat", "openat(AT_FDCWD, path, O_RDONLY)"),
    ("poll", "poll(&(struct pollfd){file, POLLIN, 0}, 1, 0)"),
    ("poll of nothing", "poll(0, 0, 1)"),
    ("pread", "pread(file, &byte, 1, 0)"),
    ("preadv", "preadv(file, &parts, 1, 0)"),
    ("pselect", "pselect(0, 0, 0, 0, &none, 0)"),
    ("pthread_cond_timedwait", "pthread_cond_timedwait(&changed, &lock, &(struct timespec){1, 0})"),
    ("pthread_join", "pthread_join(thread, 0)"),
    ("pthread_testcancel", "pthread_testcancel()"),
    ("pwrite", "pwrite(file, &byte, 1, 0)"),
    ("pwritev", "pwritev(file, &parts, 1, 0)"),
    ("read", "read(file, &byte, 1)"),
    ("read of a pipe", "read(ends[0], &byte, 1)"),
    ("readv", "readv(file, &parts, 1)"),
    ("recv", "recv(pair[0], &byte, 1, MSG_DONTWAIT)"),
    ("recvfrom", "recvfrom(pair[0], &byte, 1, MSG_DONTWAIT, 0, 0)"),
    ("recvmsg", "recvmsg(pair[0], &(struct msghdr){.msg_iov = &parts, .msg_iovlen = 1}, MSG_DONTWAIT)"),
    ("select", "select(0, 0, 0, 0, &(struct timeval){0, 0})"),
    ("sem_timedwait", "sem_timedwait(&permits, &(struct timespec){1, 0})"),
    ("sem_wait", "sem_wait(&permits)"),
    ("send", "send(pair[0], &byte, 1, 0)"),
    ("sendmsg", "sendmsg(pair[0], &(struct msghdr){.msg_iov = &parts, .msg_iovlen = 1}, 0)"),
    ("sendto", "sendto(pair[0], &byte, 1, 0, 0, 0)"),
    ("sleep", "sleep(0)"),
    ("tcdrain", "tcdrain(file)"),
    ("usleep", "usleep(1)"),
    ("waitpid", "waitpid(-1, 0, WNOHANG)"),
    ("write", "write(file, &byte, 1)"),
    ("write to standard output", "write(1, &byte, 1)"),
    ("writev", "writev(file, &parts, 1)"),
];

const BEFORE: &str = r#"
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int file, ends[2], pair[2], messages;
static mqd_t queue;
static char byte = 'a', text[8192];
static const char *path = P_tmpdir "/a";
static void *page;
static struct iovec parts = {&byte, 1};
static struct timespec none;
static struct { long kind; char text; } message = {1, 'a'};
static pthread_t thread;
static sem_t permits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic int cleaned;

static void *end(void *unused) { return unused; }
static void clean(void *unused) { cleaned = 1, (void)unused; }
static void *work(void *unused) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean, 0);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  "#;

const BEHIND: &str = r#";
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t worker;
  file = open(path, O_RDWR | O_CREAT, 0600);
  pipe(ends);
  write(ends[1], &byte, 1);
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  write(pair[1], &byte, 1);
  messages = msgget(IPC_PRIVATE, 0600);
  queue = mq_open("/weave", O_RDWR | O_CREAT, 0600, 0);
  mq_send(queue, &byte, 1, 0);
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sem_init(&permits, 0, 1);
  pthread_create(&thread, 0, end, 0);
  pthread_create(&worker, 0, work, 0);
  pthread_cancel(worker);
  pthread_join(worker, 0);
  assert(!cleaned);
}
"#;

#[test]
fn every_cancellation_point_is_one() {
    let folder = Folder::new("cancellation");
    let names: Vec<String> = POINTS.iter().map(|(name, _)| name.replace(' ', "_")).collect();
    let missed = |(at, (name, call)): (usize, &(&str, &str))| {
        let program = folder.write(&format!("{}.c", names[at]), &format!("{BEFORE}{call}{BEHIND}"));
        let reported = result(&weave(&["run", "--json", "--timeout", "120s", "--races", "list", &program]));
        let reason = reported["reason"].as_str().unwrap_or_default().to_string();
        let found = reported["verdict"] == "violated" && reason.contains("!cleaned");
        (!found).then(|| format!("{name}: {} {reason}", reported["verdict"]))
    };
    let missed: Vec<String> = POINTS.iter().enumerate().filter_map(missed).collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// What POSIX does not list, and the C library does not make one.
#[test]
fn what_is_no_cancellation_point_is_none() {
    let folder = Folder::new("no-cancellation");
    let calls = [
        "fcntl(file, F_SETLK, &(struct flock){.l_type = F_WRLCK})",
        "dup2(ends[0], ends[1])",
        "pthread_mutex_unlock(&lock)",
        "sem_trywait(&permits)",
        "lseek(file, 0, SEEK_SET)",
        "access(path, F_OK)",
    ];
    for (at, call) in calls.iter().enumerate() {
        let program = folder.write(&format!("{at}.c"), &format!("{BEFORE}{call}{BEHIND}"));
        let reported = result(&weave(&["run", "--json", "--timeout", "120s", "--races", "list", &program]));
        assert_eq!(reported["verdict"], "holds", "{call}: {reported}");
    }
}
