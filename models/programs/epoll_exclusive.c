/* With EPOLLEXCLUSIVE the kernel wakes one or more of those who wait: which is not modelled.
 * expect: unknown
 * run: run
 */
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int counter;

static void *waits(void *arg) {
  struct epoll_event watch = {.events = EPOLLIN | EPOLLEXCLUSIVE}, told;
  int epoll = epoll_create1(0);
  epoll_ctl(epoll, EPOLL_CTL_ADD, counter, &watch);
  epoll_wait(epoll, &told, 1, -1);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  counter = eventfd(0, 0);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, waits, 0);
  eventfd_write(counter, 1);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
