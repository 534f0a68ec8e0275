/* A clock never goes back for threads that know of each other.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec last;

static int is_before(struct timespec a, struct timespec b) {
  return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

static void *look(void *unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) {
    struct timespec now;
    pthread_mutex_lock(&mutex);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(!is_before(now, last));
    last = now;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, look, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(!is_before(now, last));
  return 0;
}
