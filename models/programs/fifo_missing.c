/* A FIFO that is opened before it is made: whether it is there depends on who comes first.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

static void *make(void *unused) {
  mkfifo(P_tmpdir "/weave.fifo", 0600);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, make, 0);
  assert(open(P_tmpdir "/weave.fifo", O_RDONLY | O_NONBLOCK) >= 0);
  pthread_join(t, 0);
  return 0;
}
