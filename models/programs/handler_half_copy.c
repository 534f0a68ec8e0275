/* A handler may find the copy of a structure half done: that is not explored.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

struct triple {
  long x, y, z;
};
static struct triple all, from = {1, 1, 1};
static void handle(int unused) {
  (void)unused;
  assert(all.x == all.z);
}

int main(void) {
  signal(SIGALRM, handle);
  alarm(1);
  all = from;
  alarm(0);
  return 0;
}
