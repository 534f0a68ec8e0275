/* A process uses a semaphore that it has not declared: its declarations cannot be relied upon.
 * expect: violated
 * reason: misuse
 * run: run --reduction persistent
 */
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>
#include <weave.h>

int main(void) {
  int set = semget(IPC_PRIVATE, 2, 0600);
  struct weave_use use = {WEAVE_SYSV(set, 0), WEAVE_SIGNAL};
  struct sembuf other = {1, 1, 0};
  if (fork() == 0) {
    weave_declare(1, &use);
    semop(set, &other, 1);
  }
  _exit(0);
}
