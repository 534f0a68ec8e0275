/* A constructor starts a thread, and main joins it.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_t thread;
static int value;

static void *worker(void *unused) {
  value = 1;
  return unused;
}

__attribute__((constructor)) static void early(void) { pthread_create(&thread, 0, worker, 0); }

int main(void) {
  pthread_join(thread, 0);
  assert(value == 1);
  return 0;
}
