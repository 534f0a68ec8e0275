/* Any type will do: the first message need not be the first producer's.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <unistd.h>

struct message {
  long type;
  int value;
};

int main(void) {
  int queue = msgget(IPC_PRIVATE, 0600);
  for (int i = 1; i <= 2; i++)
    if (fork() == 0) {
      struct message m = {i, i};
      _exit(msgsnd(queue, &m, sizeof m.value, 0) != 0);
    }
  struct message m;
  msgrcv(queue, &m, sizeof m.value, 0, 0);
  assert(m.type == 1);
  return 0;
}
