/* A handler ends the process between two writes to a file.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void end(int signal) { _exit(signal != SIGUSR1); }

int main(void) {
  int file = open(P_tmpdir "/a", O_RDWR | O_CREAT, 0600);
  signal(SIGUSR1, end);
  pid_t child = fork();
  if (!child) {
    write(file, "a", 1);
    write(file, "b", 1);
    _exit(0);
  }
  kill(child, SIGUSR1);
  waitpid(child, 0, 0);
  assert(lseek(file, 0, SEEK_END) != 1);
}
