/* An alarm ends a wait, whenever it comes.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rang;
static void handle(int unused) { (void)unused, rang = 1; }

int main(void) {
  sigset_t one, old;
  sigemptyset(&one);
  sigaddset(&one, SIGALRM);
  sigprocmask(SIG_BLOCK, &one, &old);
  signal(SIGALRM, handle);
  alarm(1);
  while (!rang) sigsuspend(&old);
  assert(alarm(0) == 0);
  return 0;
}
