/* A spin lock that is 0 has not been initialised; to the C library it is locked.
 * expect: unknown
 * reason: uncontrolled: a mutex that is a copy, or was not initialised
 * run: run
 */
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void) {
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
  return 0;
}
