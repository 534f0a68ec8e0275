/* A lock that is not had in time tells nothing of who holds it: the write before it was taken races with the read behind.
 * expect: violated
 * reason: race
 * run: run
 */
#include <pthread.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *holder(void *arg) {
  x = 1;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t thread; int seen = 0;
  struct timespec t = {0, 0};
  pthread_create(&thread, 0, holder, 0);
  if (pthread_mutex_timedlock(&lock, &t)) seen = x;
  else pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return seen > 1;
}
