/* Memory that a system call accesses for the program if the program makes it itself, by `syscall`
 * or by an instruction. The functions of libc report that; here it stands by the number of the
 * call.
 *
 * A call that would pass and has no row here makes the verdict *unknown*.
 */
#include "accesses.h"
#include "files.h"
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* How long it is: this many bytes, a text, as many as the call returns, or as many as that argument
   says. Parts are a vector and how many there are. */
enum { TEXT_OF_IT = -1, RESULT = -2, PARTS = -3, COUNT_1 = -11, COUNT_2 = -12 };
enum { NOTHING, READ, WRITE, BOTH };
static const struct row {
  short number;
  signed char argument, way;
  short size;
} rows[] = {
#define N(name) {SYS_##name, 0, NOTHING, 0},
#define T(name, argument) {SYS_##name, argument, READ, TEXT_OF_IT},
#define R(name, argument, size) {SYS_##name, argument, READ, size},
#define W(name, argument, size) {SYS_##name, argument, WRITE, size},
#define B(name, argument, size) {SYS_##name, argument, BOTH, size},
  N(rt_sigreturn) N(sched_yield) N(dup) N(dup2) N(dup3) N(getpid) N(close) N(close_range) N(exit) N(exit_group)
  N(fsync) N(fdatasync) N(ftruncate) N(fchdir) N(fchmod) N(fchown) N(getuid) N(getgid) N(geteuid) N(getegid)
  N(sched_get_priority_max) N(sched_get_priority_min) N(mlockall) N(munlockall) N(sync) N(gettid) N(readahead) N(fadvise64)
  N(restart_syscall) N(sync_file_range) N(fallocate) N(syncfs) N(membarrier) N(eventfd) N(eventfd2) N(flock) N(lseek)
  N(mmap) N(munmap) N(mprotect) N(madvise)
  W(read, 1, RESULT) R(write, 1, COUNT_2) W(pread64, 1, RESULT) R(pwrite64, 1, COUNT_2)
  W(readv, 1, PARTS) R(writev, 1, PARTS) W(preadv, 1, PARTS) R(pwritev, 1, PARTS) W(preadv2, 1, PARTS) R(pwritev2, 1, PARTS)
  T(open, 0) T(creat, 0) T(openat, 1)
  T(stat, 0) W(stat, 1, sizeof(struct stat)) T(lstat, 0) W(lstat, 1, sizeof(struct stat)) W(fstat, 1, sizeof(struct stat))
  T(newfstatat, 1) W(newfstatat, 2, sizeof(struct stat)) T(statx, 1) W(statx, 4, sizeof(struct statx))
  T(access, 0) T(faccessat, 1) T(faccessat2, 1) T(truncate, 0) T(chdir, 0) T(rename, 0) T(rename, 1) T(mkdir, 0) T(rmdir, 0)
  T(link, 0) T(link, 1) T(unlink, 0) T(symlink, 0) T(symlink, 1) T(readlink, 0) W(readlink, 1, RESULT)
  T(chmod, 0) T(chown, 0) T(lchown, 0) T(mknod, 0) W(getcwd, 0, RESULT) W(getdents64, 1, RESULT)
  T(mkdirat, 1) T(mknodat, 1) T(fchownat, 1) T(unlinkat, 1) T(renameat, 1) T(renameat, 3) T(renameat2, 1) T(renameat2, 3)
  T(linkat, 1) T(linkat, 3) T(symlinkat, 0) T(symlinkat, 2) T(readlinkat, 1) W(readlinkat, 2, RESULT) T(fchmodat, 1)
  T(utimensat, 1) R(utimensat, 2, 32)
  B(sendfile, 2, 8) B(copy_file_range, 1, 8) B(copy_file_range, 3, 8)
  W(pipe, 0, 8) W(pipe2, 0, 8) W(getrandom, 0, COUNT_1) W(clock_gettime, 1, 16) W(gettimeofday, 0, 16) W(gettimeofday, 1, 8)
  W(time, 0, 8) T(memfd_create, 0) R(nanosleep, 0, 16) W(getcpu, 0, 4) W(getcpu, 1, 4)
};
#define ROWS (sizeof rows / sizeof *rows)

enum { ARCH_GET_FS = 0x1003, ARCH_GET_GS = 0x1004 };

/* Calls whose memory depends on what they are asked for; whether it is known. */
static int depends(long number, const long *a, uint64_t pc) {
  int command = (int)a[1] & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
  switch (number) {
  case SYS_futex:
    if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) weave_reads((void *)a[3], 16, pc);
    return 1;
  case SYS_arch_prctl:
    if (a[0] == ARCH_GET_FS || a[0] == ARCH_GET_GS) weave_writes((void *)a[1], 8, pc);
    return a[0] == ARCH_GET_FS || a[0] == ARCH_GET_GS;
  case SYS_fcntl:
    if (weave_is_lock((int)a[1])) {
      weave_reads((void *)a[2], sizeof(struct flock), pc);
      if (a[1] == F_GETLK || a[1] == F_OFD_GETLK) weave_writes((void *)a[2], sizeof(struct flock), pc);
    }
    return 1; /* others say that they are unusual */
  default: return 0;
  }
}

/* What a channel gives and takes is reported with the channel. */
static int is_reported(const struct row *r, const long *a) {
  return (r->size == RESULT || r->size == PARTS || r->size == COUNT_2) && r->argument == 1 && weave_models((int)a[0]);
}

static void report(const struct row *r, const long *a, long result, uint64_t pc) {
  void *at = (void *)a[(int)r->argument];
  int behind = r->way == WRITE && (r->size == RESULT || r->size == PARTS);
  if (is_reported(r, a) || behind != (result != LONG_MIN)) return;
  uint64_t size = r->size == RESULT ? (result > 0 ? (uint64_t)result : 0) : r->size <= COUNT_1 ? (uint64_t)a[-10 - r->size] : (uint64_t)r->size;
  if (r->way == NOTHING) return;
  if (r->size == TEXT_OF_IT) weave_text_read(at, pc);
  else if (r->size == PARTS) weave_see_parts(at, (int)a[2], behind ? result : (ssize_t)1 << 62, behind, pc);
  else {
    if (r->way & READ) weave_reads(at, size, pc);
    if (r->way & WRITE) weave_writes(at, size, pc);
  }
}

/* No system call is a cancellation point; functions of the C library are. */
static int emulate_calmly(long number, const long *a, long *result, uint64_t pc) {
  char before = weave_uncancelled;
  weave_uncancelled = 1;
  int done = weave_emulate(number, a, result, pc);
  weave_uncancelled = before;
  return done;
}

int weave_emulate_raw(long number, const long *a, long *result, uint64_t pc) {
  int known = depends(number, a, pc);
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].number == number) known = 1, report(&rows[i], a, LONG_MIN, pc);
  if (!emulate_calmly(number, a, result, pc)) return 0;
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].number == number) report(&rows[i], a, *result, pc);
  if (!known) weave_text(OP_UNCONTROLLED, "memory of a system call past the C library", 0, pc);
  return 1;
}
