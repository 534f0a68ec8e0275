/* Functions whose arguments point to memory of the program, and that need nothing else: what
 * they do otherwise comes to us as system calls, or is of no concern to others. */
#include "accesses.h"
#include "files.h"
#include "formats.h"
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* Paths. */
TELLS(int, mkfifo, (const char *path, mode_t mode), (path, mode), TEXT(path))
TELLS(int, mkfifoat, (int folder, const char *path, mode_t mode), (folder, path, mode), TEXT(path))
TELLS(int, mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device), TEXT(path))
TELLS(int, mknodat, (int folder, const char *path, mode_t mode, dev_t device), (folder, path, mode, device), TEXT(path))
TELLS(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), TEXT(path))
TELLS(int, remove, (const char *path), (path), TEXT(path))
TELLS(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), TEXT(path))
TELLS(int, renameat, (int folder, const char *path, int other, const char *new), (folder, path, other, new), TEXT(path), TEXT(new))
TELLS(int, renameat2, (int folder, const char *path, int other, const char *new, unsigned flags), (folder, path, other, new, flags), TEXT(path), TEXT(new))
TELLS(int, linkat, (int folder, const char *path, int other, const char *new, int flags), (folder, path, other, new, flags), TEXT(path), TEXT(new))
TELLS(int, symlinkat, (const char *path, int folder, const char *new), (path, folder, new), TEXT(path), TEXT(new))
TELLS(int, chmod, (const char *path, mode_t mode), (path, mode), TEXT(path))
TELLS(int, fchmodat, (int folder, const char *path, mode_t mode, int flags), (folder, path, mode, flags), TEXT(path))
TELLS(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group), TEXT(path))
TELLS(int, lchown, (const char *path, uid_t user, gid_t group), (path, user, group), TEXT(path))
TELLS(int, truncate, (const char *path, off_t length), (path, length), TEXT(path))
TELLS(int, truncate64, (const char *path, off64_t length), (path, length), TEXT(path))
TELLS(int, faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags), TEXT(path))
TELLS(int, eaccess, (const char *path, int mode), (path, mode), TEXT(path))
TELLS(int, euidaccess, (const char *path, int mode), (path, mode), TEXT(path))
TELLS(int, utimensat, (int folder, const char *path, const struct timespec times[2], int flags), (folder, path, times, flags), TEXT(path),
      READS(times, 2 * sizeof *times))
TELLS(int, futimens, (int fd, const struct timespec times[2]), (fd, times), READS(times, 2 * sizeof *times))
TELLS(int, utimes, (const char *path, const struct timeval times[2]), (path, times), TEXT(path), READS(times, 2 * sizeof *times))
TELLS(int, utime, (const char *path, const struct utimbuf *times), (path, times), TEXT(path), IN(times))
TELLS(key_t, ftok, (const char *path, int more), (path, more), TEXT(path))
TELLS(DIR *, opendir, (const char *path), (path), TEXT(path))
TELLS(int, dirfd, (DIR * folder), (folder), USES_OBJECT(folder))
TELLS_BEHIND(ssize_t, readlink, (const char *restrict path, char *restrict to, size_t size), (path, to, size), TEXT(path), if (done > 0) WRITES(to, (size_t)done))
TELLS_BEHIND(ssize_t, readlinkat, (int folder, const char *restrict path, char *restrict to, size_t size), (folder, path, to, size), TEXT(path),
             if (done > 0) WRITES(to, (size_t)done))
TELLS_BEHIND(char *, realpath, (const char *restrict path, char *restrict to), (path, to), TEXT(path), if (done && to) WRITES(to, REAL(strlen)(to) + 1))

/* What stands behind the letters in a number that is none. */
double nan(const char *s);
float nanf(const char *s);
long double nanl(const char *s);
/* As strtod reads them: the library that has these functions need not be loaded. */
#define NOT_A_NUMBER(type, name, reads)                                            \
  EXPORT type name(const char *s) {                                                \
    char text[96] = "NAN";                                                         \
    TEXT(s);                                                                       \
    if (REAL(strlen)(s) < sizeof text - 8) snprintf(text, sizeof text, "NAN(%s)", s); \
    return REAL(reads)(text, 0);                                                   \
  }
