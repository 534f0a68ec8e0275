/* Who gets which number: a message queue is opened beside another descriptor.
 * expect: violated
 * reason: assertion
 * run: run
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <unistd.h>

static void *other(void *unused) {
  struct mq_attr limits = {.mq_maxmsg = 5, .mq_msgsize = 5};
  mq_open("/weave", O_CREAT | O_RDWR, 0600, &limits);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  assert(dup(0) == 3);
  pthread_join(thread, 0);
  return 0;
}
