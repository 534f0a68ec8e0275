/* One reader, two assertions: each fails in an order of its own, and both are found.
 * run: run
 * expect: violated
 * reason: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *writer(void *unused) { x = 1; return unused; }
static void *reader(void *unused) {
  int seen = x;
  assert(seen != 0 && "zero");
  assert(seen != 1 && "one");
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_detach(a);
  pthread_join(b, 0);
  return 0;
}
