/* A rwlock is overwritten while another thread may use it.
 * expect: violated
 * run: run
 */
#include <pthread.h>
#include <string.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *clear(void *unused) {
  memset(&lock, 0, sizeof lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, clear, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
