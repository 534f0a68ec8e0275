/* Flags of a descriptor are set in one thread and asked for in another.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *other(void *unused) {
  fcntl(file, F_SETFD, FD_CLOEXEC);
  return unused;
}

int main(void) {
  pthread_t thread;
  file = dup(0);
  pthread_create(&thread, 0, other, 0);
  assert(fcntl(file, F_GETFD) == FD_CLOEXEC);
  pthread_join(thread, 0);
  return 0;
}
