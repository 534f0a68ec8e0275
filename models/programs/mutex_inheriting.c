/* An error-checking mutex that passes priorities on: who has it and tries it again has EDEADLK.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
  pthread_mutexattr_t how;
  pthread_mutex_t lock;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_settype(&how, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutexattr_setprotocol(&how, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&lock, &how);
  pthread_mutex_lock(&lock);
  assert(pthread_mutex_trylock(&lock) == EDEADLK);
  return 0;
}
