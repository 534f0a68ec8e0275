/* With time that orders, two who wake at the same moment still come in both orders: one has slept once, the other twice half as long.
 * expect: violated
 * reason: assertion
 * run: run --time ordered
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void *twice(void *unused) {
  usleep(500);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  usleep(500);
  pthread_mutex_lock(&mutex);
  order = order * 10 + 2;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, twice, 0);
  usleep(1000);
  pthread_mutex_lock(&mutex);
  order = order * 10 + 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  assert(order == 12);
  return 0;
}
