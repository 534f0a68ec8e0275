/* A loop that reads plain memory waits for a thread that still runs, and main could end them all before: this is no divergence.
 * expect: holds
 * run: run --races list
 */
#include <pthread.h>

static volatile int turn;

static void *first(void *unused) {
  while (turn != 1) {
  }
  return unused;
}

static void *second(void *unused) {
  turn = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  return 0;
}
