/* A mutex is locked in memory that another thread frees, maybe before.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;
static void *end(void *unused) {
  free(mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, 0);
  pthread_create(&thread, 0, end, 0);
  pthread_mutex_lock(mutex);
  pthread_join(thread, 0);
  return 0;
}
