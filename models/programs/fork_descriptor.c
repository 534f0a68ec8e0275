/* Another thread closes an end of a pipe while its process forks: the child has it, or not.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *worker(void *unused) {
  close(ends[1]);
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pipe(ends) == 0);
  pthread_create(&thread, 0, worker, 0);
  if (fork() == 0) {
    ssize_t written = write(ends[1], "a", 1);
    assert(written == 1);
    _exit(0);
  }
  wait(0);
  pthread_join(thread, 0);
  return 0;
}
