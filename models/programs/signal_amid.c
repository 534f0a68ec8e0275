/* A handler may run between two plain assignments, which are no visible operations.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int balance = 10, account;

static void handler(int unused) {
  (void)unused;
  assert(balance + account == 10);
}

int main(void) {
  signal(SIGUSR1, handler);
  pid_t parent = getpid();
  if (!fork()) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  account = 3;
  balance = 7;
  wait(0);
  return 0;
}
