/* System V: waiting for zero as a countdown: main goes on when both workers have taken one.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

int main(void) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf take = {0, -1, 0}, zero = {0, 0, 0};
  semctl(set, 0, SETVAL, 2);
  for (int i = 0; i < 2; i++) {
    if (fork() == 0) {
      semop(set, &take, 1);
      _exit(0);
    }
  }
  assert(semop(set, &zero, 1) == 0);
  assert(semctl(set, 0, GETVAL) == 0);
  return 0;
}
