/* With SA_NOCLDWAIT children leave nothing to wait for, though their ends are not ignored.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void *forget(void *unused) {
  struct sigaction action = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
  sigaction(SIGCHLD, &action, 0);
  return unused;
}

int main(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  pthread_t thread;
  pthread_create(&thread, 0, forget, 0);
  assert(waitpid(child, 0, 0) == child);
  pthread_join(thread, 0);
  return 0;
}
