/* Behind a mask that only sigsuspend lifts, a handler interrupts nothing: it may print.
 * expect: holds
 * run: run
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void handle(int unused) {
  (void)unused;
  printf("handled\n");
}

int main(void) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  signal(SIGALRM, handle);
  alarm(1);
  printf("waiting\n");
  sigsuspend(&before);
  printf("over\n");
  return 0;
}
