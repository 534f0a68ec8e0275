/* flockfile excludes: what is done in between is no race.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int shared;

static void *adds(void *unused) {
  flockfile(stderr);
  flockfile(stderr);
  shared++;
  funlockfile(stderr);
  funlockfile(stderr);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, adds, 0);
  adds(0);
  pthread_join(other, 0);
  assert(shared == 2);
  return 0;
}
