/* A thread waits for a byte on a descriptor that another thread closes, after it has taken the byte
 * by another descriptor of the same pipe. The first thread may have had the byte before that.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], again;

static void *reads(void *arg) {
  char byte;
  assert(read(ends[0], &byte, 1) != 1);
  return arg;
}

static void *takes(void *arg) {
  char byte;
  read(again, &byte, 1);
  close(ends[0]);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  assert(!pipe(ends));
  again = dup(ends[0]);
  pthread_create(&threads[1], 0, takes, 0);
  pthread_create(&threads[0], 0, reads, 0);
  write(ends[1], "a", 1);
  pthread_join(threads[1], 0);
  write(ends[1], "b", 1);
  close(ends[1]);
  pthread_join(threads[0], 0);
}
