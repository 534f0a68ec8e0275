/* The alarm may ring before the process waits for it.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <signal.h>
#include <unistd.h>

static void handle(int unused) { (void)unused; }

int main(void) {
  signal(SIGALRM, handle);
  alarm(1);
  pause();
  return 0;
}
