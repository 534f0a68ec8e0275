/* Channels between processes that are not modelled: a program that makes one is told so. */
#include "files.h"
#include <mqueue.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
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
EXPORT int msgget(key_t key, int flags) {
  UNSEEN("msgget");
  return REAL(msgget)(key, flags);
}
EXPORT mqd_t mq_open(const char *name, int flags, ...) {
  UNSEEN("mq_open");
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  struct mq_attr *attributes = va_arg(list, struct mq_attr *);
  va_end(list);
  return REAL(mq_open)(name, flags, mode, attributes);
}

/* Named semaphores live in memory that libc maps behind our back. */
EXPORT sem_t *sem_open(const char *name, int flags, ...) {
  if (weave_me) weave_text(OP_UNCONTROLLED, "sem_open", 1, CALLER);
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  unsigned value = va_arg(list, unsigned);
  va_end(list);
  return REAL(sem_open)(name, flags, mode, value);
}

/* Locks on files, and timers that send signals. */
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
EXPORT int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old) {
  UNSEEN("setitimer");
  return REAL(setitimer)(which, new, old);
}
EXPORT int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer) {
  UNSEEN("timer_create");
  return REAL(timer_create)(clock, event, timer);
}
