/* A lock is freed while another thread may take it.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

static void *other(void *unused) {
  free(mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, 0);
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(mutex);
  pthread_join(thread, 0);
  return 0;
}
