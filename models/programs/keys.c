/* Thread-local keys: destructors run when a thread ends, and what they do with locks is under control too.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed;

static void destroy(void *value) {
  pthread_mutex_lock(&mutex);
  destroyed += (int)(long)value;
  pthread_mutex_unlock(&mutex);
}
static void *worker(void *argument) {
  pthread_setspecific(key, argument);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_key_create(&key, destroy);
  pthread_create(&a, 0, worker, (void *)1);
  pthread_create(&b, 0, worker, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(destroyed == 3);
  return 0;
}
