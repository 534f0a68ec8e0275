/* The last thread of the child has written; that the child has ended, too, need not be true yet.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c;
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (child == 0) {
    if (write(ends[1], "x", 1) != 1) _exit(1);
    pthread_exit(0);
  }
  assert(read(ends[0], &c, 1) == 1);
  assert(waitpid(child, 0, WNOHANG) == child);
  return 0;
}
