/* One thread writes to a pipe that has no reader, another one ignores SIGPIPE, before that or behind it.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void *ignore(void *unused) {
  signal(SIGPIPE, SIG_IGN);
  return unused;
}

int main(void) {
  int status;
  if (fork() == 0) {
    pthread_t thread;
    int ends[2];
    if (pipe(ends)) _exit(1);
    close(ends[0]);
    pthread_create(&thread, 0, ignore, 0);
    (void)!write(ends[1], "x", 1);
    _exit(3);
  }
  wait(&status);
  assert(!WIFSIGNALED(status));
  return 0;
}
