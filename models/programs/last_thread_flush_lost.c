/* The same with the opposite assertion, which fails: what the child printed is read.
 * expect: unknown
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int fd[2];
int main(void) {
  pipe(fd);
  if (!fork()) {
    dup2(fd[1], 1);
    printf("x");
    pthread_exit(0);
  }
  close(fd[1]);
  char c;
  int n = read(fd[0], &c, 1);
  wait(0);
  assert(n == 0);
  return 0;
}
