/* A thread that goes through a long array for ever: it is heard of again and again, and does nothing visible.
 * expect: violated
 * reason: divergence
 * run: run
 */
#include <pthread.h>

#define LENGTH (1 << 18)
static long array[LENGTH];

static void *work(void *unused) {
  for (;;)
    for (int i = 0; i < LENGTH; i++) array[i]++;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
