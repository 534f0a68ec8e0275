/* Channels between processes that are not modelled: a program that makes one is told so. */
#include "files.h"
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#define UNSEEN(name) \
  if (weave_me) weave_text(OP_UNCONTROLLED, name, 0, CALLER)

EXPORT int socket(int domain, int type, int protocol) {
  UNSEEN("socket");
  return REAL(socket)(domain, type, protocol);
}
EXPORT int signalfd(int fd, const sigset_t *mask, int flags) {
  UNSEEN("signalfd");
  return REAL(signalfd)(fd, mask, flags);
}
EXPORT int timerfd_create(int clock, int flags) {
  UNSEEN("timerfd_create");
  return REAL(timerfd_create)(clock, flags);
}
