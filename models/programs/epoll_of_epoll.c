/* An epoll that watches another one: what it says depends on what that one watches.
 * expect: violated
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int counter, inner, outer, ready = -1;

static void *looks(void *arg) {
  struct epoll_event told;
  ready = epoll_wait(outer, &told, 1, 0);
  return arg;
}

static void *adds(void *arg) {
  eventfd_write(counter, 1);
  return arg;
}

int main(void) {
  struct epoll_event watch = {.events = EPOLLIN};
  pthread_t threads[2];
  counter = eventfd(0, 0);
  inner = epoll_create1(0);
  outer = epoll_create1(0);
  epoll_ctl(inner, EPOLL_CTL_ADD, counter, &watch);
  epoll_ctl(outer, EPOLL_CTL_ADD, inner, &watch);
  pthread_create(&threads[0], 0, looks, 0);
  pthread_create(&threads[1], 0, adds, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(ready == 0);
}
