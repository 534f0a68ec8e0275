/* A lock of one atomic exchange, taken by three threads. -DTWICE: it is taken again by its owner (spin_exchange_twice.c).
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
static atomic_int locked;
static int counter;

static void lock(void) {
  while (atomic_exchange(&locked, 1)) {}
}

static void *worker(void *unused) {
  lock();
#ifdef TWICE
  lock();
#endif
  counter++;
  atomic_store(&locked, 0);
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(counter == N);
  return 0;
}
