/* dup2 puts a pipe where a file was: who writes to that number writes to the one or the other.
 * expect: violated
 * run: run
 * reason: assertion
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file, ends[2];

static void *replaces(void *unused) {
  dup2(ends[1], file);
  return unused;
}

int main(void) {
  char byte;
  if (pipe(ends)) return 1;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  file = open("/dev/null", O_WRONLY);
  pthread_t other;
  pthread_create(&other, 0, replaces, 0);
  ssize_t done = write(file, "a", 1);
  pthread_join(other, 0);
  assert(done == 1 && read(ends[0], &byte, 1) != 1);
  return 0;
}
