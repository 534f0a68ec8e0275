/* A POSIX queue: messages come by priority, of equals in the order of sending.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  struct mq_attr small = {.mq_maxmsg = 4, .mq_msgsize = 8};
  mqd_t queue = mq_open("/weave-work", O_CREAT | O_EXCL | O_RDWR, 0600, &small);
  assert(queue >= 0);
  if (fork() == 0) {
    mq_send(queue, "low", 4, 1);
    mq_send(queue, "high", 5, 9);
    mq_send(queue, "end", 4, 1);
    _exit(0);
  }
  wait(0);
  char text[8];
  unsigned priority;
  assert(mq_receive(queue, text, sizeof text, &priority) == 5 && priority == 9);
  assert(mq_receive(queue, text, sizeof text, &priority) == 4 && text[0] == 'l');
  assert(mq_receive(queue, text, sizeof text, &priority) == 4 && text[0] == 'e');
  mq_close(queue);
  mq_unlink("/weave-work");
  assert(mq_open("/weave-work", O_RDONLY) == -1);
  return 0;
}
