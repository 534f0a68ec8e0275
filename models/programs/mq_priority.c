/* Sending with a high priority does not make it first: the other message may have been taken already.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <unistd.h>

int main(void) {
  struct mq_attr small = {.mq_maxmsg = 4, .mq_msgsize = 8};
  mqd_t queue = mq_open("/weave-work", O_CREAT | O_RDWR, 0600, &small);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) _exit(mq_send(queue, "x", 1, i ? 9 : 1) != 0);
  char text[8];
  unsigned priority;
  mq_receive(queue, text, sizeof text, &priority);
  assert(priority == 9);
  return 0;
}
