/* One function asks not to be instrumented: what it writes is not seen.
 * expect: unknown
 * run: run
 * reason: complete for the operations seen
 */
#include <pthread.h>

static int shared;

static __attribute__((no_sanitize("thread"))) void *writes(void *unused) {
  shared = 1;
  return unused;
}

int main(void) {
  pthread_t writer;
  volatile int seen;
  pthread_create(&writer, 0, writes, 0);
  seen = shared;
  pthread_join(writer, 0);
  return seen == 7;
}
