/* Signals. What is sent between threads and processes is kept by the scheduler; the kernel has none
 * of it. When a thread is to run its handlers, the answer to an operation says so, and it sends
 * itself the real signals: so masks, stacks and flags are the kernel's. */
#include "accesses.h"
#include "files.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* What this thread blocks, as far as the scheduler knows; and whether that may be wrong. */
static __thread uint64_t reported __attribute__((tls_model("initial-exec")));
static __thread char doubtful __attribute__((tls_model("initial-exec")));

/* What sigsuspend blocks. */
static __thread uint64_t meanwhile __attribute__((tls_model("initial-exec")));

static uint64_t set_mask(int how, uint64_t set) {
  uint64_t old = 0;
  weave_raw(SYS_rt_sigprocmask, how, (long)&set, (long)&old, 8, 0, 0);
  return old;
}
static uint64_t blocked(void) { return set_mask(SIG_BLOCK, 0); }
static uint64_t bit(int signal) { return 1ull << (signal - 1); }
static uint64_t low(const sigset_t *set) { return *(const uint64_t *)set; }

void weave_begin_signals(void) { reported = blocked(); }

void weave_tell_mask(uint64_t pc) {
  if (!doubtful) return;
  uint64_t now = blocked();
  if (now == reported) return;
  reported = now;
  weave_note(OP_MASK, 0, (int64_t)now, 0, 0, pc);
}

/* The backstop needs its signal. */
static int mask(int how, const sigset_t *set, sigset_t *old, uint64_t pc) {
  if (set && (how < SIG_BLOCK || how > SIG_SETMASK)) return EINVAL;
  weave_reads(set, 8, pc);
  uint64_t before = blocked(), now = before;
  if (set && how == SIG_BLOCK) now |= low(set);
  if (set && how == SIG_UNBLOCK) now &= ~low(set);
  if (set && how == SIG_SETMASK) now = low(set);
  if (weave_shared) now &= ~bit(SIGSYS);
  weave_writes(old, 8, pc);
  if (old) sigemptyset(old), *(uint64_t *)old = before;
  if (!set || now == before) return 0;
  now &= ~(bit(SIGKILL) | bit(SIGSTOP));
  if (weave_me) {
    /* Meanwhile handlers may run: of what is not yet blocked, and of what no longer is. */
    set_mask(SIG_SETMASK, before & now);
    reported = before & now;
    weave_ask(OP_SIGMASK, 0, (int64_t)now, 0, 0, pc);
    reported = doubtful ? ~0ull : now; /* if some ran, they have reported what was blocked then */
  }
  set_mask(SIG_SETMASK, now);
  return 0;
}
EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int error = mask(how, set, old, CALLER);
  if (error) errno = error;
  return error ? -1 : 0;
}
EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) { return mask(how, set, old, CALLER); }

/* What the process does about a signal. The kernel itself tells a parent that its child has
 * ended: what is to be done then, only we may know. */
static struct sigaction of_children;

int weave_handles;

/* Before it is done: a fork meanwhile gives the old one to the child. */
static void ask_to_act(int signal, const struct sigaction *new, uint64_t pc) {
  int how = new->sa_handler == SIG_DFL ? 0 : new->sa_handler == SIG_IGN ? 1 : 2;
  int flags = (new->sa_flags & SA_RESTART ? 1 : 0) | (new->sa_flags & SA_NODEFER ? 2 : 0) | (new->sa_flags & SA_RESETHAND ? 4 : 0) |
              (signal == SIGCHLD && (new->sa_flags & SA_NOCLDWAIT) ? 8 : 0);
  if (how == 0 && flags != 8) flags = 0;
  if (how == 2) weave_handles = 1;
  uint64_t meanwhile = low(&new->sa_mask);
  weave_ask_data(OP_SIGACTION, 0, signal, how | flags << 2, &meanwhile, sizeof meanwhile, pc);
}

/* In a state that others may change meanwhile: taking a signal may set it back. */
static void ask_for_action(int signal, uint64_t pc) { weave_ask(OP_SIGACTION, 0, signal, 3, 0, pc); }

