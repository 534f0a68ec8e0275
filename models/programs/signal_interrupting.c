/* A handler ends a read, if siginterrupt has asked for that.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];
static void handle(int unused) { (void)unused; }

static void *other(void *unused) {
  char one;
  assert(read(ends[0], &one, 1) == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pipe(ends);
  signal(SIGUSR1, handle);
  siginterrupt(SIGUSR1, 1);
  pthread_create(&thread, 0, other, 0);
  pthread_kill(thread, SIGUSR1);
  write(ends[1], "x", 1);
  pthread_join(thread, 0);
  return 0;
}
