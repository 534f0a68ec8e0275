/* One writer and N readers of one variable. Atomic: 2^N complete runs; -DLOCKED, one mutex: (N+1)!; -DRW, a read-write lock with a
 * static initialiser: 2^N, because readers do not disturb each other.
 * expect: holds
 * run: run -D RW -D N=3
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

#if defined(RW)
static int x;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int get(void) {
  pthread_rwlock_rdlock(&lock);
  int value = x;
  pthread_rwlock_unlock(&lock);
  return value;
}
static void set(int value) {
  pthread_rwlock_wrlock(&lock);
  x = value;
  pthread_rwlock_unlock(&lock);
}
#elif defined(LOCKED)
static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int get(void) {
  pthread_mutex_lock(&lock);
  int value = x;
  pthread_mutex_unlock(&lock);
  return value;
}
static void set(int value) {
  pthread_mutex_lock(&lock);
  x = value;
  pthread_mutex_unlock(&lock);
}
#else
static atomic_int x;
static int get(void) { return atomic_load(&x); }
static void set(int value) { atomic_store(&x, value); }
#endif

static void *reader(void *unused) {
  get();
  return unused;
}
static void *writer(void *unused) {
  set(1);
  return unused;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, writer, 0);
  for (int j = 1; j <= N; j++) pthread_create(&threads[j], 0, reader, 0);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
  return 0;
}
