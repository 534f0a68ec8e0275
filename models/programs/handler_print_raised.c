/* A handler that runs only where its own thread raises the signal may print, and may allocate.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void handle(int unused) {
  (void)unused;
  printf("handled\n");
  free(malloc(10));
}
static void *worker(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_create(&thread, 0, worker, 0);
  printf("raising\n");
  free(malloc(30));
  raise(SIGUSR1);
  pthread_join(thread, 0);
  return 0;
}
