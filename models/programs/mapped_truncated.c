/* A file is cut off by its path and made long again while another thread reads it in memory: what
 * a call does to a mapped file is not brought together with accesses to memory.
 * expect: unknown
 * run: run
 * reason: uncontrolled: a file that is mapped
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME P_tmpdir "/weave.data"

static void *clears(void *unused) {
  assert(!truncate(NAME, 0));
  assert(!truncate(NAME, 4096));
  return unused;
}

int main(void) {
  int file = open(NAME, O_CREAT | O_RDWR, 0600);
  assert(!ftruncate(file, 4096));
  int *table = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  table[3] = 7;
  pthread_t other;
  pthread_create(&other, 0, clears, 0);
  assert(table[3] == 7);
  pthread_join(other, 0);
  return 0;
}
