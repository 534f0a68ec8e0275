/* Who gets which number: a file in memory is opened beside another descriptor.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static void *other(void *unused) {
  memfd_create("a", 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  assert(dup(0) == 3);
  pthread_join(thread, 0);
  return 0;
}
