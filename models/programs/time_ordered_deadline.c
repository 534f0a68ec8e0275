/* A watchdog that polls: with time that orders it gives the worker up after ten looks, just before the worker is done. The lock that the
 * worker holds while it sleeps is not there in time.
 * expect: violated
 * reason: assertion
 * run: run --time ordered
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  usleep(10500);
  atomic_store(&done, 1);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  int looks = 0;
  for (; !atomic_load(&done) && looks < 10; looks++) usleep(1000);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_nsec += 100000;
  int got = pthread_mutex_timedlock(&mutex, &limit);
  assert(got != ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  return 0;
}
