/* The only thread that is left asks itself to end, and does.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static void *nothing(void *arg) { return arg; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  pthread_cancel(pthread_self());
  pthread_testcancel();
  assert(0);
}
