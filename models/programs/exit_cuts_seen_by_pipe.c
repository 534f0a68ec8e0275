/* The end of a process is seen by the end of a pipe: what its other thread was about to store is
 * stored or not. That is no race, since nothing of the process runs by then.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int *done;

static void *work(void *unused) {
  *done = 1;
  return unused;
}

int main(void) {
  int ends[2];
  char none;
  done = mmap(0, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pipe(ends);
  if (!fork()) {
    pthread_t thread;
    close(ends[0]);
    pthread_create(&thread, 0, work, 0);
    _exit(0);
  }
  close(ends[1]);
  assert(read(ends[0], &none, 1) == 0);
  assert(*done);
}
