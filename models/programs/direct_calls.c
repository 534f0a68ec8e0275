/* System calls past the functions of the C library: what these would have done is done, and harmless ones are let pass.
 * expect: holds
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static void *work(void *unused) {
  assert(syscall(SYS_write, ends[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  pthread_t t;
  struct timespec now;
  char c = 0;
  assert(!syscall(SYS_pipe2, ends, 0));
  assert(syscall(SYS_getpid) == getpid() && !syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now));
  pthread_create(&t, 0, work, 0);
  assert(read(ends[0], &c, 1) == 1 && c == 'x');
  pthread_join(t, 0);
  return 0;
}
