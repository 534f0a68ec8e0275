/* Two threads that serve forever; one of them forgets to hand on. The first run is as long as the depth allows, and the deadlock is
 * near: random runs that do not go far find it.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned next, serving;

static void *serve(void *forgets) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    unsigned ticket = next++;
    while (ticket != serving) pthread_cond_wait(&changed, &mutex);
    if (!forgets) serving++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, serve, 0);
  pthread_create(&b, 0, serve, &mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
