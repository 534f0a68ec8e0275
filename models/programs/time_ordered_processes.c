/* With time that orders, across processes: the child writes after a second, the parent looks after two, by poll without descriptors and
 * by an absolute time; the exit of the child lies between.
 * expect: unknown
 * reason: assumed
 * run: run --time ordered
 */
#include <assert.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  _Atomic int *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    poll(0, 0, 1000);
    *shared = 1;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += 2;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0);
    *shared = 3;
    _exit(0);
  }
  assert(*shared == 0);
  sleep(2);
  assert(*shared == 1);
  *shared = 2;
  sleep(2);
  assert(*shared == 3);
  return wait(0) < 0;
}
