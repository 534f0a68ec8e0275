/* One thread raises a signal, another one ignores it, before that or behind it.
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
  signal(SIGTERM, SIG_IGN);
  return unused;
}

int main(void) {
  int status;
  if (fork() == 0) {
    pthread_t thread;
    pthread_create(&thread, 0, ignore, 0);
    raise(SIGTERM);
    _exit(3);
  }
  wait(&status);
  assert(WIFSIGNALED(status));
  return 0;
}
