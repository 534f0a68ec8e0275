/* The last thread ends, and with it the process: then handlers of exit run, which are not seen. So nothing is claimed.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void complain(void) { assert(0); }
static void *pass(void *unused) { return unused; }

int main(void) {
  pthread_t t;
  atexit(complain);
  pthread_create(&t, 0, pass, 0);
  pthread_exit(0);
}
