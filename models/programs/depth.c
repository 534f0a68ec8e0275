/* A server that never ends: no exhaustive search without a bound, and then nothing is proved.
 * expect: unknown
 * reason: bounded
 * run: run --depth 20
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *server(void *unused) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, server, 0);
  pthread_join(a, 0);
  return 0;
}
