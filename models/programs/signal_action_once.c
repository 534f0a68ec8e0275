/* SA_RESETHAND: to take the signal sets the action back, which another thread may see.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void handle(int unused) { (void)unused; }
static void *take(void *unused) {
  raise(SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESETHAND}, now;
  sigaction(SIGUSR1, &action, 0);
  pthread_create(&thread, 0, take, 0);
  sigaction(SIGUSR1, 0, &now);
  assert(now.sa_handler == handle);
  pthread_join(thread, 0);
  return 0;
}
