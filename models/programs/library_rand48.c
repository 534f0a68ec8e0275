/* drand48 has a state that the C library does not lock: two calls at once may both get one number.
 * expect: violated
 * run: run
 * reason: race: `the state of drand48`
 */
#include <pthread.h>
#include <stdlib.h>

static double drawn[2];

static void *draws(void *to) {
  *(double *)to = drand48();
  return 0;
}

int main(void) {
  pthread_t other;
  srand48(5);
  pthread_create(&other, 0, draws, &drawn[0]);
  draws(&drawn[1]);
  pthread_join(other, 0);
  return 0;
}
