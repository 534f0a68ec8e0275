/* System V: both forks at once, in one operation on two semaphores. No process holds one and waits for the other.
 * expect: holds
 * run: run
 */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

#define N 3
static int forks;

static void both(int i, int by) {
  struct sembuf operations[2] = {{(unsigned short)i, (short)by, 0}, {(unsigned short)((i + 1) % N), (short)by, 0}};
  if (semop(forks, operations, 2)) abort();
}
static void philosopher(int i) {
  both(i, -1);
  both(i, 1);
  exit(0);
}

int main(void) {
  unsigned short ones[N] = {1, 1, 1};
  forks = semget(IPC_PRIVATE, N, 0600);
  semctl(forks, 0, SETALL, ones);
  for (int i = 1; i < N; i++)
    if (fork() == 0) philosopher(i);
  philosopher(0);
}
