/* The child has one thread, and ends with it: handlers of exit run there, which is not modelled.
 * expect: unknown
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int fd[2];
static void handler(void) { write(fd[1], "h", 1); }
static void *worker(void *u) {
  pid_t p = fork();
  if (!p) return 0;
  waitpid(p, 0, 0);
  return 0;
}
int main(void) {
  pipe(fd);
  atexit(handler);
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_join(a, 0);
  fcntl(fd[0], F_SETFL, O_NONBLOCK);
  char c;
  int n = read(fd[0], &c, 1);
  assert(n == 1);
  return 0;
}
