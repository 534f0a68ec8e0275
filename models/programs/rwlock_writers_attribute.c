/* The kind is an attribute. A writer that waits with a limit keeps readers out, and lets them in when its time is up.
 * expect: holds
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;
static int value;

static void *writer(void *unused) {
  struct timespec limit = {time(0) + 1, 0};
  if (pthread_rwlock_timedwrlock(&lock, &limit)) return unused;
  value++;
  assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_rwlockattr_t kind;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &kind);
  pthread_create(&thread, 0, writer, 0);
  for (int i = 0; i < 2; i++) {
    pthread_rwlock_rdlock(&lock);
    assert(value <= 1);
    pthread_rwlock_unlock(&lock);
  }
  pthread_join(thread, 0);
  return 0;
}
