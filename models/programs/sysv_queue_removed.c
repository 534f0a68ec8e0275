/* A queue that is removed wakes the processes that wait on it.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int queue = msgget(IPC_PRIVATE, 0600), status;
  if (fork() == 0) {
    struct {
      long type;
      char text[8];
    } m;
    ssize_t n = msgrcv(queue, &m, sizeof m.text, 0, 0);
    _exit(!(n == -1 && (errno == EIDRM || errno == EINVAL)));
  }
  msgctl(queue, IPC_RMID, 0);
  wait(&status);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return 0;
}
