/* Whether malloc gives back the block that the other thread frees depends on the order, which is
 * not explored: the answer says so under `assumes`.
 * expect: holds
 * assumes: no decision depends on which addresses
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void *block;

static void *give_back(void *p) {
  free(block);
  return p;
}

int main(void) {
  block = malloc(2000);
  uintptr_t old = (uintptr_t)block;
  pthread_t other;
  pthread_create(&other, 0, give_back, 0);
  void *next = malloc(2000);
  assert((uintptr_t)next != old);
  pthread_join(other, 0);
  free(next);
  return 0;
}
