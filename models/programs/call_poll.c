/* What a call writes for the program is written: which descriptors are ready.
 * All such calls: crates/native/tests/call_memory.inc.
 * expect: violated
 * reason: race
 * run: run
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static struct pollfd one;

static void *other(void *unused) {
  poll(&one, 1, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  int ends[2];
  pipe(ends);
  write(ends[1], "x", 1);
  one = (struct pollfd){ends[0], POLLIN, 0};
  pthread_create(&thread, 0, other, 0);
  assert(one.revents == 0);
  pthread_join(thread, 0);
  return 0;
}
