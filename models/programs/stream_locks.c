/* A stream and a mutex, locked in two orders.
 * expect: violated
 * run: run
 * reason: deadlock
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
  flockfile(stdout);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  funlockfile(stdout);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, first, 0);
  pthread_mutex_lock(&lock);
  printf("waits for the stream\n");
  pthread_mutex_unlock(&lock);
  pthread_join(other, 0);
  return 0;
}
