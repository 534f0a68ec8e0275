/* A pointer is used before the other thread has set it.
 * expect: violated
 * reason: crash
 * run: run
 */
#include <pthread.h>
#include <stdatomic.h>

static int value = 3;
static _Atomic(int *) pointer;

static void *worker(void *unused) {
  atomic_store(&pointer, &value);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  int result = *atomic_load(&pointer);
  pthread_join(a, 0);
  return result - 3;
}
