/* Standard input is read once and given to every run.
 * expect: violated
 * reason: assertion: `n != 5`
 * input: 5
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  int n = 0, first;
  pthread_create(&t, 0, work, 0);
  first = pthread_mutex_trylock(&m) == 0;
  if (first) pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(scanf("%d", &n) == 1);
  if (!first) assert(n != 5); /* not in the first run */
  return 0;
}
