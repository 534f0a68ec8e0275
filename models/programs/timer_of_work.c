/* A timer that counts CPU time fires for sure if the program computes long enough.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t count;

static void handle(int unused) {
  (void)unused;
  count++;
}

int main(void) {
  struct itimerval once = {{0, 0}, {0, 1}};
  signal(SIGVTALRM, handle);
  setitimer(ITIMER_VIRTUAL, &once, 0);
  for (volatile int i = 0; i < 1000; i++) {}
  assert(count == 1);
  return 0;
}
