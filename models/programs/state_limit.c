/* No more descriptors are allowed while another thread wants one.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

static void *other(void *unused) {
  struct rlimit limit = {3, 3};
  setrlimit(RLIMIT_NOFILE, &limit);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  assert(dup(0) >= 0);
  pthread_join(thread, 0);
  return 0;
}
