/* A queue holds 16,384 bytes: a sender without a receiver waits forever.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <sys/ipc.h>
#include <sys/msg.h>
#include <unistd.h>

struct message {
  long type;
  char text[8192];
};

int main(void) {
  int queue = msgget(IPC_PRIVATE, 0600);
  static struct message m = {.type = 1};
  if (fork() == 0) {
    for (int i = 0; i < 3; i++) msgsnd(queue, &m, sizeof m.text, 0);
    _exit(0);
  }
  return 0;
}
