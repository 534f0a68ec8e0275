/* The environment belongs to the process.
 * expect: violated
 * run: run
 * reason: race
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *sets(void *unused) {
  setenv("WHO", "other", 1);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, sets, 0);
  int there = getenv("WHO") != 0;
  pthread_join(other, 0);
  assert(!there);
  return 0;
}
