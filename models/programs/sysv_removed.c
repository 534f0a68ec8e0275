/* System V: a set is removed while a process waits on it: it gets EIDRM.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

int main(void) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf take = {0, -1, 0};
  if (fork() == 0) {
    assert(semop(set, &take, 1) == -1 && (errno == EIDRM || errno == EINVAL));
    _exit(0);
  }
  semctl(set, 0, IPC_RMID);
  return 0;
}
