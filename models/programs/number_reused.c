/* The number of a file that was closed is given to another one: who still writes to it writes there.
 * expect: violated
 * run: run
 * reason: assertion
 */
#include <stdio.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *replaces(void *unused) {
  close(file);
  open(P_tmpdir "/weave.other", O_CREAT | O_RDWR, 0600);
  return unused;
}

int main(void) {
  char byte;
  file = open(P_tmpdir "/weave.log", O_CREAT | O_RDWR, 0600);
  pthread_t other;
  pthread_create(&other, 0, replaces, 0);
  ssize_t done = write(file, "a", 1);
  pthread_join(other, 0);
  int again = open(P_tmpdir "/weave.other", O_CREAT | O_RDONLY, 0600);
  assert(done != 1 || read(again, &byte, 1) == 0);
  return 0;
}
