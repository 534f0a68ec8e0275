/* Who gets which number: shared memory is opened beside another descriptor.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static void *other(void *unused) {
  shm_open("/weave", O_CREAT | O_RDWR, 0600);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  assert(dup(0) == 3);
  pthread_join(thread, 0);
  return 0;
}
