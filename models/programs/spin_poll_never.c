/* A loop that polls a pipe to which nothing is written, each time for a second: it never ends, which is a deadlock though it never blocks.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];

static void *waiter(void *unused) {
  struct pollfd one = {.fd = fds[0], .events = POLLIN};
  while (poll(&one, 1, 1000) == 0) {}
  return unused;
}

int main(void) {
  pthread_t t;
  if (pipe(fds)) return 1;
  pthread_create(&t, 0, waiter, 0);
  pthread_join(t, 0);
  return 0;
}
