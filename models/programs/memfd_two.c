/* Two files without a name are two, although they were given the same: what is written to one
 * is not read from the other.
 * expect: holds
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int first = memfd_create("cell", 0), second = memfd_create("cell", 0);
  char byte = 0;
  if (!fork()) {
    pwrite(first, "1", 1, 0);
    _exit(0);
  }
  assert(pread(second, &byte, 1, 0) == 0);
  wait(0);
  return 0;
}
