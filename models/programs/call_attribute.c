/* Attributes are memory: one is set while another thread asks for it.
 * expect: violated
 * reason: race
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_attr_t attributes;

static void *other(void *unused) {
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  return unused;
}

int main(void) {
  pthread_t thread;
  int state;
  pthread_attr_init(&attributes);
  pthread_create(&thread, 0, other, 0);
  pthread_attr_getdetachstate(&attributes, &state);
  assert(state == PTHREAD_CREATE_JOINABLE);
  pthread_join(thread, 0);
  return 0;
}
