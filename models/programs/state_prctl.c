/* What a process keeps is set in one thread and asked for in another.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/prctl.h>

static void *other(void *unused) {
  prctl(PR_SET_DUMPABLE, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  assert(prctl(PR_GET_DUMPABLE) != 0);
  pthread_join(thread, 0);
  return 0;
}
