/* A position that two processes share is read before it is moved.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int file = fileno(tmpfile());
  pid_t child = fork();
  if (child == 0) {
    write(file, "a", 1);
    _exit(0);
  }
  assert(lseek(file, 0, SEEK_CUR) == 1);
  waitpid(child, 0, 0);
}
