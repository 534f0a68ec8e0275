/* Another thread sets a handler of SIGCHLD: the child ends before that, or behind it.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int ended;
static void handle(int unused) { (void)unused, ended++; }
static void *set(void *unused) {
  signal(SIGCHLD, handle);
  return unused;
}

int main(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  pthread_t thread;
  pthread_create(&thread, 0, set, 0);
  waitpid(child, 0, 0);
  pthread_join(thread, 0);
  assert(ended != 1);
  return 0;
}
