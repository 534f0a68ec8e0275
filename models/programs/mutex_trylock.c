/* Two threads avoid a deadlock by trylock: who does not get the second lock gives back the first and goes on without.
 * expect: holds
 * run: run
 */
#include <errno.h>
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  int got = pthread_mutex_trylock(second);
  assert(got == 0 || got == EBUSY);
  if (got == 0) pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static void *one(void *unused) {
  both(&a, &b);
  return unused;
}
static void *two(void *unused) {
  both(&b, &a);
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
