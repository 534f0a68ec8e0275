/* One process gives and takes for long while the other waits for a fork that is always gone: a livelock by the paper's measure.
 * expect: violated
 * reason: livelock
 * run: run --reduction none --livelock 12
 */
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

int main(void) {
  int set = semget(IPC_PRIVATE, 2, 0600);
  struct sembuf up = {0, 1, 0}, down = {0, -1, 0}, other = {1, -1, 0}, give = {1, 1, 0};
  if (fork() == 0) {
    semop(set, &other, 1);
    _exit(0);
  }
  for (int i = 0; i < 8; i++) {
    semop(set, &up, 1);
    semop(set, &down, 1);
  }
  semop(set, &give, 1);
  _exit(0);
}
