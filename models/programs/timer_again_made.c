/* The same with a timer that is made.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t count;

static void handle(int unused) {
  (void)unused;
  count++;
}

int main(void) {
  struct itimerspec often = {{0, 1000000}, {0, 1000000}};
  timer_t timer;
  signal(SIGALRM, handle);
  timer_create(CLOCK_MONOTONIC, 0, &timer);
  timer_settime(timer, 0, &often, 0);
  pause();
  pause();
  return 0;
}
