/* Two threads race through a file: one writes, the other reads what may not be there yet.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int file;

static void *writer(void *unused) {
  assert(pwrite(file, "x", 1, 0) == 1);
  return unused;
}

int main(void) {
  pthread_t t;
  char c = 0;
  file = open(P_tmpdir "/weave.data", O_CREAT | O_RDWR | O_TRUNC, 0600);
  pthread_create(&t, 0, writer, 0);
  assert(pread(file, &c, 1, 0) == 1); /* too early */
  pthread_join(t, 0);
  return 0;
}
