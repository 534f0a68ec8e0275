/* A signal may wake any waiter: the claim that the first to wait is the first to be woken is wrong.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int waiting, tickets, first, woken;

static void *waiter(void *argument) {
  int me = (int)(long)argument;
  pthread_mutex_lock(&mutex);
  if (!waiting++) first = me;
  while (!tickets) pthread_cond_wait(&turn, &mutex);
  tickets--;
  if (!woken++ && waiting == 2) assert(me == first);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiter, (void *)1);
  pthread_create(&b, 0, waiter, (void *)2);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    tickets++;
    pthread_cond_signal(&turn);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
