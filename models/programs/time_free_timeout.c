/* Without an assumption about time, a wait of three seconds for a thread that sleeps two may time out.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static sem_t done;

static void *slow(void *unused) {
  sleep(2);
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_t a;
  struct timespec limit;
  sem_init(&done, 0, 0);
  pthread_create(&a, 0, slow, 0);
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 3;
  assert(sem_timedwait(&done, &limit) == 0);
  pthread_join(a, 0);
  return 0;
}
