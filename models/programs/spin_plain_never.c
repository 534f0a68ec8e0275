/* Waits in a loop for a variable that is never written: a divergence.
 * expect: violated
 * reason: divergence
 * run: run --divergence 500ms
 */
#include <pthread.h>

static volatile int ready;
static int other;

static void *setter(void *unused) {
  other = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, setter, 0);
  while (!ready) {}
  pthread_join(a, 0);
  return other;
}
