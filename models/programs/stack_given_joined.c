/* As stack_given_away.c, but the function waits for its thread; another one has the same memory later.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static void *set(void *variable) {
  *(int *)variable = 1;
  return 0;
}
static __attribute__((noinline)) int begin(void) {
  int variable = 0;
  pthread_t thread;
  pthread_create(&thread, 0, set, &variable);
  pthread_join(thread, 0);
  return variable;
}

int main(void) {
  assert(begin() == 1);
  assert(begin() == 1);
  return 0;
}
