/* Whether a file is there that an earlier run may have left: runs are not independent of each other.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  int fd = open("weave.outside", O_CREAT | O_EXCL | O_RDWR, 0600); /* here, not in the folder that is emptied */
  if (fd >= 0) unlink("weave.outside");
  pthread_join(t, 0);
  return 0;
}
