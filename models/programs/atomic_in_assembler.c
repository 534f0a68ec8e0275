/* A lost update through atomic instructions that no instrumentation sees: nothing is claimed.
 * expect: unknown
 * reason: complete for the operations seen
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static int count;

static int take(void) {
  int seen = 0;
  __asm__ volatile("lock xaddl %0, %1" : "+r"(seen), "+m"(count) : : "memory");
  return seen;
}

static void *add(void *unused) {
  int next = take() + 1;
  __asm__ volatile("xchgl %0, %1" : "+r"(next), "+m"(count) : : "memory");
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, add, 0);
  pthread_create(&u, 0, add, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(take() == 2);
  return 0;
}
