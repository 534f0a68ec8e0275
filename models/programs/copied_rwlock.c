/* A copy of a read-write lock that a writer has.
 * expect: unknown
 * reason: uncontrolled: a read-write lock that is a copy
 * run: run
 */
#include <pthread.h>

static pthread_rwlock_t one = PTHREAD_RWLOCK_INITIALIZER, two;

int main(void) {
  pthread_rwlock_wrlock(&one);
  two = one;
  pthread_rwlock_rdlock(&two);
  return 0;
}
