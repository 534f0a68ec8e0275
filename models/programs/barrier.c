/* Three threads and a barrier: what was written before it is seen behind it; exactly one is the serial thread.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3
static pthread_barrier_t barrier;
static int written[N];
static atomic_int serial;

static void *worker(void *argument) {
  int me = (int)(long)argument;
  written[me] = 1;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&serial, 1);
  for (int i = 0; i < N; i++) assert(written[i]);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  pthread_barrier_init(&barrier, 0, N);
  for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  assert(serial == 1);
  pthread_barrier_destroy(&barrier);
  return 0;
}