static void touch_actions(int how, uint64_t pc) {
  if (weave_me && !weave_is_own(pc)) weave_state(STATE_SIGNALS, how, pc);
}
static int act(int signal, const struct sigaction *new, struct sigaction *old, uint64_t pc) {
  if (signal == SIGSYS && weave_shared) return old ? *old = (struct sigaction){.sa_handler = SIG_DFL}, 0 : 0;
  struct sigaction unused;
  int may = new && weave_me && signal != SIGKILL && signal != SIGSTOP;
  if (may && !REAL(sigaction)(signal, 0, &unused)) ask_to_act(signal, new, pc);
  if (!new && weave_me && weave_shared->several) ask_for_action(signal, pc);
  if (signal == SIGCHLD && weave_me) {
    struct sigaction before = of_children;
    if (new) of_children = *new;
    if (old) *old = before;
  } else if (REAL(sigaction)(signal, new, old)) {
    return -1;
  }
  if (old && weave_is_watcher(old->sa_handler)) old->sa_handler = SIG_DFL, old->sa_flags = 0;
  return 0;
}
EXPORT int sigaction(int signal, const struct sigaction *new, struct sigaction *old) {
  if (weave_me && !weave_is_own(CALLER)) {
    if (new) weave_access(new, sizeof *new, 0, CALLER);
    if (old) weave_access(old, sizeof *old, 1, CALLER);
  }
  touch_actions(new ? HOW_UPDATE : HOW_READ, CALLER);
  return act(signal, new, old, CALLER);
}
static int is_signal(int number) { return number >= 0 && number < _NSIG; }
/* Signals whose handlers interrupt, also those that `signal` sets later. */
static uint64_t interrupting;
EXPORT __sighandler_t signal(int number, __sighandler_t handler) {
  touch_actions(HOW_UPDATE, CALLER);
  int interrupts = number > 0 && number < _NSIG && interrupting & bit(number);
  struct sigaction new = {.sa_handler = handler, .sa_flags = interrupts ? 0 : SA_RESTART}, old = {0};
  return act(number, &new, &old, CALLER) ? SIG_ERR : old.sa_handler;
}
EXPORT __sighandler_t bsd_signal(int number, __sighandler_t handler) { return signal(number, handler); }
EXPORT __sighandler_t ssignal(int number, __sighandler_t handler) { return signal(number, handler); }
/* What `signal` is if a program asks for the standards alone. */
EXPORT __sighandler_t __sysv_signal(int number, __sighandler_t handler) {
  touch_actions(HOW_UPDATE, CALLER);
  struct sigaction new = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND | SA_NODEFER}, old = {0};
  return act(number, &new, &old, CALLER) ? SIG_ERR : old.sa_handler;
}
EXPORT __sighandler_t sysv_signal(int number, __sighandler_t handler) { return __sysv_signal(number, handler); }
/* As the C library does it: asked for, then set. */
EXPORT int siginterrupt(int number, int yes) {
  touch_actions(HOW_UPDATE, CALLER);
  struct sigaction now;
  if (act(number, 0, &now, CALLER)) return -1;
  interrupting = yes ? interrupting | bit(number) : interrupting & ~bit(number);
  now.sa_flags = yes ? now.sa_flags & ~SA_RESTART : now.sa_flags | SA_RESTART;
  return act(number, &now, 0, CALLER);
}

