/* A copy of a barrier at which one thread is.
 * expect: unknown
 * reason: uncontrolled: a barrier that is a copy
 * run: run
 */
#include <pthread.h>

static pthread_barrier_t one, two;

int main(void) {
  pthread_barrier_init(&one, 0, 1);
  pthread_barrier_wait(&one);
  two = one;
  pthread_barrier_wait(&two);
  return 0;
}
