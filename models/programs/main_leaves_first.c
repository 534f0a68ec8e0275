/* main leaves its threads behind: whichever of them ends last ends the process, and what the others do before does not depend on it.
 * Two readers and two writers, each with a variable in common with one other: four classes of runs.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *read_x(void *unused) { return x ? unused : 0; }
static void *read_y(void *unused) { return y ? unused : 0; }
static void *write_x(void *unused) {
  x = 1;
  return unused;
}
static void *write_y(void *unused) {
  y = 1;
  return unused;
}

int main(void) {
  void *(*bodies[])(void *) = {read_x, read_y, write_x, write_y};
  for (int i = 0; i < 4; i++) {
    pthread_t t;
    pthread_create(&t, 0, bodies[i], 0);
  }
  pthread_exit(0);
}
