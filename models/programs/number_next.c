/* Two threads open something: who is first gets the lower number.
 * expect: violated
 * run: run
 * reason: assertion
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *opens(void *unused) {
  open("/dev/null", O_RDONLY);
  return unused;
}

int main(void) {
  int first = open("/dev/null", O_RDONLY);
  close(first);
  pthread_t other;
  pthread_create(&other, 0, opens, 0);
  int mine = open("/dev/null", O_RDONLY);
  pthread_join(other, 0);
  assert(mine == first);
  return 0;
}
