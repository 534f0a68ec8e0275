/* Locks, one thread after the other: what the calls answer. */
#define _GNU_SOURCE
#include "say.h"
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t *made(int kind, int robust) {
  static pthread_mutex_t all[16];
  static int n;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, kind);
  if (robust) pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&all[n], &a);
  return &all[n++];
}
static void *dies_with(void *m) {
  SAY(pthread_mutex_lock(m));
  return 0;
}
static void *tries(void *m) {
  SAY(pthread_mutex_trylock(m));
  SAY(pthread_mutex_unlock(m));
  return 0;
}
static void in_thread(void *(*run)(void *), void *argument) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, run, argument);
  pthread_join(t, &result);
}
static void *reads(void *l) {
  SAY(pthread_rwlock_tryrdlock(l));
  return 0;
}
static void *writes(void *l) {
  SAY(pthread_rwlock_trywrlock(l));
  return 0;
}
static pthread_key_t first, second;
static void end_first(void *v) {
  printf("first %ld\n", (long)v);
  if ((long)v < 3) pthread_setspecific(first, (void *)((long)v + 1));
}
static void end_second(void *v) { printf("second %ld\n", (long)v); }
static void *keyed(void *unused) {
  pthread_setspecific(second, (void *)9);
  pthread_setspecific(first, (void *)1);
  return unused;
}
static void cleans(void *v) { printf("clean %ld\n", (long)v); }
static void *cancels_itself(void *unused) {
  pthread_cleanup_push(cleans, (void *)1);
  pthread_cleanup_push(cleans, (void *)2);
  int old;
  SAY(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
  SAY(pthread_cancel(pthread_self()));
  pthread_testcancel();
  printf("still here\n");
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old); /* a stream may be where it ends, or not */
  pthread_testcancel();
  printf("not here\n");
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void only(void) { printf("once\n"); }
static pthread_once_t cut = PTHREAD_ONCE_INIT;
static int attempts;
static void is_cut(void) {
  printf("attempt %d\n", ++attempts);
  if (attempts == 1) {
    pthread_cancel(pthread_self());
    pthread_testcancel();
  }
}
static void *once_cut(void *unused) {
  pthread_once(&cut, is_cut);
  return unused;
}

int main(int count_, char **words_) {
  begin(count_, words_);
  struct timespec past = {1, 0}, wrong = {1, 2000000000};
  pthread_mutex_t *m = made(PTHREAD_MUTEX_NORMAL, 0);
  SAY(pthread_mutex_lock(m));
  SAY(pthread_mutex_trylock(m));
  SAY(pthread_mutex_timedlock(m, &past));
  SAY(pthread_mutex_timedlock(m, &wrong));
  SAY(pthread_mutex_unlock(m));
  SAY(pthread_mutex_timedlock(m, &past));
  SAY(pthread_mutex_unlock(m));
  SAY(pthread_mutex_destroy(m));
  m = made(PTHREAD_MUTEX_ERRORCHECK, 0);
  SAY(pthread_mutex_unlock(m));
  SAY(pthread_mutex_lock(m));
  SAY(pthread_mutex_lock(m));
  SAY(pthread_mutex_trylock(m));
  SAY(pthread_mutex_timedlock(m, &past));
  in_thread(tries, m);
  SAY(pthread_mutex_unlock(m));
  in_thread(tries, m);
  m = made(PTHREAD_MUTEX_RECURSIVE, 0);
  SAY(pthread_mutex_lock(m));
  SAY(pthread_mutex_lock(m));
  SAY(pthread_mutex_trylock(m));
  SAY(pthread_mutex_unlock(m));
  SAY(pthread_mutex_unlock(m));
  in_thread(tries, m);
  SAY(pthread_mutex_unlock(m));
  SAY(pthread_mutex_unlock(m));
  for (int consistent = 0; consistent < 2; consistent++) {
    m = made(PTHREAD_MUTEX_ERRORCHECK, 1);
    SAY(pthread_mutex_consistent(m));
    in_thread(dies_with, m);
    SAY(pthread_mutex_lock(m));
    if (consistent) SAY(pthread_mutex_consistent(m));
    SAY(pthread_mutex_unlock(m));
    SAY(pthread_mutex_lock(m));
    SAY(pthread_mutex_trylock(m));
    if (consistent) SAY(pthread_mutex_unlock(m));
  }
  pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
  SAY(pthread_rwlock_rdlock(&l));
  SAY(pthread_rwlock_tryrdlock(&l));
  SAY(pthread_rwlock_trywrlock(&l));
  SAY(pthread_rwlock_timedwrlock(&l, &past));
  in_thread(writes, &l);
  in_thread(reads, &l);
  SAY(pthread_rwlock_unlock(&l));
  SAY(pthread_rwlock_unlock(&l));
  pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
  SAY(pthread_rwlock_wrlock(&w));
  SAY(pthread_rwlock_tryrdlock(&w));
  SAY(pthread_rwlock_trywrlock(&w));
  SAY(pthread_rwlock_wrlock(&w));
  SAY(pthread_rwlock_rdlock(&w));
  SAY(pthread_rwlock_timedrdlock(&w, &past));
  in_thread(reads, &w);
  SAY(pthread_rwlock_unlock(&w));
  SAY(pthread_rwlock_destroy(&w));
  pthread_barrier_t b;
  SAY(pthread_barrier_init(&b, 0, 0));
  SAY(pthread_barrier_init(&b, 0, 1));
  SAY(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
  SAY(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
  SAY(pthread_barrier_destroy(&b));
  pthread_spinlock_t s;
  SAY(pthread_spin_init(&s, 0));
  SAY(pthread_spin_lock(&s));
  SAY(pthread_spin_trylock(&s));
  SAY(pthread_spin_unlock(&s));
  SAY(pthread_spin_trylock(&s));
  SAY(pthread_spin_unlock(&s));
  SAY(pthread_spin_destroy(&s));
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  m = made(PTHREAD_MUTEX_NORMAL, 0);
  SAY(pthread_cond_signal(&c));
  SAY(pthread_cond_broadcast(&c));
  SAY(pthread_mutex_lock(m));
  SAY(pthread_cond_timedwait(&c, m, &past));
  SAY(pthread_cond_timedwait(&c, m, &wrong));
  SAY(pthread_mutex_trylock(m));
  SAY(pthread_mutex_unlock(m));
  SAY(pthread_cond_destroy(&c));
  sem_t sem;
  int value;
  SAY(sem_init(&sem, 0, 2));
  SAY(sem_wait(&sem));
  SAY(sem_trywait(&sem));
  SAY(sem_trywait(&sem));
  SAY(sem_timedwait(&sem, &past));
  SAY(sem_timedwait(&sem, &wrong));
  SAY(sem_getvalue(&sem, &value));
  SAY(value);
  SAY(sem_post(&sem));
  SAY(sem_timedwait(&sem, &past));
  SAY(sem_post(&sem));
  SAY(sem_getvalue(&sem, &value));
  SAY(value);
  SAY(sem_destroy(&sem));
  SAY(sem_init(&sem, 0, 0x7fffffff));
  SAY(sem_post(&sem));
  SAY(sem_init(&sem, 0, 0x80000000u));
  pthread_key_create(&first, end_first);
  pthread_key_create(&second, end_second);
  in_thread(keyed, 0);
  SAY(pthread_once(&once, only));
  SAY(pthread_once(&once, only));
  in_thread(once_cut, 0);
  in_thread(once_cut, 0);
  in_thread(once_cut, 0);
  pthread_t t;
  void *result;
  pthread_create(&t, 0, cancels_itself, 0);
  SAY(pthread_join(t, &result));
  SAY(result == PTHREAD_CANCELED);
  SAY(pthread_join(pthread_self(), 0));
  pthread_create(&t, 0, keyed, (void *)5);
  SAY(pthread_join(t, &result));
  SAY((long)result);
  end();
  return 0;
}
