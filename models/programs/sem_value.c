/* sem_getvalue tells the value of the moment: the claim that it is still so afterwards is wrong.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void *worker(void *unused) {
  sem_wait(&tokens);
  return unused;
}

int main(void) {
  pthread_t a;
  int before, after;
  sem_init(&tokens, 0, 2);
  pthread_create(&a, 0, worker, 0);
  sem_getvalue(&tokens, &before);
  sem_getvalue(&tokens, &after);
  assert(before == after);
  pthread_join(a, 0);
  return 0;
}
