/* A receive with a limit: the message, or its absence.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 8};
  struct timespec limit = {2000000000, 0};
  mqd_t queue = mq_open("/weave-work", O_CREAT | O_RDWR, 0600, &small);
  if (fork() == 0) _exit(mq_send(queue, "x", 1, 0) != 0);
  char text[8];
  ssize_t n = mq_timedreceive(queue, text, sizeof text, 0, &limit);
  assert(n == 1 || (n == -1 && errno == ETIMEDOUT));
  return 0;
}
