/* The handler of SIGCHLD takes one child; two ends may be one signal.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;
static void handle(int unused) {
  (void)unused;
  if (wait(0) > 0) ended++;
}

int main(void) {
  sigset_t one, old;
  sigemptyset(&one);
  sigaddset(&one, SIGCHLD);
  sigprocmask(SIG_BLOCK, &one, &old);
  signal(SIGCHLD, handle);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) _exit(0);
  while (ended < 2) sigsuspend(&old);
  return 0;
}
