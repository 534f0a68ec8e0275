/* What comes behind the handler that ends sigsuspend stays pending: the mask is back by then.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int *count;
static void handle(int unused) { (void)unused, ++*count; }

int main(void) {
  count = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sigset_t one, old;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  sigprocmask(SIG_BLOCK, &one, &old);
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, 0);
  pid_t child = fork();
  if (child == 0) {
    sigsuspend(&old);
    assert(*count == 1);
    _exit(0);
  }
  kill(child, SIGUSR1);
  kill(child, SIGUSR1);
  waitpid(child, 0, 0);
}
