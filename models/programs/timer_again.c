/* A timer fires again and again: who waits for it twice does not wait forever.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t count;

static void handle(int unused) {
  (void)unused;
  count++;
}

int main(void) {
  struct itimerval often = {{0, 1000}, {0, 1000}};
  signal(SIGALRM, handle);
  setitimer(ITIMER_REAL, &often, 0);
  pause();
  pause();
  return 0;
}
