/* A reader looks for the last zero of an array while each writer makes its cell one more than the cell before (Abdulla and
 * others, POPL 2014). Atomics, or -DLOCKED: a mutex for each cell.
 * expect: holds
 * run: run -D N=4
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

#ifdef LOCKED
static int cells[N + 1];
static pthread_mutex_t locks[N + 1];
static int get(int i) {
  pthread_mutex_lock(&locks[i]);
  int value = cells[i];
  pthread_mutex_unlock(&locks[i]);
  return value;
}
static void set(int i, int value) {
  pthread_mutex_lock(&locks[i]);
  cells[i] = value;
  pthread_mutex_unlock(&locks[i]);
}
#else
static atomic_int cells[N + 1];
static int get(int i) { return atomic_load(&cells[i]); }
static void set(int i, int value) { atomic_store(&cells[i], value); }
#endif

static void *reader(void *unused) {
  int i = N;
  while (get(i) != 0) i--;
  return unused;
}
static void *writer(void *argument) {
  int j = (int)(long)argument;
  set(j, get(j - 1) + 1);
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
#ifdef LOCKED
  for (int i = 0; i <= N; i++) pthread_mutex_init(&locks[i], 0);
#endif
  pthread_create(&threads[0], 0, reader, 0);
  for (long j = 1; j <= N; j++) pthread_create(&threads[j], 0, writer, (void *)j);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
  return 0;
}
