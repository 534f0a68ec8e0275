/* A key is deleted before a thread ends, or behind it: then its destructor has run.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int destroyed;
static sem_t set;

static void destroy(void *unused) { (void)unused, destroyed++; }

static void *other(void *unused) {
  pthread_setspecific(key, &destroyed);
  sem_post(&set);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, destroy);
  pthread_create(&thread, 0, other, 0);
  sem_wait(&set);
  pthread_key_delete(key);
  pthread_join(thread, 0);
  assert(destroyed == 1);
  return 0;
}
