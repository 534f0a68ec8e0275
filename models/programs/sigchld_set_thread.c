/* SIGCHLD is ignored by another thread while a child may end: both orders are tried.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void *other(void *unused) {
  signal(SIGCHLD, SIG_IGN);
  return unused;
}

int main(void) {
  pthread_t thread;
  pid_t child = fork();
  if (child == 0) _exit(0);
  pthread_create(&thread, 0, other, 0);
  assert(waitpid(child, 0, 0) == child);
  pthread_join(thread, 0);
  return 0;
}
