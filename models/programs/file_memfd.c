/* A file in memory that has no name, shared by fork.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int fd = memfd_create("shared", 0);
  char c;
  if (fork() == 0) {
    pwrite(fd, "x", 1, 0);
    _exit(0);
  }
  assert(pread(fd, &c, 1, 0) == 1);
  wait(0);
  return 0;
}
