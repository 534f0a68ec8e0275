/* A thread forks while the first one joins others, one after the other. That it has joined one orders nothing for the child.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static int written;
static atomic_int steps;

static void *writer(void *unused) {
  written = 1;
  return unused;
}
static void *idler(void *unused) { return unused; }
static void *forker(void *unused) {
  int status = 0;
  steps++;
  pid_t child = fork();
  if (!child) _exit(written);
  waitpid(child, &status, 0);
  assert(WEXITSTATUS(status) == 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, idler, 0);
  pthread_create(&threads[2], 0, forker, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
