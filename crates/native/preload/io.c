/* Channels between processes that are not modelled: a program that makes one is told so. */
#include "files.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

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
EXPORT int mkfifo(const char *path, mode_t mode) {
  UNSEEN("mkfifo");
  return REAL(mkfifo)(path, mode);
}
/* Locks on files. */
EXPORT int flock(int fd, int operation) {
  UNSEEN("flock");
  return REAL(flock)(fd, operation);
}
EXPORT int lockf(int fd, int command, off_t length) {
  UNSEEN("lockf");
  return REAL(lockf)(fd, command, length);
}
int weave_is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}
int weave_file_lock(int fd, int command, long argument, uint64_t pc) {
  weave_text(OP_UNCONTROLLED, "fcntl lock", 0, pc);
  return (int)weave_result(weave_call(SYS_fcntl, fd, command, argument, 0, 0, 0));
}
