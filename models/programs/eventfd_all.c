/* A counter that is not a semaphore: one read takes both events, and the second read waits forever.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

int main(void) {
  int events = eventfd(0, 0);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) _exit(eventfd_write(events, 1) != 0);
  eventfd_t n;
  for (int i = 0; i < 2; i++) eventfd_read(events, &n);
  return 0;
}
