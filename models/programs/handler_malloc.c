/* malloc is not safe in a handler that may interrupt malloc.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void handle(int unused) {
  (void)unused;
  free(malloc(10));
}

int main(void) {
  signal(SIGALRM, handle);
  alarm(1);
  free(malloc(30));
  alarm(0);
  return 0;
}
