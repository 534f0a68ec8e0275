/* A pipe that holds less than usual is not modelled: the second write waits for the read.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static atomic_int reading;

static void *reads(void *unused) {
  char text[4096];
  reading = 1;
  read(ends[0], text, sizeof text);
  return unused;
}

int main(void) {
  pthread_t thread;
  char text[4096] = {0};
  pipe(ends);
  fcntl(ends[1], F_SETPIPE_SZ, 4096);
  write(ends[1], text, sizeof text);
  pthread_create(&thread, 0, reads, 0);
  write(ends[1], text, sizeof text);
  assert(reading == 1);
  pthread_join(thread, 0);
  return 0;
}
