/* Epolls that would watch each other in a circle are refused, and an event counter says POLLIN but
 * not POLLRDNORM, as in the kernel.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static void *nothing(void *arg) { return arg; }

int main(void) {
  struct epoll_event watch = {.events = EPOLLIN};
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  int one = epoll_create1(0), two = epoll_create1(0), counter = eventfd(1, 0);
  assert(!epoll_ctl(one, EPOLL_CTL_ADD, two, &watch));
  assert(epoll_ctl(two, EPOLL_CTL_ADD, one, &watch) && errno == ELOOP);
  struct pollfd asked = {counter, POLLIN | 0x40, 0}; /* POLLRDNORM */
  assert(poll(&asked, 1, 0) == 1 && asked.revents == POLLIN);
  pthread_join(thread, 0);
}
