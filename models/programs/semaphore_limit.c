/* Two posts of a semaphore do not commute just below its limit: the second one fails.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *poster(void *arg) {
  sem_post(&s);
  return arg;
}

int main(void) {
  pthread_t p;
  sem_init(&s, 0, SEM_VALUE_MAX - 1);
  pthread_create(&p, 0, poster, 0);
  assert(sem_post(&s) == 0);
  pthread_join(p, 0);
  return 0;
}
