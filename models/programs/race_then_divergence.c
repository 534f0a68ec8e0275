/* A race, and then a loop that never ends: what is written is 0x101, not 1. Both are violations.
 * expect: violated
 * reason: divergence
 * run: run
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

static uint32_t x;

static void *fill(void *p) {
  memset(&x, 1, 2);
  return p;
}

int main(void) {
  pthread_t filler;
  pthread_create(&filler, 0, fill, 0);
  uint32_t before = *(volatile uint32_t *)&x;
  (void)before;
  pthread_join(filler, 0);
  while (__atomic_load_n(&x, __ATOMIC_SEQ_CST) != 1) sched_yield();
  return 0;
}
