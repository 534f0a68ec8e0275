/* Locks that were initialised, and copied before their first use, are as good as the originals.
 * expect: holds
 * run: run
 */
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t changed;
static pthread_rwlock_t list;
static int count;

static pthread_mutex_t new_lock(void) {
  pthread_mutex_t made;
  pthread_mutex_init(&made, 0);
  return made;
}
static void *add(void *p) {
  pthread_rwlock_rdlock(&list);
  pthread_mutex_lock(&lock);
  count++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_rwlock_unlock(&list);
  return p;
}

int main(void) {
  lock = new_lock();
  changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
  list = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
  pthread_t adder;
  pthread_create(&adder, 0, add, 0);
  pthread_mutex_lock(&lock);
  while (!count) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  pthread_join(adder, 0);
  return 0;
}
