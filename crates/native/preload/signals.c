/* Signals. */
#include "files.h"
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The backstop needs its signal. */
static const sigset_t *kept(const sigset_t *set, sigset_t *copy) {
  if (!set || !weave_shared) return set;
  *copy = *set;
  sigdelset(copy, SIGSYS);
  return copy;
}
static int mask(int how, const sigset_t *set, sigset_t *old, uint64_t pc) {
  sigset_t copy, now;
  int error = REAL(pthread_sigmask)(how, how == SIG_UNBLOCK ? set : kept(set, &copy), old);
  if (error || !set || !weave_me) return error;
  REAL(pthread_sigmask)(SIG_BLOCK, 0, &now);
  weave_note(OP_SIGNALS, 0, 0, *(int64_t *)&now, 0, pc);
  return 0;
}
EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int error = mask(how, set, old, CALLER);
  if (error) errno = error;
  return error ? -1 : 0;
}
EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) { return mask(how, set, old, CALLER); }

/* What the process does about a signal. */
static void tell(int signal, void (*handler)(int), int flags, uint64_t pc) {
  if (!weave_me) return;
  int how = handler == SIG_DFL ? 0 : handler == SIG_IGN ? 1 : 2;
  if (signal == SIGCHLD && (how || (flags & SA_NOCLDWAIT))) weave_text(OP_UNCONTROLLED, "SIGCHLD handled or ignored", 0, pc);
  weave_note(OP_SIGNALS, 0, signal, how, 0, pc);
}
EXPORT int sigaction(int signal, const struct sigaction *new, struct sigaction *old) {
  if (weave_shared && signal == SIGSYS && new) new = 0;
  int error = REAL(sigaction)(signal, new, old);
  if (!error && new) tell(signal, new->sa_handler, new->sa_flags, CALLER);
  return error;
}
EXPORT __sighandler_t signal(int number, __sighandler_t handler) {
  struct sigaction new = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
  if (weave_shared && number == SIGSYS) return SIG_DFL;
  if (REAL(sigaction)(number, &new, &old)) return SIG_ERR;
  tell(number, handler, 0, CALLER);
  return old.sa_handler;
}

/* Death by a signal: the end of the process, then the signal itself. */
static void die(int signal) {
  if (weave_me) {
    weave_ask(OP_EXIT_PROCESS, 0, 0x100 | signal, 0, 0, CALLER);
    weave_me = 0;
  }
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  REAL(sigaction)(signal, &usual, 0);
  REAL(sigprocmask)(SIG_UNBLOCK, &only, 0);
  weave_call(SYS_tgkill, getpid(), weave_call(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0);
  for (;;) weave_call(SYS_exit_group, 128 + signal, 0, 0, 0, 0, 0);
}

void weave_raise(int signal) {
  struct sigaction now;
  sigset_t blocked;
  REAL(sigaction)(signal, 0, &now);
  REAL(sigprocmask)(SIG_BLOCK, 0, &blocked);
  if (now.sa_handler == SIG_DFL && !sigismember(&blocked, signal)) die(signal);
  weave_call(SYS_tgkill, getpid(), weave_call(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0);
}

EXPORT int raise(int signal) {
  if (!weave_me) return (int)weave_result(weave_call(SYS_tgkill, getpid(), weave_call(SYS_gettid, 0, 0, 0, 0, 0, 0), signal, 0, 0, 0));
  weave_raise(signal);
  return 0;
}

/* Another process: the scheduler knows what becomes of it; then the signal is really sent. */
EXPORT int kill(pid_t pid, int signal) {
  if (!weave_me || !signal) return (int)weave_result(weave_call(SYS_kill, pid, signal, 0, 0, 0, 0));
  if (pid == getpid()) return raise(signal);
  int slot = pid > 0 ? weave_slot_of(pid) : -1;
  if (slot < 0) {
    weave_text(OP_UNCONTROLLED, "kill of a process that is not ours, or of a group", 0, CALLER);
  } else {
    int64_t error = weave_ask(OP_KILL, (uint64_t)slot, signal, 0, 0, CALLER);
    if (error < 0) {
      errno = (int)-error;
      return -1;
    }
    if (!error) return 0; /* it has ended before, or does not mind */
  }
  return (int)weave_result(weave_call(SYS_kill, pid, signal, 0, 0, 0, 0));
}
EXPORT int pthread_kill(pthread_t thread, int signal) {
  if (weave_me && signal && pthread_equal(thread, pthread_self())) return raise(signal);
  if (weave_me && signal) weave_text(OP_UNCONTROLLED, "pthread_kill", 0, CALLER);
  return REAL(pthread_kill)(thread, signal);
}
