/* A handler for one signal: the next one would kill, but is blocked again when it comes.
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
  pid_t child = fork();
  if (child == 0) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGUSR1, &action, 0);
    sigsuspend(&old);
    _exit(0);
  }
  kill(child, SIGUSR1);
  kill(child, SIGUSR1);
  int status;
  waitpid(child, &status, 0);
  assert(*count <= 1 && (*count == 0 || WIFEXITED(status)));
}
