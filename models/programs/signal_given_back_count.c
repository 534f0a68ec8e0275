/* One signal raised, one from another process: both are handled once the threads are joined.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int count;
static void handle(int unused) { (void)unused, count++; }
static void *end(void *unused) { return unused; }

int main(void) {
  signal(SIGUSR1, handle);
  pthread_t thread;
  pthread_create(&thread, 0, end, 0);
  raise(SIGUSR1);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  while (waitpid(child, 0, 0) < 0) {}
  pthread_join(thread, 0);
  assert(count == 2);
}
