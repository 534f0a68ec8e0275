/* A normal mutex is unlocked by a thread that does not hold it: misuse, if it comes while another holds it.
 * expect: violated
 * reason: misuse
 * run: run
 */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *stranger(void *unused) {
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, stranger, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  return 0;
}
