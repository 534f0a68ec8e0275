/* A queue of one place between two workers that both send before they receive.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <fcntl.h>
#include <mqueue.h>
#include <unistd.h>

int main(void) {
  struct mq_attr one = {.mq_maxmsg = 1, .mq_msgsize = 8};
  mqd_t there = mq_open("/weave-there", O_CREAT | O_RDWR, 0600, &one);
  mqd_t back = mq_open("/weave-back", O_CREAT | O_RDWR, 0600, &one);
  int child = fork() == 0;
  char text[8];
  for (int i = 0; i < 2; i++) mq_send(child ? back : there, "x", 1, 0);
  for (int i = 0; i < 2; i++) mq_receive(child ? there : back, text, sizeof text, 0);
  return 0;
}
