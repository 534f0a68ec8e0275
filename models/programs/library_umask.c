/* So does the mask of rights for new files.
 * expect: violated
 * run: run
 * reason: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>

static void *sets(void *unused) {
  umask(077);
  return unused;
}

int main(void) {
  umask(022);
  pthread_t other;
  pthread_create(&other, 0, sets, 0);
  mode_t before = umask(022);
  pthread_join(other, 0);
  assert(before == 022);
  return 0;
}
