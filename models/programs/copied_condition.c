/* A copy of a condition variable, and who waits for it.
 * expect: unknown
 * reason: uncontrolled: a condition variable that is a copy
 * run: run
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one = PTHREAD_COND_INITIALIZER, two;

int main(void) {
  pthread_cond_signal(&one);
  two = one;
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&two);
  pthread_mutex_unlock(&lock);
  return 0;
}
