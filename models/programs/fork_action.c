/* Another thread sets a handler while its process forks: in some runs the child has none, and dies.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void handler(int number) { (void)number; }

static void *worker(void *unused) {
  signal(SIGUSR1, handler);
  return unused;
}

int main(void) {
  pthread_t thread;
  int status;
  pthread_create(&thread, 0, worker, 0);
  pid_t child = fork();
  if (child == 0) {
    raise(SIGUSR1);
    _exit(0);
  }
  waitpid(child, &status, 0);
  assert(WIFEXITED(status));
  pthread_join(thread, 0);
  return 0;
}
