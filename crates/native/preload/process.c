/* Processes: fork, wait, exit; and what ends a run: assertions, aborts. */
#include "accesses.h"
#include "files.h"
#include <linux/futex.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Handlers of fork. Those of the C library's own list would run inside of the real fork, when
   the scheduler already waits for the child. */
#define MOST_HANDLERS 256
static struct forking {
  void (*prepare)(void), (*parent)(void), (*child)(void);
  void *module;
} forking[MOST_HANDLERS];
static int forkings;
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *module);
static int keep_forking(struct forking handlers, uint64_t pc) {
  weave_state(STATE_FORKS, HOW_UPDATE, pc); /* they run in their order, or in the opposite one */
  if (forkings == MOST_HANDLERS) return ENOMEM;
  forking[forkings++] = handlers;
  return 0;
}
EXPORT int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *module) {
  return keep_forking((struct forking){prepare, parent, child, module}, CALLER);
}
EXPORT int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  return keep_forking((struct forking){prepare, parent, child, 0}, CALLER);
}
static void prepare(void) {
  for (int i = forkings; i-- > 0;)
    if (forking[i].prepare) forking[i].prepare();
}
static void forked(int is_child) {
  for (int i = 0; i < forkings; i++) {
    void (*handler)(void) = is_child ? forking[i].child : forking[i].parent;
    if (handler) handler();
  }
}

/* Of the process that made this one; 0 if the server did. */
static pid_t parent_number;

static pid_t make_process(uint64_t pc) {
  int64_t slot = weave_ask(OP_CREATE, 0, 1, 0, 0, pc);
  if (slot < 0) {
    errno = EAGAIN;
    return -1;
  }
  pid_t pid = REAL(fork)();
  if (pid == 0) {
    struct weave_slot *parent = weave_me;
    parent_number = parent->pid;
    weave_me = 0; /* until it has its own: what is done here is not its parent's doing */
    weave_forget_threads();
    weave_copy_clock(&weave_shared->slot[slot], parent);
    weave_begin_thread(&weave_shared->slot[slot]);
  } else if (pid < 0) {
    int kept = errno;
    weave_text(OP_UNCONTROLLED, "fork fails because of a limit of memory or of processes", 1, pc);
    weave_ask(OP_UNBORN, (uint64_t)slot, 0, 0, 0, pc);
    errno = kept;
  } else {
    weave_name_slot(&weave_shared->slot[slot], pid, pid);
  }
  return pid;
}

EXPORT pid_t fork(void) {
  weave_state(STATE_FORKS, HOW_READ, CALLER);
  prepare();
  pid_t pid = weave_me ? make_process(CALLER) : REAL(fork)();
  int kept = errno;
  forked(pid == 0);
  errno = kept;
  return pid;
}
/* The child would run in the memory of its parent, which waits: a child by fork does not. */
EXPORT pid_t vfork(void) {
  if (!weave_me) return REAL(fork)();
  weave_text(OP_UNCONTROLLED, "vfork", 1, CALLER);
  return make_process(CALLER);
}
EXPORT pid_t _Fork(void) { return weave_me ? make_process(CALLER) : REAL(fork)(); }

EXPORT void _exit(int status) { weave_end_process(status); }
EXPORT void _Exit(int status) { weave_end_process(status); }

/* Handlers of quick_exit: the last one first, also those that a handler sets. */
static void (*quick[MOST_HANDLERS])(void *);
static int quicks;
int __cxa_at_quick_exit(void (*handler)(void *), void *module);
static int keep_quick(void (*handler)(void *), uint64_t pc) {
  weave_state(STATE_QUICK_EXITS, HOW_UPDATE, pc);
  if (quicks == MOST_HANDLERS) return -1;
  quick[quicks++] = handler;
  return 0;
}
EXPORT int __cxa_at_quick_exit(void (*handler)(void *), void *module) {
  (void)module;
  return keep_quick(handler, CALLER);
}
EXPORT int at_quick_exit(void (*handler)(void)) { return keep_quick((void (*)(void *))(void *)handler, CALLER); }
EXPORT void quick_exit(int status) {
  weave_state(STATE_QUICK_EXITS, HOW_READ, CALLER);
  while (quicks > 0) quick[--quicks](0);
  weave_end_process(status);
}

/* A process that has ended here may still live for the kernel: when its children get another parent
   is up to that. So they wait for it. Which one they get depends on the system. */
EXPORT pid_t getppid(void) {
  long number = weave_raw(SYS_getppid, 0, 0, 0, 0, 0, 0);
  if (!weave_me || !parent_number) return (pid_t)number;
  if (!weave_ask(OP_PARENT, 0, 0, 0, 0, CALLER)) return parent_number;
  weave_text(OP_UNCONTROLLED, "who adopts a process whose parent has ended", 0, CALLER);
  while ((number = weave_raw(SYS_getppid, 0, 0, 0, 0, 0, 0)) == parent_number)
    weave_raw(SYS_nanosleep, (long)&(struct timespec){0, 100000}, 0, 0, 0, 0, 0);
  return (pid_t)number;
}

