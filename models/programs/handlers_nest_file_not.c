/* Two handlers count in a file, and block each other's signal.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int file;
static void handle(int unused) {
  (void)unused;
  char count;
  pread(file, &count, 1, 0);
  count++;
  pwrite(file, &count, 1, 0);
}

static void handles(int signal, void (*handler)(int), int also_blocked, int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  if (also_blocked) sigaddset(&action.sa_mask, also_blocked);
  sigaction(signal, &action, 0);
}

int main(void) {
  file = fileno(tmpfile());
  pwrite(file, "0", 1, 0);
  handles(SIGUSR1, handle, SIGUSR2, SA_RESTART);
  handles(SIGUSR2, handle, SIGUSR1, SA_RESTART);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    kill(parent, SIGUSR2);
    _exit(0);
  }
  waitpid(child, 0, 0);
  char count;
  pread(file, &count, 1, 0);
  assert(count == '2');
}
