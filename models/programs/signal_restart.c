/* With SA_RESTART the wait goes on behind the handler.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t ready;
static void handle(int unused) { (void)unused; }

static void *waits(void *unused) {
  assert(sem_wait(&ready) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, 0);
  sem_init(&ready, 0, 0);
  pthread_create(&thread, 0, waits, 0);
  pthread_kill(thread, SIGUSR1);
  sem_post(&ready);
  pthread_join(thread, 0);
  return 0;
}
