/* flock is no cancellation point: the thread comes behind it.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/file.h>

static int file;

static void *take(void *p) {
  flock(file, LOCK_EX);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  return p;
}

int main(void) {
  void *result;
  pthread_t taker;
  file = open(P_tmpdir "/cancel_at_flock", O_CREAT | O_RDWR, 0600);
  pthread_create(&taker, 0, take, &file);
  pthread_cancel(taker);
  pthread_join(taker, &result);
  assert(result == &file);
  return 0;
}
