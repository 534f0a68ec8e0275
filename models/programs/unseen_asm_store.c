/* Assembler without any lock prefix stores to what another thread reads.
 * expect: unknown
 * run: run
 * reason: complete for the operations seen
 */
#include <pthread.h>

static int shared;

static void *writes(void *unused) {
  __asm__ volatile("movl $1, %0" : "=m"(shared));
  return unused;
}

int main(void) {
  pthread_t writer;
  volatile int seen;
  pthread_create(&writer, 0, writes, 0);
  seen = shared;
  pthread_join(writer, 0);
  return seen == 7;
}
