/* O_NONBLOCK is set while another thread reads: if that waits already, it goes on waiting.
 * expect: violated
 * run: run
 * reason: deadlock
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *sets(void *unused) {
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return unused;
}

int main(void) {
  char byte;
  if (pipe(ends)) return 1;
  pthread_t other;
  pthread_create(&other, 0, sets, 0);
  ssize_t got = read(ends[0], &byte, 1);
  pthread_join(other, 0);
  return got > 0;
}
