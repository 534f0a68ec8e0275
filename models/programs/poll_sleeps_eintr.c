/* A poll of nothing is a way to sleep, which a handler ends.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static void handle(int unused) { (void)unused; }

int main(void) {
  signal(SIGALRM, handle);
  alarm(1);
  assert(poll(0, 0, 5000) == 0);
  return 0;
}
