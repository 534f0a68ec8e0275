/* A thread gets a variable of a function that does not wait for it: when it writes, that is another function's.
 * expect: violated
 * reason: race
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static void *set(void *variable) {
  *(int *)variable = 1;
  return 0;
}
static __attribute__((noinline)) pthread_t begin(void) {
  int variable = 0;
  pthread_t thread;
  pthread_create(&thread, 0, set, &variable);
  return thread;
}
static __attribute__((noinline)) int sum(void) {
  volatile int numbers[20];
  int all = 0;
  for (int i = 0; i < 20; i++) numbers[i] = 2;
  for (int i = 0; i < 20; i++) all += numbers[i];
  return all;
}

int main(void) {
  pthread_t thread = begin();
  assert(sum() == 40);
  pthread_join(thread, 0);
  return 0;
}