NOT_A_NUMBER(double, nan, strtod)
NOT_A_NUMBER(float, nanf, strtof)
NOT_A_NUMBER(long double, nanl, strtold)

/* Between files, inside of the kernel; parts of a file. */
#define MOVES(at) IN(at), OUT(at)
TELLS(ssize_t, sendfile, (int to, int from, off_t *at, size_t size), (to, from, at, size), MOVES(at))
TELLS(ssize_t, sendfile64, (int to, int from, off64_t *at, size_t size), (to, from, at, size), MOVES(at))
TELLS(ssize_t, copy_file_range, (int from, off64_t *at, int to, off64_t *there, size_t size, unsigned flags), (from, at, to, there, size, flags), MOVES(at),
      MOVES(there))
void weave_see_parts(const struct iovec *parts, int count, ssize_t done, int write, uint64_t pc) {
  if (!weave_reported(pc) || count < 0 || count > 1024) return;
  weave_access(parts, (uint64_t)count * sizeof *parts, 0, pc);
  for (int i = 0; i < count && done > 0; i++) {
    size_t part = parts[i].iov_len < (size_t)done ? parts[i].iov_len : (size_t)done;
    weave_access(parts[i].iov_base, part, (uint32_t)write, pc);
    done -= (ssize_t)part;
  }
}
#define WHOLE ((ssize_t)1 << 62)
#define PART_READS(name, off, ...)                                                                                                       \
  EXPORT ssize_t name(int fd, const struct iovec *parts, int count, off at __VA_OPT__(, int flags)) {                                    \
    weave_point(CALLER);                                                                                                                 \
    weave_see_parts(parts, count, 0, 1, CALLER);                                                                                         \
    ssize_t done = REAL(name)(fd, parts, count, at __VA_OPT__(, flags));                                                                 \
    if (!weave_models(fd)) weave_see_parts(parts, count, done, 1, CALLER);                                                               \
    return done;                                                                                                                         \
  }
#define PART_WRITES(name, off, ...)                                                                                                      \
  EXPORT ssize_t name(int fd, const struct iovec *parts, int count, off at __VA_OPT__(, int flags)) {                                    \
    weave_point(CALLER);                                                                                                                 \
    weave_see_parts(parts, count, WHOLE, 0, CALLER);                                                                                     \
    return REAL(name)(fd, parts, count, at __VA_OPT__(, flags));                                                                         \
  }
PART_READS(preadv, off_t)
PART_READS(preadv64, off64_t)
PART_READS(preadv2, off_t, flags)
PART_WRITES(pwritev, off_t)
PART_WRITES(pwritev64, off64_t)
PART_WRITES(pwritev2, off_t, flags)

/* A descriptor that another thread may have closed. */
#define NUMBER(call) weave_use_number(call, fd, CALLER)
TELLS(int, fsync, (int fd), (fd), weave_point(CALLER), NUMBER(SYS_fsync))
TELLS(int, fdatasync, (int fd), (fd), weave_point(CALLER), NUMBER(SYS_fdatasync))
TELLS(int, syncfs, (int fd), (fd), NUMBER(SYS_syncfs))
TELLS(int, posix_fadvise, (int fd, off_t at, off_t length, int advice), (fd, at, length, advice), NUMBER(SYS_fadvise64))
TELLS(int, posix_fadvise64, (int fd, off64_t at, off64_t length, int advice), (fd, at, length, advice), NUMBER(SYS_fadvise64))

/* Sockets: those that are made one by one are not modelled, and said so. */
TELLS(int, bind, (int fd, __CONST_SOCKADDR_ARG at, socklen_t length), (fd, at, length), READS(at.__sockaddr__, length))
TELLS(int, connect, (int fd, __CONST_SOCKADDR_ARG at, socklen_t length), (fd, at, length), READS(at.__sockaddr__, length))
TELLS_BEHIND(int, getsockname, (int fd, __SOCKADDR_ARG to, socklen_t *restrict length), (fd, to, length), (IN(length), OUT(length), NUMBER(SYS_getsockname)),
             if (!done) WRITES(to.__sockaddr__, *length))
TELLS_BEHIND(int, getpeername, (int fd, __SOCKADDR_ARG to, socklen_t *restrict length), (fd, to, length), (IN(length), OUT(length), NUMBER(SYS_getsockname)),
             if (!done) WRITES(to.__sockaddr__, *length))
