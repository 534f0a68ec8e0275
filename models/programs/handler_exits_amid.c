/* A handler ends the process between two assignments.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *done;

static void end(int signal) { _exit(signal != SIGUSR1); }

int main(void) {
  done = mmap(0, 2 * sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  signal(SIGUSR1, end);
  pid_t child = fork();
  if (!child) {
    done[0] = 1;
    done[1] = 1;
    _exit(0);
  }
  kill(child, SIGUSR1);
  waitpid(child, 0, 0);
  assert(done[0] == done[1]);
}
