/* Threads that create threads, in any order: each is known by who created it.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int leaves;

static void *leaf(void *unused) {
  pthread_mutex_lock(&mutex);
  leaves++;
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void *branch(void *unused) {
  pthread_t a;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_create(&a, 0, leaf, 0);
  pthread_join(a, 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, branch, 0);
  pthread_create(&b, 0, branch, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(leaves == 2);
  return 0;
}
