/* With time that orders, who sleeps less comes first: the assertion of sleeping.c holds, as far as that may be assumed.
 * expect: unknown
 * reason: assumed
 * run: run --time ordered
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void *late(void *unused) {
  sleep(10);
  pthread_mutex_lock(&mutex);
  order = order * 10 + 2;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, late, 0);
  usleep(1);
  pthread_mutex_lock(&mutex);
  order = order * 10 + 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  assert(order == 12);
  return 0;
}
