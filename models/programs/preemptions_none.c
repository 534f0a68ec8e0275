/* Without preemptions no update is lost; with them one may be, but those runs are left out.
 * expect: unknown
 * reason: bounded
 * run: run --preemptions 0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int count;

static void *work(void *unused) {
  int before = count;
  count = before + 1;
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, work, 0);
  pthread_create(&other, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(count == 2);
}
