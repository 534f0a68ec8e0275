/* A copy of a locked mutex is locked, too: this hangs. POSIX: use of a copy is undefined.
 * expect: unknown
 * reason: uncontrolled: a mutex that is a copy
 * run: run
 */
#include <pthread.h>

static struct { pthread_mutex_t lock; int value; } one = {PTHREAD_MUTEX_INITIALIZER, 0}, two;

int main(void) {
  pthread_mutex_lock(&one.lock);
  two.lock = one.lock;
  pthread_mutex_lock(&two.lock);
  return 0;
}
