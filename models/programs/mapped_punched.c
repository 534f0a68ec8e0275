/* A child makes a hole in a file that its parent has mapped: a page becomes zero.
 * expect: unknown
 * run: run
 * reason: uncontrolled: a file that is mapped
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int file = memfd_create("ring", 0);
  assert(!ftruncate(file, 8192));
  char *ring = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ring[5000] = 1;
  if (!fork()) {
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 4096, 4096);
    _exit(0);
  }
  assert(ring[5000] == 1);
  wait(0);
  return 0;
}
