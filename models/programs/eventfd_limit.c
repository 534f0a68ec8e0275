/* The same of an event counter: the second addition does not fit.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter;

static void *adder(void *arg) {
  eventfd_write(counter, 1);
  return arg;
}

int main(void) {
  pthread_t p;
  counter = eventfd(0, EFD_NONBLOCK);
  assert(eventfd_write(counter, UINT64_MAX - 2) == 0);
  pthread_create(&p, 0, adder, 0);
  assert(eventfd_write(counter, 1) == 0);
  pthread_join(p, 0);
  close(counter);
  return 0;
}
