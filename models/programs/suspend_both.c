/* Signals that are pending at once when sigsuspend begins are all delivered, with its mask: the last one runs first. What is not let through waits.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t order, first, second, third;
static void one(int unused) { (void)unused, first = ++order; }
static void two(int unused) {
  (void)unused, second = ++order;
  sigset_t now;
  sigprocmask(SIG_BLOCK, 0, &now);
  assert(sigismember(&now, SIGALRM) && sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2));
}
static void three(int unused) { (void)unused, third = ++order; }

int main(void) {
  sigset_t all, meanwhile, now;
  sigemptyset(&all);
  sigaddset(&all, SIGUSR1);
  sigaddset(&all, SIGUSR2);
  sigaddset(&all, SIGALRM);
  sigprocmask(SIG_BLOCK, &all, 0);
  signal(SIGUSR1, one);
  signal(SIGUSR2, two);
  signal(SIGALRM, three);
  raise(SIGUSR1);
  raise(SIGUSR2);
  raise(SIGALRM);
  sigemptyset(&meanwhile);
  sigaddset(&meanwhile, SIGALRM);
  assert(sigsuspend(&meanwhile) == -1);
  assert(second == 1 && first == 2 && third == 0);
  sigprocmask(SIG_BLOCK, 0, &now);
  assert(sigismember(&now, SIGALRM) && sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2));
  sigpending(&now);
  assert(sigismember(&now, SIGALRM) && !sigismember(&now, SIGUSR1));
}
