/* A plain variable that another thread writes while its process forks: the child has the old value in some runs. No race: no thread of its process reads it.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int written;

static void *worker(void *unused) {
  written = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  if (fork() == 0) {
    assert(written == 1);
    _exit(0);
  }
  wait(0);
  pthread_join(thread, 0);
  return 0;
}
