/* A file is sent into a pipe inside the kernel, where nothing is modelled: the reader may go on, so this is no deadlock.
 * expect: unknown
 * reason: uncontrolled: sendfile
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/sendfile.h>
#include <unistd.h>

static int ends[2];

static void *send(void *unused) {
  int file = open("/etc/passwd", O_RDONLY);
  assert(sendfile(ends[1], file, 0, 4) == 4);
  return unused;
}

int main(void) {
  pthread_t t;
  char c;
  pipe(ends);
  pthread_create(&t, 0, send, 0);
  read(ends[0], &c, 1);
  pthread_join(t, 0);
  return 0;
}
