/* What SEM_UNDO takes back comes before a process can be waited for.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int set = semget(IPC_PRIVATE, 1, 0600), ends[2];
  char c;
  semctl(set, 0, SETVAL, 1);
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (!child) {
    struct sembuf take = {0, -1, SEM_UNDO};
    semop(set, &take, 1);
    _exit(write(ends[1], "x", 1) != 1);
  }
  struct sembuf take = {0, -1, 0};
  assert(read(ends[0], &c, 1) == 1);
  semop(set, &take, 1);
  pid_t ended = waitpid(child, 0, WNOHANG);
  semctl(set, 0, IPC_RMID);
  assert(ended == child);
  return 0;
}
