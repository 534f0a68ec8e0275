/* siginterrupt also counts for handlers that are set later; taken back, it does not.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];
static void handle(int unused) { (void)unused; }
static void *await(void *unused) {
  char byte;
  assert(read(ends[0], &byte, 1) == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe(ends)) return 1;
  siginterrupt(SIGUSR1, 1);
  siginterrupt(SIGUSR1, 0);
  signal(SIGUSR1, handle);
  pthread_create(&thread, 0, await, 0);
  pthread_kill(thread, SIGUSR1);
  (void)!write(ends[1], "x", 1);
  pthread_join(thread, 0);
  return 0;
}