static int slot_of(pid_t pid) {
  for (int i = 0; i < LIM_SLOTS && i < (int)weave_shared->used; i++)
    if (weave_shared->slot[i].pid == pid && weave_shared->slot[i].tid == pid) return i;
  return -1;
}

/* The slot of a child that has ended; -1: there is no child, -2: none has ended, or an error. */
static int64_t ask_wait(int slot, int options, uint64_t pc) {
  int64_t found = weave_ask(OP_WAIT, 0, slot, (options & WNOHANG ? 1 : 0) | (options & WNOWAIT ? 2 : 0), 0, pc);
  return found < LIM_SLOTS ? found : -1;
}

static pid_t wait_for(pid_t pid, int *status, int options, struct rusage *usage, uint64_t pc) {
  if (!weave_me) return REAL(wait4)(pid, status, options, usage);
  if (options & ~(WNOHANG | WUNTRACED | WCONTINUED | __WNOTHREAD | __WALL | (int)__WCLONE)) return (int)weave_result(-EINVAL);
  int slot = pid > 0 ? slot_of(pid) : -1;
  if ((pid > 0 && slot < 0)) {
    errno = ECHILD;
    return -1;
  }
  if (pid < -1 || pid == 0) weave_text(OP_UNCONTROLLED, "wait for a process group", OTHERWISE, pc);
  int64_t found = ask_wait(slot, options, pc);
  if (found == -2) return 0;
  if (found < 0) return (int)weave_result(found == -1 ? -ECHILD : found);
  if (status) weave_access(status, sizeof *status, 1, pc);
  weave_writes(usage, sizeof *usage, pc);
  return REAL(wait4)(weave_shared->slot[found].pid, status, options & ~WNOHANG, usage);
}

EXPORT pid_t wait(int *status) { return wait_for(-1, status, 0, 0, CALLER); }
EXPORT pid_t waitpid(pid_t pid, int *status, int options) { return wait_for(pid, status, options, 0, CALLER); }
EXPORT pid_t wait3(int *status, int options, struct rusage *usage) { return wait_for(-1, status, options, usage, CALLER); }
EXPORT pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage) {
  return wait_for(pid, status, options, usage, CALLER);
}

EXPORT int waitid(idtype_t kind, id_t id, siginfo_t *info, int options) {
  if (!weave_me) return REAL(waitid)(kind, id, info, options);
  if (options & ~(WNOHANG | WNOWAIT | WEXITED | WSTOPPED | WCONTINUED) || !(options & (WEXITED | WSTOPPED | WCONTINUED)))
    return (int)weave_result(-EINVAL);
  if (kind == P_PGID || kind == P_PIDFD || !(options & WEXITED)) weave_text(OP_UNCONTROLLED, "an unusual waitid", 1, CALLER);
  int slot = kind == P_PID ? slot_of((pid_t)id) : -1;
  int64_t found = kind == P_PID && slot < 0 ? -1 : ask_wait(slot, options, CALLER);
  if (found == -2) {
    OUT(info);
    if (info) info->si_pid = info->si_signo = 0;
    return 0;
  }
  if (found < 0) return (int)weave_result(found == -1 ? -ECHILD : found);
  OUT(info);
  return REAL(waitid)(P_PID, (id_t)weave_shared->slot[found].pid, info, WEXITED | (options & WNOWAIT));
}

EXPORT void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  char what[512];
  snprintf(what, sizeof what, "%s (%s:%u, %s)", text, file, line, function ? function : "?");
  fprintf(stderr, "assertion failed: %s\n", what);
  fflush(0);
  if (weave_me) weave_text(OP_ASSERT, what, 0, CALLER);
  abort();
}

EXPORT int weave_toss_(int n) {
  if (!weave_me || n <= 0) return 0;
  return (int)weave_ask(OP_TOSS, 0, n, 0, 0, CALLER);
}

EXPORT void weave_assert_(int holds, const char *text, const char *file, int line) {
  if (holds) {
    if (weave_me && weave_shared->several) weave_ask(OP_CHECK, 0, 0, 0, 0, CALLER);
    return;
  }
  char what[512];
  snprintf(what, sizeof what, "%s (%s:%d)", text, file, line);
  if (weave_me) weave_text(OP_ASSERT, what, 0, CALLER);
  fprintf(stderr, "assertion failed: %s\n", what);
  abort();
}

/* objects: n pairs of an object and the operations on it, see weave.h. */
EXPORT void weave_declare_(int n, const void *uses) {
  const uint64_t *pair = uses;
  if (!weave_me) return;
  if (n <= 0) weave_note(OP_DECLARE, 0, 0, 0, 0, CALLER);
  for (int i = 0; i < n; i++) weave_note(OP_DECLARE, pair[2 * i], (int64_t)pair[2 * i + 1], i, n, CALLER);
}

/* Programs that leave our sight. */
#define LEAVES(name) \
  if (weave_me) weave_text(OP_UNCONTROLLED, name, 1, CALLER)
