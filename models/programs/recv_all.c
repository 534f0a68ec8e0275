/* MSG_WAITALL is not modelled: what fails behind it may not fail in truth.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>

static int ends[2];

static void *worker(void *unused) {
  (void)unused;
  send(ends[0], "1", 1, 0);
  send(ends[0], "2", 1, 0);
  return 0;
}

int main(void) {
  char text[2];
  pthread_t thread;
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  pthread_create(&thread, 0, worker, 0);
  assert(recv(ends[1], text, 2, MSG_WAITALL) == 2);
  pthread_join(thread, 0);
  return 0;
}
