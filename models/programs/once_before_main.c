/* What was done once before main is done: a constructor of the program initialises, and no thread does so again.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int times;

static void initialise(void) { times++; }
__attribute__((constructor)) static void early(void) { pthread_once(&control, initialise); }

static void *worker(void *unused) {
  pthread_once(&control, initialise);
  assert(times == 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
