/* Whether a write comes before the read that tells of a reset matters, and is not modelled.
 * expect: unknown
 * reason: uncontrolled: a write of packets behind a reset
 * run: run
 */
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];

static void *take(void *p) {
  char byte;
  if (read(pair[0], &byte, 1) < 0) return p;
  return 0;
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
  if (write(pair[0], "a", 1) < 0) return 1;
  close(pair[1]);
  pthread_t taker;
  pthread_create(&taker, 0, take, 0);
  if (write(pair[0], "b", 1) < 0) usleep(1);
  pthread_join(taker, 0);
  return 0;
}
