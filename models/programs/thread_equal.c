/* A variable is compared with the calling thread: the compiler calls pthread_self between the
 * report of the access and the access, which is harmless.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_t first;
static atomic_int same;

static void *compares(void *unused) {
  same = pthread_equal(pthread_self(), first);
  return unused;
}

int main(void) {
  pthread_t other;
  first = pthread_self();
  pthread_create(&other, 0, compares, 0);
  pthread_join(other, 0);
  return same;
}
