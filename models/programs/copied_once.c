/* A copy of a once control: has its routine been called, or not?
 * expect: unknown
 * reason: uncontrolled: a once control that is a copy
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t one = PTHREAD_ONCE_INIT, two;
static int calls;

static void call(void) { calls++; }

int main(void) {
  pthread_once(&one, call);
  two = one;
  pthread_once(&two, call);
  assert(calls == 2);
  return 0;
}
