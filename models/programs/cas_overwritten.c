/* A store does not come behind the comparison whose value it overwrites: the plain read behind it races with that.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>

static int shared;

static void *worker(void *unused) {
  int expected = 0;
  __atomic_compare_exchange_n(&shared, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  __atomic_store_n(&shared, 1, __ATOMIC_SEQ_CST);
  int after = shared;
  pthread_join(thread, 0);
  return after & 4;
}