TELLS_BEHIND(int, getsockopt, (int fd, int level, int name, void *restrict to, socklen_t *restrict length), (fd, level, name, to, length),
             (IN(length), OUT(length), NUMBER(SYS_getsockopt), weave_common(COMMON_DESCRIPTIONS, HOW_READ, CALLER)), if (!done) WRITES(to, *length))

/* Time and what was used of it. */
TELLS(int, clock_getres, (clockid_t clock, struct timespec *to), (clock, to), OUT(to))
TELLS(clock_t, times, (struct tms * to), (to), OUT(to))
TELLS(int, getrusage, (__rusage_who_t who, struct rusage *to), (who, to), OUT(to))

TELLS(int, __sched_cpucount, (size_t size, const cpu_set_t *set), (size, set), READS(set, size))
/* What runs on a stack that the program provides writes it unseen. */
static void provides_stack(int does, uint64_t pc) {
  if (does && weave_reported(pc)) weave_text(OP_UNCONTROLLED, "a stack that the program provides", OTHERWISE, pc);
}
TELLS(int, sigaltstack, (const stack_t *restrict new, stack_t *restrict old), (new, old), IN(new), OUT(old), provides_stack(new && !(new->ss_flags & SS_DISABLE), CALLER))
TELLS(int, dladdr, (const void *at, Dl_info *to), (at, to), OUT(to))

/* What is said of errors. */
EXPORT void perror(const char *s) {
  TEXT(s);
  REAL(perror)(s);
}
EXPORT void psignal(int signal, const char *s) {
  TEXT(s);
  REAL(psignal)(signal, s);
}
#define WARNS(name, real)                   \
  EXPORT void name(const char *text, ...) { \
    va_list list;                           \
    va_start(list, text);                   \
    weave_see_printed(text, list, CALLER);  \
    REAL(real)(text, list);                 \
    va_end(list);                           \
  }
WARNS(warn, vwarn)
WARNS(warnx, vwarnx)
#define ENDS(name, real)                                \
  EXPORT void name(int status, const char *text, ...) { \
    va_list list;                                       \
    va_start(list, text);                               \
    weave_see_printed(text, list, CALLER);              \
    REAL(real)(text, list);                             \
    exit(status);                                       \
  }
ENDS(err, vwarn)
ENDS(errx, vwarnx)

/* These must seem to be called by the program itself: one returns to it twice, the other looks
 * for libraries beside it. So they are reported, and jumped to. */
__attribute__((used)) static void *sets_jump(void *to, uint64_t pc, uint64_t which) {
  weave_writes(to, 64, pc);
  return which == 0 ? (void *)REAL(_setjmp) : which == 1 ? (void *)REAL(setjmp) : (void *)REAL(__sigsetjmp);
}
__attribute__((used)) static void *loads(void *path, uint64_t pc) {
  weave_text_read(path, pc);
  return (void *)REAL(dlopen);
}
#define PASSES(type, name, parameters, teller, number)                                                                \
  EXPORT __attribute__((naked)) type name parameters {                                                                \
    __asm__("mov (%rsp), %rax\npush %rdi\npush %rsi\nsub $8, %rsp\nmov %rax, %rsi\nmov $" #number ", %edx\n"          \
            "call " #teller "\nadd $8, %rsp\npop %rsi\npop %rdi\njmp *%rax");                                         \
  }
#undef _setjmp
#undef setjmp
int setjmp(struct __jmp_buf_tag to[1]);
#pragma GCC diagnostic ignored "-Wunused-parameter"
PASSES(int, _setjmp, (struct __jmp_buf_tag to[1]), sets_jump, 0)
PASSES(int, setjmp, (struct __jmp_buf_tag to[1]), sets_jump, 1)
PASSES(int, __sigsetjmp, (struct __jmp_buf_tag to[1], int mask), sets_jump, 2)
PASSES(void *, dlopen, (const char *path, int flags), loads, 0)
EXPORT int dlclose(void *handle) {
  if (weave_me && weave_has_threads()) weave_text(OP_UNCONTROLLED, "a library that is closed while several threads exist", 0, CALLER);
  return REAL(dlclose)(handle);
}
