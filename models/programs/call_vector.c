/* What a call reads is read: the vector that says what to write.
 * expect: violated
 * reason: race
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];
static struct iovec part = {"a", 1};

static void *other(void *unused) {
  assert(writev(ends[1], &part, 1) == 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pipe(ends);
  pthread_create(&thread, 0, other, 0);
  part.iov_len = 0;
  pthread_join(thread, 0);
  return 0;
}
