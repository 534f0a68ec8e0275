/* sscanf writes what its arguments point to.
 * expect: violated
 * run: run
 * reason: race
 */
#include <pthread.h>
#include <stdio.h>

static int number;

static void *scans(void *unused) {
  sscanf("12", "%d", &number);
  return unused;
}

int main(void) {
  pthread_t other;
  volatile int seen;
  pthread_create(&other, 0, scans, 0);
  seen = number;
  pthread_join(other, 0);
  return seen == 7;
}
