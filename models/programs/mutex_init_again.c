/* A mutex is initialised again while another thread may hold it, which then lets go of what is not locked.
 * expect: violated
 * reason: misuse
 * run: run
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_init(&mutex, 0);
  pthread_join(thread, 0);
  return 0;
}
