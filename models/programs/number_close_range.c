/* A range of descriptors is closed while another thread uses one of them.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *other(void *unused) {
  close_range(3, 100, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  int file = dup(0);
  pthread_create(&thread, 0, other, 0);
  assert(fcntl(file, F_GETFL) >= 0);
  pthread_join(thread, 0);
  return 0;
}
