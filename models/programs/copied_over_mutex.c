/* A locked mutex is copied over one that was used before: this hangs.
 * expect: unknown
 * reason: uncontrolled: a mutex that is a copy
 * run: run
 */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&two);
  pthread_mutex_unlock(&two);
  pthread_mutex_lock(&one);
  memcpy(&two, &one, sizeof one);
  pthread_mutex_lock(&two);
  return 0;
}
