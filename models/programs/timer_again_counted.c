/* Waits until a timer has fired twice.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t count;

static void handle(int unused) {
  (void)unused;
  count++;
}

int main(void) {
  struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  signal(SIGALRM, handle);
  setitimer(ITIMER_REAL, &often, 0);
  while (count < 2) pause();
  setitimer(ITIMER_REAL, &never, 0);
  assert(count >= 2);
  return 0;
}
