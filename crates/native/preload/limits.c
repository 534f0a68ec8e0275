/* Limits that are ours, not those of the machine on which the program is meant to run: for memory,
 * and for the length of files. What fails because of them would not fail elsewhere, so that there
 * is no verdict. */
#include "accesses.h"
#include "files.h"
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Addresses of programs end there: a block that is longer can be had nowhere. */
#define ADDRESSES (1ull << 47)
#define MIB (1ull << 20)

/* The limit; 0 if there is none, or if it is one that the program has set for itself. */
static uint64_t limit_of(int what) {
  struct rlimit now;
  if (weave_raw(SYS_getrlimit, what, (long)&now, 0, 0, 0, 0) || now.rlim_cur == RLIM_INFINITY) return 0;
  return now.rlim_cur == now.rlim_max ? now.rlim_cur : 0;
}

void weave_lacks_memory(const char *call, uint64_t size, uint64_t pc) {
  uint64_t most = weave_me && size < ADDRESSES ? limit_of(RLIMIT_AS) : 0;
  if (!most) return;
  int kept = errno;
  char what[160];
  snprintf(what, sizeof what, "%s of %llu MiB fails because of weave's limit of %llu MiB (--max-memory gives more)", call,
           (unsigned long long)((size + MIB - 1) / MIB), (unsigned long long)(most / MIB));
  weave_text(OP_UNCONTROLLED, what, 1, pc);
  errno = kept;
}

/* The stack of the first thread grows by itself, up to a limit of its own: who dies there before
   that lacks memory. */
extern void *__libc_stack_end;
void weave_lacks_stack(uint64_t fault, uint64_t stack) {
  enum { NEAR = 1 << 16 };
  struct rlimit most;
  uint64_t end = (uint64_t)__libc_stack_end;
  if (weave_raw(SYS_getrlimit, RLIMIT_STACK, (long)&most, 0, 0, 0, 0) || fault >= end || fault + NEAR < stack) return;
  if (stack < end && end - fault < most.rlim_cur - NEAR && end - fault < 1ull << 32) weave_lacks_memory("growth of the stack", end - fault, 0);
}

static long length_of(const struct iovec *parts, long count) {
  long all = 0;
  for (long i = 0; i < count; i++) all += (long)parts[i].iov_len;
  return all;
}
/* How many bytes a call is to write to a file; 0 if it writes none. */
static long wanted(long number, const long *a) {
  switch (number) {
  case SYS_write:
  case SYS_pwrite64: return a[2];
  case SYS_writev:
  case SYS_pwritev:
  case SYS_pwritev2: return length_of((const struct iovec *)a[1], a[2]);
  default: return 0;
  }
}
static int is_file(int fd) {
  struct stat about;
  return !weave_raw(SYS_fstat, fd, (long)&about, 0, 0, 0, 0) && S_ISREG(about.st_mode);
}

void weave_lacks_room(long number, const long *a, long result, uint64_t pc) {
  long all = weave_me && result >= 0 ? wanted(number, a) : 0;
  int less = result >= 0 && all > result && is_file((int)a[0]);
  if (!weave_me || (result != -EFBIG && result != -ENOSPC && !less)) return;
  char what[120];
  snprintf(what, sizeof what, "a file that cannot be made longer because of weave's limit of %llu MiB", (unsigned long long)(limit_of(RLIMIT_FSIZE) / MIB));
  weave_text(OP_UNCONTROLLED, result == -EFBIG || less ? what : "a file system that is full", 1, pc);
}
