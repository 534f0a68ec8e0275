/* A join that does not wait, and one that waits for so long: the thread may have ended or not.
 * expect: holds
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *works(void *unused) { return unused; }

int main(void) {
  pthread_t one, two;
  void *result = 0;
  int here;
  pthread_create(&one, 0, works, &here);
  pthread_create(&two, 0, works, &here);
  int error = pthread_tryjoin_np(one, &result);
  assert(error == 0 || error == EBUSY);
  if (error) pthread_join(one, &result);
  assert(result == &here);
  struct timespec limit = {0, 0};
  error = pthread_timedjoin_np(two, &result, &limit);
  assert(error == 0 || error == ETIMEDOUT);
  if (error) pthread_join(two, &result);
  return 0;
}
