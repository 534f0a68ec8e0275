/* rand has one state for all threads: who is first gets the first number.
 * expect: violated
 * run: run
 * reason: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *draws(void *unused) {
  rand();
  return unused;
}

int main(void) {
  srand(1);
  int first = rand();
  srand(1);
  pthread_t other;
  pthread_create(&other, 0, draws, 0);
  int mine = rand();
  pthread_join(other, 0);
  assert(mine == first);
  return 0;
}
