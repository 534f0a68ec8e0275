/* System V: SEM_UNDO gives back what a process had taken when it ends without giving it back itself.
 * -DPLAIN: without SEM_UNDO the other waits forever.
 * expect: holds
 * run: run
 */
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

#ifdef PLAIN
#define FLAGS 0
#else
#define FLAGS SEM_UNDO
#endif

int main(void) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf take = {0, -1, FLAGS};
  semctl(set, 0, SETVAL, 1);
  fork();
  semop(set, &take, 1);
  _exit(0);
}
