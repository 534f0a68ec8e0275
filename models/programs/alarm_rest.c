/* To set a timer anew says how long it had to run.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

int main(void) {
  struct itimerval none = {{0, 0}, {0, 0}}, old;
  signal(SIGALRM, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, 0);
  alarm(100);
  unsigned rest = alarm(50);
  assert(rest == 100 || rest == 0);
  setitimer(ITIMER_REAL, &none, &old);
  assert((old.it_value.tv_sec >= 49 && old.it_value.tv_sec <= 50) || (!old.it_value.tv_sec && !old.it_value.tv_usec));
  assert(alarm(0) == 0);
  return 0;
}
