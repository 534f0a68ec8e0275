/* How threads and processes begin and end. */
#include "files.h"
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* Handlers of exit that the program has set, or text in the buffer of a stream: if it ends with
   its last thread, they run, and it is written, when the scheduler no longer sees it. */
static char handles_exit;
void weave_exit_matters(void) { handles_exit = 1; }
int __cxa_atexit(void (*handler)(void *), void *value, void *module);
EXPORT int __cxa_atexit(void (*handler)(void *), void *value, void *module) {
  if (weave_me) handles_exit = 1;
  weave_state(STATE_EXITS, HOW_UPDATE, CALLER); /* they run in the opposite order */
  return REAL(__cxa_atexit)(handler, value, module);
}
EXPORT int on_exit(void (*handler)(int, void *), void *value) {
  if (weave_me) handles_exit = 1;
  weave_state(STATE_EXITS, HOW_UPDATE, CALLER);
  return REAL(on_exit)(handler, value);
}

/* After all other destructors of the thread: ours comes first in each round, and goes on in the
   last round only. */
static pthread_key_t ending;
static void at_thread_end(void *round) {
  long n = (long)round;
  if (n < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(ending, (void *)(n + 1));
  } else if (weave_me) {
    weave_end_stack();
    if (weave_handles) weave_ask(OP_LAST, 0, 0, 0, 0, 0);
    weave_tell_last(OP_EXIT_THREAD, handles_exit ? 2 : 0);
  }
}

/* Reads before it writes: the kernel then maps what lies around too, the slots of others. */
void weave_name_slot(struct weave_slot *slot, int32_t pid, int32_t tid) {
  uint32_t after = (uint32_t)(slot - weave_shared->slot) + 1, used = LOAD(&weave_shared->used);
  while (used < after && !__atomic_compare_exchange_n(&weave_shared->used, &used, after, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
  slot->pid = pid;
  slot->tid = tid;
}

/* The first thread of this process. */
static pthread_t first;
static int64_t first_slot = -1;
int64_t weave_first_slot(unsigned long thread) { return pthread_equal(thread, first) ? first_slot : -1; }

void weave_begin_thread(struct weave_slot *slot) {
  weave_me = slot;
  if (getpid() == (pid_t)syscall(SYS_gettid)) first = pthread_self(), first_slot = slot - weave_shared->slot;
  pthread_setspecific(ending, (void *)1);
  weave_name_slot(slot, getpid(), (int32_t)syscall(SYS_gettid));
  weave_begin_signals();
  weave_ask(OP_START, 0, 0, 0, 0, 0);
}

void weave_end_process(int status) {
  if (weave_me) {
    weave_ask(OP_EXIT_PROCESS, 0, status, 0, 0, CALLER);
    weave_me = 0;
  }
  for (;;) syscall(SYS_exit_group, status);
}

/* Who exits. The C library lets a second thread past the handlers, and out of the process: which
   of the two comes first is not modelled. */
static struct weave_slot *exiting;
void weave_begin_exit(uint64_t pc) {
  if (!weave_me) return;
  weave_state(STATE_EXITS, HOW_READ, pc);
  if (exiting && exiting != weave_me) {
    weave_text(OP_UNCONTROLLED, "exit while another thread exits", 0, pc);
    for (;;) weave_ask(OP_PAUSE, 0, 0, 0, 0, pc);
  }
  exiting = weave_me;
}
EXPORT void exit(int status) {
  weave_unsafe(UNSAFE_EXIT, CALLER);
  weave_begin_exit(CALLER);
  REAL(exit)(status);
  __builtin_unreachable();
}

/* The last exit handler, because it was the first to be registered. */
static void at_exit(int status, void *unused) {
  (void)unused;
  if (!weave_me) return;
  weave_flushes_all(CALLER);
  fflush(0);
  weave_end_process(status);
}

void weave_watch_ends(void) {
  pthread_key_create(&ending, at_thread_end);
  on_exit(at_exit, 0);
}

/* Death by signal: tell, then die of it. */
static void on_fatal(int sig, siginfo_t *about, void *context) {
  if (weave_me) {
    uint64_t stack = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
    if (sig == SIGSEGV && about->si_code == SEGV_MAPERR) weave_lacks_stack((uint64_t)about->si_addr, stack);
    struct weave_slot *me = weave_me;
    weave_tell_last(OP_CRASH, sig);
    for (int i = 0; i < 100; i++) weave_await_turn(me); /* killed here */
  }
  signal(sig, SIG_DFL);
  raise(sig);
}

int weave_is_watcher(void (*handler)(int)) { return handler == (void (*)(int))on_fatal; }

void weave_watch_signals(void) {
  static char stack[65536];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, 0);
  int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) REAL(sigaction)(fatal[i], &action, 0);
}
