/* A handler of sigsuspend waits in sigsuspend itself: each gives back the mask that it has found.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t inner, outer;
static void one(int unused) {
  (void)unused;
  sigset_t meanwhile;
  sigfillset(&meanwhile);
  sigdelset(&meanwhile, SIGUSR2);
  while (!inner) sigsuspend(&meanwhile);
  sigset_t now;
  sigprocmask(SIG_BLOCK, 0, &now);
  assert(sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2) && !sigismember(&now, SIGALRM));
  outer++;
}
static void two(int unused) { (void)unused, inner++; }

int main(void) {
  sigset_t both, meanwhile, now;
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGUSR2);
  sigprocmask(SIG_BLOCK, &both, 0);
  signal(SIGUSR1, one);
  signal(SIGUSR2, two);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    kill(parent, SIGUSR2);
    _exit(0);
  }
  sigemptyset(&meanwhile);
  sigaddset(&meanwhile, SIGUSR2);
  sigsuspend(&meanwhile);
  assert(inner == 1 && outer == 1);
  sigprocmask(SIG_BLOCK, 0, &now);
  assert(sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2));
  waitpid(child, 0, 0);
}
