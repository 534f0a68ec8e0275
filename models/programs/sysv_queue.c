/* System V messages: two producers, one consumer that takes them by type.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
  long type;
  int value;
};

int main(void) {
  int queue = msgget(IPC_PRIVATE, 0600);
  for (int i = 1; i <= 2; i++)
    if (fork() == 0) {
      struct message m = {i, 10 * i};
      _exit(msgsnd(queue, &m, sizeof m.value, 0) != 0);
    }
  struct message m;
  for (int i = 2; i >= 1; i--) {
    assert(msgrcv(queue, &m, sizeof m.value, i, 0) == sizeof m.value);
    assert(m.type == i && m.value == 10 * i);
  }
  assert(msgrcv(queue, &m, sizeof m.value, 0, IPC_NOWAIT) == -1);
  msgctl(queue, IPC_RMID, 0);
  return 0;
}
