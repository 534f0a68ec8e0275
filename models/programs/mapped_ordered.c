/* A file is mapped, and cut off by calls only before and after there are other threads.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int *table;

static void *reads(void *unused) {
  assert(table[0] == 1);
  return unused;
}

int main(void) {
  int file = open(P_tmpdir "/weave.data", O_CREAT | O_TRUNC | O_RDWR, 0600);
  assert(!ftruncate(file, 4096));
  table = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  table[0] = 1;
  pthread_t other;
  pthread_create(&other, 0, reads, 0);
  pthread_join(other, 0);
  assert(table[0] == 1);
  return 0;
}
