/* A handler that is taken away when it runs, while another thread looks: both orders are tried.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void handle(int unused) { (void)unused; }

static void *other(void *unused) {
  raise(SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct sigaction once = {.sa_handler = handle, .sa_flags = SA_RESETHAND}, now;
  sigaction(SIGUSR1, &once, 0);
  pthread_create(&thread, 0, other, 0);
  sigaction(SIGUSR1, 0, &now);
  assert(now.sa_handler == handle);
  pthread_join(thread, 0);
  return 0;
}
