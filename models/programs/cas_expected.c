/* What a comparison expects is read, and what it finds is written there: plain accesses.
 * expect: violated
 * reason: race
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 1;
static int expected;

static void *compares(void *unused) {
  atomic_compare_exchange_strong(&value, &expected, 2);
  return unused;
}

static void *writes(void *unused) {
  expected = 0;
  assert(expected == 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, compares, 0);
  pthread_create(&b, 0, writes, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
