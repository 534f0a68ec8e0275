/* A lock file that another thread has made and will not remove: who sleeps between two tries waits forever too.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define LOCK P_tmpdir "/weave.lock"

static void *taker(void *unused) {
  close(open(LOCK, O_CREAT | O_EXCL | O_RDWR, 0600));
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, taker, 0);
  while (open(LOCK, O_CREAT | O_EXCL | O_RDWR, 0600) < 0) usleep(1000);
  pthread_join(t, 0);
  return 0;
}
