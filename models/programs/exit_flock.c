/* Main tries to lock a file and ends the process. In some runs another thread, which it never waits for, has the lock by then.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <stdio.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>

static int first, second;

static void *worker(void *unused) {
  flock(first, LOCK_EX);
  flock(first, LOCK_UN);
  return unused;
}

int main(void) {
  pthread_t thread;
  first = open(P_tmpdir "/weave.lock", O_CREAT | O_RDWR, 0600);
  second = open(P_tmpdir "/weave.lock", O_CREAT | O_RDWR, 0600);
  pthread_create(&thread, 0, worker, 0);
  int failed = flock(second, LOCK_EX | LOCK_NB);
  assert(!failed);
  return 0;
}
