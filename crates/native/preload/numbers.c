/* The table of descriptors of a process: what each number stands for, and which one is given
 * next.
 *
 * Who uses a number reads its entry. Who closes it changes that, and which number is next; who
 * opens something learns which is next, and changes the entry of that. */
#include "content.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>

#define NUMBERS (1ull << 45)
#define NEXT (NUMBERS | 1 << 20)
static void number(struct weave_touches *t, long fd, uint32_t how) {
  if (fd >= 0 && fd < 1 << 20) weave_touch(t, PART_NUMBER, NUMBERS | (uint64_t)fd, how);
}
static int is_free(int fd) { return weave_raw(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0) < 0; }
/* The lowest that is free. */
static void next(struct weave_touches *t, int from, int count) {
  weave_touch(t, PART_NUMBER, NEXT, HOW_UPDATE);
  if (!weave_shared->several) return;
  weave_touch_state(t, STATE_LIMITS, HOW_READ); /* there may be none */
  for (int fd = from; fd < 4096 && count; fd++)
    if (is_free(fd)) number(t, fd, HOW_CHANGE), count--;
}
static void closes(struct weave_touches *t, long fd) {
  number(t, fd, HOW_UPDATE);
  weave_touch(t, PART_NUMBER, NEXT, HOW_POST);
}

static void polls(struct weave_touches *t, const struct pollfd *fds, long count) {
  for (long i = 0; i < count && t->count < TOUCHES - 1; i++)
    if (!weave_models(fds[i].fd)) number(t, fds[i].fd, HOW_READ);
  if (t->count >= TOUCHES - 1) weave_text(OP_UNCONTROLLED, "a poll of many descriptors", 0, 0);
}

void weave_use_number(long call, int fd, uint64_t pc) {
  if (weave_me && weave_models(fd) && weave_shared->several && !weave_is_own(pc)) weave_ask(OP_FD_QUERY, (uint64_t)fd, 2, 0, 0, pc);
  else weave_before_number_call(call, (long[6]){fd}, pc);
}

void weave_collect_numbers(struct weave_touches *t, long call, const long *a) {
  switch (call) {
  case SYS_open:
  case SYS_creat:
  case SYS_epoll_create1:
  case SYS_eventfd2:
  case SYS_memfd_create:
  case SYS_mq_open: next(t, 0, 1); break;
  case SYS_openat:
    if ((int)a[0] != AT_FDCWD) number(t, a[0], HOW_READ);
    next(t, 0, 1);
    break;
  case SYS_pipe2:
  case SYS_socketpair: next(t, 0, 2); break;
  case SYS_dup:
    number(t, a[0], HOW_READ);
    next(t, 0, 1);
    break;
  case SYS_dup3:
    number(t, a[0], HOW_READ);
    closes(t, a[1]);
    break;
  case SYS_close: closes(t, a[0]); break;
  case SYS_close_range: /* and what may be opened meanwhile: by which number is next */
    weave_touch(t, PART_NUMBER, NEXT, HOW_POST);
    for (long fd = a[0]; fd <= a[1] && fd < 4096 && t->count < TOUCHES - 1; fd++)
      if (!is_free((int)fd)) number(t, fd, HOW_UPDATE);
    if (t->count >= TOUCHES - 1) weave_text(OP_UNCONTROLLED, "close_range of many descriptors", 0, 0);
    break;
  case SYS_fcntl:
    number(t, a[0], HOW_READ);
    if (a[1] == F_DUPFD || a[1] == F_DUPFD_CLOEXEC) next(t, (int)a[2], 1);
    break;
  case SYS_read:
  case SYS_readv:
  case SYS_pread64:
  case SYS_preadv:
  case SYS_preadv2:
  case SYS_write:
  case SYS_writev:
  case SYS_pwrite64:
  case SYS_pwritev:
  case SYS_pwritev2:
  case SYS_lseek:
  case SYS_fstat:
  case SYS_ftruncate:
  case SYS_fallocate:
  case SYS_fsync:
  case SYS_fdatasync:
  case SYS_fchmod:
  case SYS_fchown:
  case SYS_fchdir:
  case SYS_getdents64:
  case SYS_flock:
  case SYS_syncfs:
  case SYS_fadvise64:
  case SYS_getsockopt:
  case SYS_setsockopt:
  case SYS_getsockname:
  case SYS_getpeername:
  case SYS_ioctl: number(t, a[0], HOW_READ); break;
  case SYS_poll: polls(t, (const struct pollfd *)a[0], a[1]); break;
  case SYS_symlinkat: number(t, a[1], HOW_READ); break;
  case SYS_linkat:
  case SYS_renameat:
  case SYS_renameat2:
    number(t, a[0], HOW_READ);
    number(t, a[2], HOW_READ);
    break;
  case SYS_newfstatat:
  case SYS_unlinkat:
  case SYS_mkdirat:
  case SYS_faccessat:
  case SYS_faccessat2:
  case SYS_fchmodat:
  case SYS_fchownat:
  case SYS_mknodat:
  case SYS_readlinkat:
  case SYS_utimensat:
  case SYS_statx: number(t, (int)a[0], HOW_READ); /* AT_FDCWD is none */
    break;
  default: break;
  }
}
