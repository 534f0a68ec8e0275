/* A loop that counts how often it looks does more than wait: it is not taken for a wait, so that the run in which it gives up is seen.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *waiter(void *unused) {
  int looks = 0;
  while (!atomic_load(&ready) && looks < 9) looks++;
  assert(looks < 9);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  atomic_store(&ready, 1);
  pthread_join(t, 0);
  return 0;
}
