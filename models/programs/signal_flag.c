/* A loop that waits for a flag, which a handler sets: no visible operation, and no divergence.
 * expect: holds
 * run: run
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t come;

static void handler(int unused) {
  (void)unused;
  come = 1;
}

int main(void) {
  signal(SIGUSR1, handler);
  pid_t parent = getpid();
  if (!fork()) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  while (!come) {}
  wait(0);
  return 0;
}
