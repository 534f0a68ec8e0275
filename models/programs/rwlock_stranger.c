/* A read-write lock is unlocked by a thread that does not hold it.
 * expect: violated
 * reason: misuse
 * run: run
 */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *unused) {
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(a, 0);
  return 0;
}
