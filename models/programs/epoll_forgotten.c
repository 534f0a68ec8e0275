/* A descriptor that was never registered: epoll sleeps forever.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <sys/epoll.h>
#include <unistd.h>

int main(void) {
  int ends[2], set = epoll_create1(0);
  if (pipe(ends)) return 1;
  if (fork() == 0) _exit(write(ends[1], "x", 1) != 1);
  struct epoll_event event;
  return epoll_wait(set, &event, 1, -1) != 1; /* EPOLL_CTL_ADD is missing */
}
