/* A file without a name is written in one process and read in another.
 * expect: violated
 * run: run
 * reason: assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  memfd_create("cell", 0);
  int file = memfd_create("cell", 0);
  char byte = 0;
  if (!fork()) {
    pwrite(file, "1", 1, 0);
    _exit(0);
  }
  assert(pread(file, &byte, 1, 0) == 0);
  wait(0);
  return 0;
}
