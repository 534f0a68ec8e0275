/* With time that orders, a wait of one second for a thread that sleeps two always times out, and one of three seconds never does.
 * expect: unknown
 * reason: assumed
 * run: run --time ordered
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static sem_t done;

static struct timespec in(int seconds) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += seconds;
  return t;
}

static void *slow(void *unused) {
  sleep(2);
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&done, 0, 0);
  pthread_create(&a, 0, slow, 0);
  struct timespec limit = in(1);
  assert(sem_timedwait(&done, &limit) == -1 && errno == ETIMEDOUT);
  limit = in(2);
  assert(sem_timedwait(&done, &limit) == 0);
  pthread_join(a, 0);
  return 0;
}
