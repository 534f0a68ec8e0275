/* Clocks and random numbers are virtual: every run sees the same, so that runs can be repeated.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  unsigned char chance;
  struct timespec before, after;
  getrandom(&chance, 1, 0);
  clock_gettime(CLOCK_MONOTONIC, &before);
  for (int i = 0; i < 1 + (chance + (int)time(0)) % 2; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec > before.tv_sec || after.tv_nsec > before.tv_nsec);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
