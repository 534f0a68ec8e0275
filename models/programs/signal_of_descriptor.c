/* A descriptor that sends a signal is not modelled: what fails then may not fail in truth.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile sig_atomic_t count;

static void handle(int unused) {
  (void)unused;
  count++;
}

int main(void) {
  int ends[2];
  signal(SIGIO, handle);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
  fcntl(ends[0], F_SETOWN, getpid());
  fcntl(ends[0], F_SETFL, O_ASYNC);
  if (write(ends[1], "x", 1) == 1) assert(count == 1);
  return 0;
}