EXPORT int execve(const char *path, char *const argv[], char *const env[]) {
  LEAVES("execve");
  return REAL(execve)(path, argv, env);
}
EXPORT int execv(const char *path, char *const argv[]) {
  LEAVES("execv");
  return REAL(execv)(path, argv);
}
EXPORT int execvp(const char *file, char *const argv[]) {
  LEAVES("execvp");
  return REAL(execvp)(file, argv);
}
EXPORT int execvpe(const char *file, char *const argv[], char *const env[]) {
  LEAVES("execvpe");
  return REAL(execvpe)(file, argv, env);
}
EXPORT int fexecve(int fd, char *const argv[], char *const env[]) {
  LEAVES("fexecve");
  return REAL(fexecve)(fd, argv, env);
}
EXPORT int execl(const char *path, const char *arg, ...) {
  (void)path, (void)arg;
  LEAVES("execl");
  errno = ENOSYS;
  return -1;
}
EXPORT int execlp(const char *file, const char *arg, ...) {
  (void)file, (void)arg;
  LEAVES("execlp");
  errno = ENOSYS;
  return -1;
}
EXPORT int system(const char *command) {
  LEAVES("system");
  return REAL(system)(command);
}
EXPORT FILE *popen(const char *command, const char *mode) {
  LEAVES("popen");
  return REAL(popen)(command, mode);
}
EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                       char *const argv[], char *const env[]) {
  LEAVES("posix_spawn");
  return REAL(posix_spawn)(pid, path, actions, attributes, argv, env);
}
EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                        char *const argv[], char *const env[]) {
  LEAVES("posix_spawnp");
  return REAL(posix_spawnp)(pid, file, actions, attributes, argv, env);
}
EXPORT int accept(int fd, struct sockaddr *address, socklen_t *length) {
  LEAVES("accept");
  return REAL(accept)(fd, address, length);
}
EXPORT int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
  LEAVES("accept4");
  return REAL(accept4)(fd, address, length, flags);
}
EXPORT int daemon(int directory, int close) {
  LEAVES("daemon");
  return REAL(daemon)(directory, close);
}
EXPORT int clone(int (*run)(void *), void *stack, int flags, void *arg, ...) {
  (void)run, (void)stack, (void)flags, (void)arg;
  LEAVES("clone");
  errno = ENOSYS;
  return -1;
}

int weave_slot_of(pid_t pid) { return slot_of(pid); }
EXPORT long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long), e = va_arg(list, long),
       f = va_arg(list, long);
  va_end(list);
  long arguments[] = {a, b, c, d, e, f}, result;
  if (weave_me && weave_emulate_raw(number, arguments, &result, CALLER)) return weave_result(result);
  weave_is_uncontrolled(number, 1, CALLER);
  return weave_result(weave_call(number, a, b, c, d, e, f));
}

/* Whether a word can be read; if the kernel does not say so, too. */
static int is_readable(const uint32_t *word) {
  uint32_t to;
  struct iovec ours = {&to, sizeof to}, theirs = {(void *)word, sizeof to};
  return weave_raw(SYS_process_vm_readv, weave_raw(SYS_getpid, 0, 0, 0, 0, 0, 0), (long)&ours, 1, (long)&theirs, 1, 0) != -EFAULT;
}
/* What is wrong with the word of a futex, or its time limit. */
static int refuses(const uint32_t *word, int command, int private, const struct timespec *limit) {
  int waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
  if (waits && limit && !weave_is_time(limit)) return EINVAL;
  if ((uintptr_t)word & 3) return EINVAL;
  return (waits || !private) && !is_readable(word) ? EFAULT : 0;
}
/* Raw futexes, as std::atomic::wait uses them. */
ssize_t weave_futex(const long *a, uint64_t pc) {
  uint32_t *word = (uint32_t *)a[0];
  int command = (int)a[1] & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
  int64_t private = a[1] & FUTEX_PRIVATE_FLAG ? WEAVE_PRIVATE : 0;
  int masked = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
  if (!weave_me) return -2;
  if (masked && (uint32_t)a[5] != FUTEX_BITSET_MATCH_ANY) command = -1;
  int wakes = command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET;
  int wrong = wakes || command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ? refuses(word, command, private != 0, (const struct timespec *)a[3]) : 0;
  if (wrong) return errno = wrong, -1;
  if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) {
    weave_ask(OP_FUTEX_WAIT, (uint64_t)word, 4, 0, private, pc);
    const struct timespec *limit = (const struct timespec *)a[3];
    if (limit && masked) weave_until(limit);
    else if (limit) weave_within(weave_nanoseconds(limit));
    int64_t error = __atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)a[2] ? EAGAIN
                                                                              : weave_ask(OP_FUTEX_SLEEP, (uint64_t)word, 4, a[3] != 0, private, pc);
    errno = (int)error;
    return error ? -1 : 0;
  }
  if (wakes) return weave_ask(OP_FUTEX_WAKE, (uint64_t)word, (int)a[2], 0, private, pc);
  weave_text(OP_UNCONTROLLED, "an unusual operation on a futex", 1, pc);
  return -2;
}
