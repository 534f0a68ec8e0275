/* O_APPEND is set while another thread writes at the beginning: before or behind.
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

static void *sets(void *unused) {
  fcntl(file, F_SETFL, O_APPEND);
  return unused;
}

int main(void) {
  char byte = 0;
  file = open(P_tmpdir "/weave.log", O_CREAT | O_RDWR, 0600);
  if (write(file, "old", 3) != 3) return 1;
  lseek(file, 0, SEEK_SET);
  pthread_t other;
  pthread_create(&other, 0, sets, 0);
  ssize_t done = write(file, "n", 1);
  pthread_join(other, 0);
  assert(done == 1 && pread(file, &byte, 1, 0) == 1 && byte == 'n');
  return 0;
}
