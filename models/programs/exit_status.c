/* With --exit, a process that ends with another status than 0 is an error; here only if the child comes second.
 * expect: violated
 * reason: exit
 * run: run --exit
 */
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf take = {0, -1, IPC_NOWAIT};
  semctl(set, 0, SETVAL, 1);
  pid_t child = fork();
  if (child == 0) _exit(semop(set, &take, 1) ? 3 : 0);
  semop(set, &take, 1);
  waitpid(child, 0, 0);
  semctl(set, 0, IPC_RMID);
  return 0;
}
