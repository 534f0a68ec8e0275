/* On which processors a thread may run is set by another: not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_t first;

static void *other(void *unused) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  pthread_setaffinity_np(first, sizeof set, &set);
  return unused;
}

int main(void) {
  pthread_t thread;
  cpu_set_t set;
  first = pthread_self();
  pthread_create(&thread, 0, other, 0);
  pthread_getaffinity_np(first, sizeof set, &set);
  pthread_join(thread, 0);
  return 0;
}
