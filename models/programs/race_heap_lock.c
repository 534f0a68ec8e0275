/* Data guarded by two different mutexes, which lie on the heap: the race is made visible, and nothing lies elsewhere because of that.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int value;
static pthread_mutex_t *right, *wrong;

static void *careless(void *unused) {
  pthread_mutex_lock(wrong);
  value++;
  pthread_mutex_unlock(wrong);
  return unused;
}

int main(void) {
  right = malloc(sizeof *right);
  wrong = malloc(sizeof *wrong);
  pthread_mutex_init(right, 0);
  pthread_mutex_init(wrong, 0);
  pthread_t t;
  pthread_create(&t, 0, careless, 0);
  pthread_mutex_lock(right);
  int before = value;
  value++;
  assert(value == before + 1);
  pthread_mutex_unlock(right);
  pthread_join(t, 0);
  return 0;
}
