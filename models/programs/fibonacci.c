/* Two threads add to each other's Fibonacci number, K times each; the largest value needs one particular interleaving.
 * -DLOCKED: one mutex around each update, C(2K, K) complete runs; otherwise atomics. -DBUG: claims the largest is not reached.
 * expect: holds
 * run: run -D K=3
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef K
#define K 3
#endif

#ifdef LOCKED
static int i = 1, j = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#define ADD(x, y)                 \
  do {                            \
    pthread_mutex_lock(&mutex);   \
    x += y;                       \
    pthread_mutex_unlock(&mutex); \
  } while (0)
#else
static atomic_int i, j;
#define ADD(x, y)            \
  do {                       \
    int a = atomic_load(&x); \
    int b = atomic_load(&y); \
    atomic_store(&x, a + b); \
  } while (0)
#endif

static void *first(void *unused) {
  for (int k = 0; k < K; k++) ADD(i, j);
  return unused;
}
static void *second(void *unused) {
  for (int k = 0; k < K; k++) ADD(j, i);
  return unused;
}

int main(void) {
  pthread_t a, b;
  int largest = 1, next = 1;
  for (int k = 0; k < 2 * K; k++) {
    int sum = largest + next;
    largest = next;
    next = sum;
  }
#ifndef LOCKED
  atomic_init(&i, 1);
  atomic_init(&j, 1);
#endif
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int x = i, y = j;
  assert(x <= next && y <= next);
#ifdef BUG
  assert(x < next && y < next);
#endif
  return 0;
}
