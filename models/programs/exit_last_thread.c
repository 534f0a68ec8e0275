/* A process ends with its last thread, whichever that is: then its end of the pipe is closed.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];
static void *writes(void *unused) {
  if (write(ends[1], "x", 1) != 1) _exit(1);
  return unused;
}

int main(void) {
  char c;
  int status;
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (child == 0) {
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    pthread_exit(0);
  }
  close(ends[1]);
  assert(read(ends[0], &c, 1) == 1);
  assert(read(ends[0], &c, 1) == 0);
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return 0;
}
