/* A race that cannot do harm: both write the same. Listed, and still everything was seen.
 * expect: holds
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>

static int flag;

static void *worker(void *unused) {
  flag = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(flag == 1);
  return 0;
}
