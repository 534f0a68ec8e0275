/* A process that ends closes its pipe, and may still have its lock.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2], file = open(P_tmpdir "/lock", O_CREAT | O_RDWR, 0600);
  char c;
  if (pipe(ends)) return 1;
  close(file);
  pid_t child = fork();
  if (!child) {
    close(ends[0]);
    file = open(P_tmpdir "/lock", O_RDWR);
    flock(file, LOCK_EX);
    _exit(write(ends[1], "x", 1) != 1);
  }
  close(ends[1]);
  file = open(P_tmpdir "/lock", O_RDWR);
  assert(read(ends[0], &c, 1) == 1);
  assert(read(ends[0], &c, 1) == 0);
  assert(flock(file, LOCK_EX | LOCK_NB) == 0);
  waitpid(child, 0, 0);
  return 0;
}
