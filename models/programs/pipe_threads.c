/* Threads of one process talk through pipes, and poll them.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int first[2], second[2];

static void *run(void *fd) {
  write(*(int *)fd, "x", 1);
  return 0;
}

int main(void) {
  pthread_t one, other;
  if (pipe(first) || pipe(second)) return 1;
  pthread_create(&one, 0, run, &first[1]);
  pthread_create(&other, 0, run, &second[1]);
  for (int got = 0; got < 2; got++) {
    struct pollfd both[] = {{.fd = first[0], .events = POLLIN}, {.fd = second[0], .events = POLLIN}};
    char c;
    assert(poll(both, 2, -1) >= 1);
    assert(read(both[0].revents ? first[0] : second[0], &c, 1) == 1 && c == 'x');
  }
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
