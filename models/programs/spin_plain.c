/* Waits in a loop for a variable that is not atomic: no divergence, although the loop has no visible operation at first, but a race, and then a
 * wait.
 * expect: holds
 * run: run --races list --divergence 500ms
 */
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static int data;

static void *setter(void *unused) {
  data = 5;
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, setter, 0);
  while (!ready) {}
  assert(data == 5);
  pthread_join(a, 0);
  return 0;
}
