/* A writer that only tries gets EBUSY while a thread reads; two readers read together.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int seen = value;
  assert(seen == value);
  pthread_rwlock_unlock(&lock);
  return unused;
}
static void *writer(void *unused) {
  int got = pthread_rwlock_trywrlock(&lock);
  assert(got == 0 || got == EBUSY);
  if (got == 0) {
    value++;
    pthread_rwlock_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&c, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  pthread_rwlock_destroy(&lock);
  return 0;
}