/* Death by a signal: the end of the process, then the signal itself. */
static void die(int signal) {
  if (weave_me) {
    weave_ask(OP_EXIT_PROCESS, 0, 0x100 | signal, 0, 0, CALLER);
    weave_me = 0;
  }
  struct sigaction usual = {.sa_handler = SIG_DFL};
  REAL(sigaction)(signal, &usual, 0);
  set_mask(SIG_UNBLOCK, bit(signal));
  weave_call(SYS_tgkill, getpid(), weave_call(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0);
  for (;;) weave_call(SYS_exit_group, 128 + signal, 0, 0, 0, 0, 0);
}

/* A signal as the scheduler tells it. */
static siginfo_t inform(const int64_t *told_so) {
  siginfo_t info = {.si_signo = (int)told_so[0], .si_code = (int)told_so[1]};
  info.si_pid = weave_shared->slot[(uint64_t)told_so[2] % LIM_SLOTS].pid;
  info.si_uid = getuid();
  if (info.si_signo == SIGCHLD && info.si_code > 0) info.si_status = (int)told_so[3];
  else info.si_value.sival_ptr = (void *)told_so[3];
  return info;
}

/* What the kernel would do, by hand. */
static void tell_of_child(siginfo_t *info) {
  struct sigaction what = of_children;
  if (what.sa_handler == SIG_DFL || what.sa_handler == SIG_IGN) return;
  if (what.sa_flags & SA_RESETHAND) of_children = (struct sigaction){.sa_handler = SIG_DFL};
  uint64_t old = set_mask(SIG_BLOCK, low(&what.sa_mask) | (what.sa_flags & SA_NODEFER ? 0 : bit(SIGCHLD)));
  ucontext_t context;
  getcontext(&context);
  if (what.sa_flags & SA_SIGINFO) what.sa_sigaction(SIGCHLD, info, &context);
  else what.sa_handler(SIGCHLD);
  set_mask(SIG_SETMASK, old);
}

static __thread int handling __attribute__((tls_model("initial-exec")));

/* Who is interrupted: whatever such a function uses; a handler, besides: one function. */
void weave_unsafe(unsigned which, uint64_t pc) {
  if (!weave_handles || !weave_me || !weave_shared->several || !weave_shared->instrumented || weave_is_own(pc)) return;
  uint64_t mine = UNSAFE + (uint64_t)(weave_me - weave_shared->slot) * UNSAFE_ROOM;
  weave_tell_access(mine, UNSAFE_ROOM, ACC_READ, pc);
  if (handling) weave_tell_access(mine + 8ull * which, 8, ACC_WRITE, pc);
}

/* As the kernel does it: the handler of the first signal lies at the bottom, and that of the last
 * one runs first, with the masks of all. */
static void run_handlers(siginfo_t *info, uint32_t count, uint64_t before) {
  struct sigaction what[16];
  uint64_t under[16];
  for (uint32_t i = 0; i < count; i++) {
    int signal = info[i].si_signo;
    under[i] = before;
    if (signal == SIGCHLD) what[i] = of_children;
    else REAL(sigaction)(signal, 0, &what[i]);
    before |= (low(&what[i].sa_mask) & ~bit(SIGSYS)) | (what[i].sa_flags & SA_NODEFER ? 0 : bit(signal));
  }
  while (count-- > 0) {
    int signal = info[count].si_signo;
    struct sigaction now = of_children;
    if (signal != SIGCHLD) REAL(sigaction)(signal, 0, &now);
    if (now.sa_handler != what[count].sa_handler)
      weave_text(OP_UNCONTROLLED, "a handler that changes what is done about a signal that came with its own", OTHERWISE, 0);
    set_mask(SIG_BLOCK, ~bit(SIGSYS));
    if (signal != SIGCHLD)
      weave_raw(SYS_rt_tgsigqueueinfo, getpid(), weave_raw(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, (long)&info[count], 0, 0);
    set_mask(SIG_SETMASK, under[count]); /* it runs here */
    if (signal == SIGCHLD) tell_of_child(&info[count]);
  }
}

/* Of sigsuspend: those that came at once all run with its mask, and what was blocked before is
 * blocked again when the outermost returns: no more can come then. */
void weave_handle(int suspended) {
  int kept = errno;
  uint64_t suspends = meanwhile;
  unsigned streams = weave_leave_streams();
  handling++;
  uint32_t count = 0;
  siginfo_t info[16];
  const int64_t *list = (const int64_t *)weave_bytes();
  for (; count < 16 && list[4 * count]; count++) info[count] = inform(list + 4 * count);
  weave_changed();
  doubtful = 1;
  uint64_t old = blocked();
  if (suspended) reported = suspends;
  for (uint32_t i = 0; i < count; i++)
    if (info[i].si_signo & 256) weave_me = 0, die(info[i].si_signo & 255);
  run_handlers(info, count, suspended ? suspends : old);
  set_mask(SIG_SETMASK, old);
  meanwhile = suspends;
  handling--;
  weave_enter_streams(streams);
  errno = kept;
}

/* Who jumps out of a handler never comes back to what it interrupted. */
#define JUMP(name)                                                                                                    \
  EXPORT __attribute__((noreturn)) void name(struct __jmp_buf_tag to[1], int value) {                                  \
    READS(to, 64);                                                                                                    \
    if (weave_me && handling) weave_text(OP_UNCONTROLLED, "a jump inside of a signal handler", 1, CALLER);            \
    REAL(name)(to, value);                                                                                            \
    __builtin_unreachable();                                                                                          \
  }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

/* Sending. */
static int64_t send_signal(int slot, int signal, int one, int64_t code, int64_t value, uint64_t pc) {
  int64_t words[] = {code, value};
  return weave_ask_data(OP_KILL, (uint64_t)slot, signal, one, words, sizeof words, pc);
}
static int my_slot(void) { return (int)(weave_me - weave_shared->slot); }

static void raise_here(int signal, uint64_t pc) {
  weave_state(STATE_SIGNALS, HOW_READ, pc);
  struct sigaction now;
  REAL(sigaction)(signal, 0, &now);
  if (signal == SIGCHLD) now = of_children;
  if (now.sa_handler == SIG_IGN && !(blocked() & bit(signal))) return;
  if (weave_is_watcher(now.sa_handler)) /* it crashes */
    weave_call(SYS_tgkill, getpid(), weave_call(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0);
  else if (send_signal(my_slot(), signal, 1, SI_TKILL, 0, pc) == 1)
    weave_me = 0, die(signal);
}
void weave_raise(int signal) { raise_here(signal, 0); }

EXPORT int raise(int signal) {
  if (!is_signal(signal)) return (int)weave_result(-EINVAL);
  if (weave_me && signal) raise_here(signal, CALLER);
  else return (int)weave_result(weave_call(SYS_tgkill, getpid(), weave_call(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0));
  return 0;
}

/* The scheduler knows what becomes of it. */
static int send_to(pid_t pid, int signal, int64_t code, int64_t value, uint64_t pc) {
  if (!is_signal(signal)) return (int)weave_result(-EINVAL);
  int slot = pid == getpid() ? my_slot() : pid > 0 ? weave_slot_of(pid) : -1;
  if (slot < 0 && pid > 0 && weave_raw(SYS_kill, pid, 0, 0, 0, 0, 0) == -ESRCH) return (int)weave_result(-ESRCH);
  if (slot < 0 && pid > 0) { /* never sent */
    weave_text(OP_UNCONTROLLED, "kill of a process outside", OTHERWISE, pc);
    return (int)weave_result(signal ? -EPERM : 0);
  }
  if (slot < 0) {
    /* Others may be in that group, we among them: it is never sent. */
    weave_text(OP_UNCONTROLLED, "kill of a group of processes", 1, pc);
    return (int)weave_result(-EPERM);
  }
  int64_t error = send_signal(slot, signal, 0, code, value, pc);
  if (error < 0) return (int)weave_result(error);
  if (error == 0) return 0; /* it does not die of it, or has before */
  if (pid == getpid()) weave_me = 0, die(signal);
  if (error == WEAVE_KILL) weave_call(SYS_kill, pid, SIGKILL, 0, 0, 0, 0);
  return 0; /* otherwise it does so itself */
}
EXPORT int kill(pid_t pid, int signal) {
  if (!weave_me) return (int)weave_result(weave_call(SYS_kill, pid, signal, 0, 0, 0, 0));
  return send_to(pid, signal, SI_USER, 0, CALLER);
}
EXPORT int killpg(pid_t group, int signal) { return kill(-group, signal); }
EXPORT int sigqueue(pid_t pid, int signal, const union sigval value) {
  return weave_me ? send_to(pid, signal, SI_QUEUE, (int64_t)value.sival_ptr, CALLER) : REAL(sigqueue)(pid, signal, value);
}

/* To a thread that has ended nothing is sent; only pthread_sigqueue tells. */
static int send_to_thread(pthread_t thread, int signal, int64_t code, int64_t value, uint64_t pc) {
  int64_t slot = weave_thread_slot(thread, "a signal to a thread that is not there", pc);
  if (!is_signal(signal)) return EINVAL;
  if (slot < 0) return ESRCH;
  int queued = code == SI_QUEUE;
  if (!signal && !queued) return 0;
  int64_t error = send_signal((int)slot, signal, 1, code, value, pc);
  if (error == 1) weave_me = 0, die(signal);
  return error < 0 && (queued || error != -ESRCH) ? (int)-error : 0;
}
EXPORT int pthread_kill(pthread_t thread, int signal) {
  return weave_me ? send_to_thread(thread, signal, SI_TKILL, 0, CALLER) : REAL(pthread_kill)(thread, signal);
}
EXPORT int pthread_sigqueue(pthread_t thread, int signal, const union sigval value) {
  return weave_me ? send_to_thread(thread, signal, SI_QUEUE, (int64_t)value.sival_ptr, CALLER) : REAL(pthread_sigqueue)(thread, signal, value);
}
EXPORT int tgkill(pid_t process, pid_t thread, int signal) {
  for (int i = 0; weave_me && i < LIM_SLOTS && i < (int)weave_shared->used; i++)
    if (weave_shared->slot[i].pid == process && weave_shared->slot[i].tid == thread) {
      int64_t error = send_signal(i, signal, 1, SI_TKILL, 0, CALLER);
      if (error == 1 && process == getpid()) weave_me = 0, die(signal);
      return (int)weave_result(error < 0 ? error : 0);
    }
  if (weave_me) weave_text(OP_UNCONTROLLED, "a signal to a thread that is not modelled", 1, CALLER);
  return (int)weave_result(weave_call(SYS_tgkill, process, thread, signal, 0, 0, 0));
}

/* Waiting for them. */
static int await(const sigset_t *set, siginfo_t *info, int how, uint64_t pc) {
  weave_reads(set, 8, pc);
  int64_t signal = weave_ask(OP_SIGWAIT, 0, (int64_t)(low(set) & ~bit(SIGSYS) & ~bit(SIGKILL) & ~bit(SIGSTOP)), how, 0, pc);
  if (signal > 0 && info) weave_access(info, sizeof *info, 1, pc);
  if (signal > 0 && info) *info = inform((const int64_t *)weave_bytes());
  return (int)weave_result(signal);
}
EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info) { return weave_me ? await(set, info, 0, CALLER) : REAL(sigwaitinfo)(set, info); }
EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit) {
  if (!weave_me) return REAL(sigtimedwait)(set, info, limit);
  IN(limit);
  if (limit) weave_within(weave_nanoseconds(limit));
  return await(set, info, !limit ? 0 : limit->tv_sec || limit->tv_nsec ? 1 : 2, CALLER);
}
EXPORT int sigwait(const sigset_t *set, int *signal) {
  if (!weave_me) return REAL(sigwait)(set, signal);
  int found;
  do found = await(set, 0, 0, CALLER);
  while (found < 0 && errno == EINTR);
  weave_access(signal, sizeof *signal, 1, CALLER);
  *signal = found;
  return 0;
}
EXPORT int sigpending(sigset_t *set) {
  if (!weave_me) return REAL(sigpending)(set);
  uint64_t found = (uint64_t)weave_ask(OP_SIGPENDING, 0, 0, 0, 0, CALLER);
  WRITES(set, 8);
  sigemptyset(set);
  *(uint64_t *)set = found;
  return 0;
}
EXPORT int pause(void) {
  return weave_me ? (int)weave_result(weave_ask(OP_PAUSE, 0, 0, 0, 0, CALLER)) : REAL(pause)();
}
EXPORT int sigsuspend(const sigset_t *set) {
  if (!weave_me) return REAL(sigsuspend)(set);
  READS(set, 8);
  meanwhile = low(set) & ~bit(SIGSYS) & ~bit(SIGKILL) & ~bit(SIGSTOP);
  return (int)weave_result(weave_ask(OP_SUSPEND, 0, (int64_t)meanwhile, 0, 0, CALLER));
}
