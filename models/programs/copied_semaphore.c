/* A copy of a semaphore that was posted.
 * expect: unknown
 * reason: uncontrolled: a semaphore that is a copy
 * run: run
 */
#include <semaphore.h>

static sem_t one, two;

int main(void) {
  sem_init(&one, 0, 0);
  sem_post(&one);
  two = one;
  sem_wait(&two);
  return 0;
}
