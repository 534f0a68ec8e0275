/* Another thread ignores the ends of children: if the child ends behind that, there is none to wait for.
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
  signal(SIGCHLD, SIG_IGN);
  return unused;
}

int main(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  pthread_t thread;
  pthread_create(&thread, 0, ignore, 0);
  assert(waitpid(child, 0, 0) == child);
  pthread_join(thread, 0);
  return 0;
}
