/* Channels between processes that are not modelled: making one is reported. */
#include "accesses.h"
#include "files.h"
#include <aio.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <string.h>

#define UNSEEN(name) \
  if (weave_me) weave_text(OP_UNCONTROLLED, name, OTHERWISE, CALLER)

EXPORT int socket(int domain, int type, int protocol) {
  UNSEEN("socket");
  return REAL(socket)(domain, type, protocol);
}
EXPORT int timerfd_create(int clock, int flags) {
  UNSEEN("timerfd_create");
  return REAL(timerfd_create)(clock, flags);
}
EXPORT int inotify_init(void) {
  UNSEEN("inotify_init");
  return REAL(inotify_init)();
}
EXPORT int inotify_init1(int flags) {
  UNSEEN("inotify_init");
  return REAL(inotify_init1)(flags);
}

/* Threads of libc's own read and write for the program, past what we model. */
#define BESIDE(name, one) \
  if (weave_me) weave_text(OP_UNCONTROLLED, name, weave_models((one)->aio_fildes), CALLER)
EXPORT int aio_read(struct aiocb *what) {
  BESIDE("aio_read", what);
  return REAL(aio_read)(what);
}
EXPORT int aio_write(struct aiocb *what) {
  BESIDE("aio_write", what);
  return REAL(aio_write)(what);
}
EXPORT int lio_listio(int mode, struct aiocb *const list[], int n, struct sigevent *event) {
  for (int i = 0; i < n; i++)
    if (list[i]) BESIDE("lio_listio", list[i]);
  return REAL(lio_listio)(mode, list, n, event);
}

/* What hangs on files besides their content. */
EXPORT int setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  UNSEEN("setxattr");
  return REAL(setxattr)(path, name, value, size, flags);
}
EXPORT int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  UNSEEN("setxattr");
  return REAL(lsetxattr)(path, name, value, size, flags);
}
EXPORT int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags) {
  UNSEEN("setxattr");
  return REAL(fsetxattr)(fd, name, value, size, flags);
}

/* Memory that is shared gets another address. */
EXPORT void *mremap(void *old, size_t size, size_t new, int flags, ...) {
  va_list list;
  va_start(list, flags);
  void *to = flags & MREMAP_FIXED ? va_arg(list, void *) : 0;
  va_end(list);
  UNSEEN("mremap");
  if (weave_me) weave_free_block(old, size, CALLER);
  return (void *)weave_result(weave_call(SYS_mremap, (long)old, (long)size, (long)new, flags, (long)to, 0));
}
/* What a process keeps; other things (a signal that comes when the parent ends, whose child an
   orphan becomes) are not modelled. */
EXPORT int prctl(int option, ...) {
  va_list list;
  va_start(list, option);
  unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long), c = va_arg(list, unsigned long),
                d = va_arg(list, unsigned long);
  va_end(list);
  switch (option) {
  case PR_SET_NAME:
    weave_state(STATE_NAMES, HOW_UPDATE, CALLER);
    READS((void *)a, strnlen((const char *)a, 15) + 1);
    break;
  case PR_GET_NAME:
    weave_state(STATE_NAMES, HOW_READ, CALLER);
    WRITES((void *)a, 16);
    break;
  case PR_GET_DUMPABLE:
  case PR_GET_KEEPCAPS:
  case PR_GET_NO_NEW_PRIVS:
  case PR_GET_THP_DISABLE: weave_state(STATE_PROCESS, HOW_READ, CALLER); break;
  case PR_SET_DUMPABLE:
  case PR_SET_KEEPCAPS:
  case PR_SET_NO_NEW_PRIVS:
  case PR_SET_THP_DISABLE: weave_state(STATE_PROCESS, HOW_UPDATE, CALLER); break;
  case PR_GET_TIMERSLACK:
  case PR_SET_TIMERSLACK: break; /* of the thread */
  case PR_SET_PDEATHSIG:
    if (a && weave_me) weave_text(OP_UNCONTROLLED, "a signal at the end of the parent", 1, CALLER);
    break;
  default: UNSEEN("prctl");
  }
  return (int)weave_result(weave_call(SYS_prctl, option, (long)a, (long)b, (long)c, (long)d, 0));
}

/* The memory, the life and the signals of other processes, past everything. */
#define LEAVES(name) \
  if (weave_me) weave_text(OP_UNCONTROLLED, name, 1, CALLER)
EXPORT int signalfd(int fd, const sigset_t *mask, int flags) {
  LEAVES("signalfd");
  return REAL(signalfd)(fd, mask, flags);
}
EXPORT long ptrace(enum __ptrace_request request, ...) {
  (void)request;
  LEAVES("ptrace");
  return weave_result(-EPERM);
}
EXPORT int unshare(int flags) {
  LEAVES("unshare");
  return REAL(unshare)(flags);
}
EXPORT int setns(int fd, int kind) {
  LEAVES("setns");
  return REAL(setns)(fd, kind);
}
EXPORT ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long a, const struct iovec *from, unsigned long b, unsigned long flags) {
  UNSEEN("process_vm_readv");
  return REAL(process_vm_readv)(pid, to, a, from, b, flags);
}
EXPORT ssize_t process_vm_writev(pid_t pid, const struct iovec *from, unsigned long a, const struct iovec *to, unsigned long b, unsigned long flags) {
  UNSEEN("process_vm_writev");
  return REAL(process_vm_writev)(pid, from, a, to, b, flags);
}
