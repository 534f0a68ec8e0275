/* Signals that are pending at once: the kernel takes those of the thread first, then those of the
 * process, by their numbers; and the handler of the last one runs first.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t order, first, second, child, process;
static void one(int unused) { (void)unused, first = ++order; }
static void two(int unused) { (void)unused, second = ++order; }
static void ended(int unused) { (void)unused, child = ++order; }
static void any(int unused) { (void)unused, process = ++order; }

int main(void) {
  sigset_t all, old;
  sigemptyset(&all);
  int signals[] = {SIGUSR1, SIGUSR2, SIGCHLD, SIGHUP, SIGWINCH};
  for (int i = 0; i < 5; i++) sigaddset(&all, signals[i]);
  sigprocmask(SIG_BLOCK, &all, &old);
  signal(SIGUSR1, one);
  signal(SIGWINCH, two);
  signal(SIGCHLD, ended);
  signal(SIGHUP, any);
  if (!fork()) _exit(0);
  wait(0);
  raise(SIGWINCH);
  raise(SIGUSR1);
  kill(getpid(), SIGHUP);
  sigprocmask(SIG_SETMASK, &old, 0);
  assert(child == 1 && process == 2 && second == 3 && first == 4);
}
