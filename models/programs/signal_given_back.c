/* A thread that ends gives back a signal to the process: who has joined it has had it.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int count;
static void handle(int unused) { (void)unused, count++; }
static void *end(void *unused) { return unused; }

int main(void) {
  signal(SIGUSR1, handle);
  pthread_t thread;
  pthread_create(&thread, 0, end, 0);
  kill(getpid(), SIGUSR1);
  pthread_join(thread, 0);
  assert(count == 1);
}
