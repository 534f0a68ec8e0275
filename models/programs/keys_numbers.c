/* Who gets which key: the lowest that is free.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second;

static void *other(void *unused) {
  pthread_key_create(&first, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_key_create(&second, 0);
  pthread_join(thread, 0);
  assert(first < second);
  return 0;
}
