/* Main looks into a pipe and ends the process. In some runs another thread has written by then.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *worker(void *unused) {
  return write(ends[1], "a", 1) == 1 ? unused : 0;
}

int main(void) {
  pthread_t thread;
  char byte;
  assert(pipe2(ends, O_NONBLOCK) == 0);
  pthread_create(&thread, 0, worker, 0);
  ssize_t got = read(ends[0], &byte, 1);
  assert(got < 0);
  return 0;
}
