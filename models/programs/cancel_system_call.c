/* A system call is no cancellation point, though read is one. getrandom is one in the C library.
 * expect: holds
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];
static _Atomic int reached, drawn;

static void *reader(void *arg) {
  char byte;
  pthread_cancel(pthread_self());
  syscall(SYS_read, ends[0], &byte, 1);
  reached = 1;
  getrandom(&byte, 1, 0);
  drawn = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  assert(!pipe(ends));
  assert(write(ends[1], "a", 1) == 1);
  pthread_create(&thread, 0, reader, 0);
  pthread_join(thread, 0);
  assert(reached && !drawn);
}
