/* A signal is ignored by now, or not: a write to a broken pipe, in another thread.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void *ignores(void *unused) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  return unused;
}

static void child(void) {
  pthread_t thread;
  pthread_create(&thread, 0, ignores, 0);
  int ends[2];
  pipe(ends);
  close(ends[0]);
  write(ends[1], "x", 1);
  _exit(3);
}

int main(void) {
  int status;
  pid_t pid = fork();
  if (pid == 0) child();
  waitpid(pid, &status, 0);
  assert(!WIFSIGNALED(status));
  return 0;
}
