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
EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  sigset_t copy;
  return REAL(sigprocmask)(how, how == SIG_UNBLOCK ? set : kept(set, &copy), old);
}
EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  sigset_t copy;
  return REAL(pthread_sigmask)(how, how == SIG_UNBLOCK ? set : kept(set, &copy), old);
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
