/* A futex by hand is not modelled.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

int main(void) {
  if (fork() == 0) _exit(0);
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
  return 0;
}
