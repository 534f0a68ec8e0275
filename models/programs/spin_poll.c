/* A loop that polls a pipe until something comes.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int fds[2];

static void *waiter(void *unused) {
  struct pollfd one = {.fd = fds[0], .events = POLLIN};
  char byte = 0;
  while (poll(&one, 1, 0) == 0) {}
  assert(read(fds[0], &byte, 1) == 1 && byte == 'x');
  return unused;
}

int main(void) {
  pthread_t t;
  if (pipe(fds)) return 1;
  pthread_create(&t, 0, waiter, 0);
  if (write(fds[1], "x", 1) != 1) return 1;
  pthread_join(t, 0);
  return 0;
}
