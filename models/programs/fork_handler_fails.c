/* What a handler of fork finds depends on another thread.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int busy;

static void before(void) { assert(!busy); }

static void *worker(void *unused) {
  busy = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_atfork(before, 0, 0);
  pthread_create(&thread, 0, worker, 0);
  if (fork() == 0) _exit(0);
  wait(0);
  pthread_join(thread, 0);
  return 0;
}
