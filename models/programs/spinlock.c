/* Spin locks are locks; waiting for one is waiting, not spinning, under the scheduler.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int sum;

static void *worker(void *unused) {
  pthread_spin_lock(&lock);
  sum++;
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(sum == 3);
  return 0;
}
