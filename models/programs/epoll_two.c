/* epoll over two pipes.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/epoll.h>
#include <unistd.h>

int main(void) {
  int pipes[2][2], seen[2] = {0, 0};
  int set = epoll_create1(0);
  for (int i = 0; i < 2; i++) {
    if (pipe(pipes[i])) return 1;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (unsigned)i};
    assert(!epoll_ctl(set, EPOLL_CTL_ADD, pipes[i][0], &event));
    if (fork() == 0) _exit(write(pipes[i][1], "x", 1) != 1);
  }
  while (seen[0] + seen[1] < 2) {
    struct epoll_event events[4];
    int n = epoll_wait(set, events, 4, -1);
    assert(n >= 1);
    for (int i = 0; i < n; i++) {
      char c;
      unsigned which = events[i].data.u32;
      assert(read(pipes[which][0], &c, 1) == 1);
      seen[which]++;
    }
  }
  assert(seen[0] == 1 && seen[1] == 1);
  return 0;
}
