/* C11 threads: the same objects under other names. Static initialisation of a flag, a mutex and a condition.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static int ready, initialised;

static void initialise(void) { initialised++; }
static int waiter(void *unused) {
  (void)unused;
  call_once(&once, initialise);
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  return 5;
}

int main(void) {
  thrd_t a;
  int result;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_create(&a, waiter, 0);
  call_once(&once, initialise);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  thrd_join(a, &result);
  assert(result == 5 && initialised == 1);
  return 0;
}
