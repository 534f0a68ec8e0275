/* A lost update, through atomics of a program that is not instrumented.
 * compile: cc -O2 -pthread
 * expect: unknown
 * reason: complete for the operations seen: 1 run, no violation; the memory that 3 threads share is not seen
 * unseen: `add`
 * assumed: holds
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

void *add(void *p) {
  int seen = count;
  count = seen + 1;
  return p;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, add, 0);
  pthread_create(&u, 0, add, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(count == 2);
  return 0;
}
