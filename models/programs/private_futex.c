/* Who waits for a word in shared memory with FUTEX_WAIT_PRIVATE is not woken by another process.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  _Atomic int *word = mmap(0, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (!child) {
    *word = 1;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    _exit(0);
  }
  while (!*word) syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  waitpid(child, 0, 0);
}
