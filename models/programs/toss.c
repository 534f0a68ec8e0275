/* A toss is a choice of the environment: every value is tried. One order of answers breaks the protocol.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>
#include <weave.h>

int main(void) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf operation = {0, 0, 0};
  if (fork() == 0) {
    operation.sem_op = (short)(1 + VS_toss(2));
    semop(set, &operation, 1);
    _exit(0);
  }
  operation.sem_op = (short)-(1 + VS_toss(1));
  semop(set, &operation, 1);
  VS_assert(semctl(set, 0, GETVAL) < 2);
  _exit(0);
}
