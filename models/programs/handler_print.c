/* printf is not safe in a handler that may interrupt it.
 * expect: unknown
 * reason: uncontrolled
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
  signal(SIGALRM, handle);
  alarm(1);
  printf("waiting\n");
  alarm(0);
  return 0;
}
