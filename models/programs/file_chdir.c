/* The current folder belongs to all threads of a process: what a relative path means depends on who moves.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *move(void *unused) {
  chdir("/");
  return unused;
}

int main(void) {
  pthread_t t;
  chdir(P_tmpdir);
  close(open("weave.here", O_CREAT | O_RDWR, 0600));
  pthread_create(&t, 0, move, 0);
  assert(access("weave.here", F_OK) == 0);
  pthread_join(t, 0);
  return 0;
}
