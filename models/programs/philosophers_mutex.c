/* Dining philosophers as threads, forks are mutexes: everybody takes the left fork first, which can end in a deadlock.
 * -DN=n philosophers; -DFIX: the last takes the right fork first. 2^N - 2 complete runs, and one more that deadlocks.
 * expect: violated
 * run: run
 */
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];

static void *philosopher(void *argument) {
  long i = (long)argument, left = i, right = (i + 1) % N;
#ifdef FIX
  if (i == N - 1) left = (i + 1) % N, right = i;
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  pthread_mutex_unlock(&forks[right]);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++) pthread_mutex_init(&forks[i], 0);
  for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, philosopher, (void *)i);
  for (long i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}
