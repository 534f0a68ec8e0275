/* Who looks at the value of a semaphore has not waited for it.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
int data;

static void *work(void *unused) {
  data = 1;
  sem_post(&ready);
  return unused;
}

int main(void) {
  pthread_t thread;
  int value;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, 0, work, 0);
  sem_getvalue(&ready, &value);
  if (value) data = 2;
  pthread_join(thread, 0);
}
