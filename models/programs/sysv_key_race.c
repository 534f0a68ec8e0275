/* Two processes make the set of one key, each believing to be the one that made it.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

int main(void) {
  int child = fork() == 0;
  int set = semget(4711, 1, IPC_CREAT | IPC_EXCL | 0600);
  if (!child) assert(set >= 0);
  return 0;
}
