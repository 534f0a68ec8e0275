/* As signal_amid.c, but the signal is blocked between the two assignments.
 * expect: holds
 * run: run --races error
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
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  signal(SIGUSR1, handler);
  pid_t parent = getpid();
  if (!fork()) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  sigprocmask(SIG_BLOCK, &set, 0);
  account = 3;
  balance = 7;
  sigprocmask(SIG_UNBLOCK, &set, 0);
  wait(0);
  return 0;
}
