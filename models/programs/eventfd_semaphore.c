/* An event counter as a semaphore: two tokens, three that want one.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int tokens;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *run(void *unused) {
  uint64_t one;
  read(tokens, &one, sizeof one);
  assert(one == 1);
  pthread_mutex_lock(&lock);
  assert(++inside <= 2);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  inside--;
  pthread_mutex_unlock(&lock);
  write(tokens, &one, sizeof one);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  tokens = eventfd(2, EFD_SEMAPHORE);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, 0);
  run(0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
