/* Files by name: those that may be locked, and FIFOs. A file is known by its path; what is in it
   is real. */
#include "accesses.h"
#include "content.h"
#include "text.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/sysmacros.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RECORD = 0, DESCRIPTION = 1, WHOLE = 2 }; /* families of locks */
enum { NO_POINT = 4 }; /* of how: flock is no cancellation point */
enum { FREE = 0, SHARED = 1, EXCLUSIVE = 2, ASK = 3 };

/* Of what a descriptor stands for: that of the file (paths.c), or of its path. */
static int64_t identity(int fd) {
  char path[PATH];
  struct stat about;
  struct weave_inode *file = weave_file_of(fd, &about);
  return (int64_t)(file ? file->name : weave_path_of(fd, path) ? weave_name_of(path) : 0) | (1ll << 41);
}

/* A file that was opened. */
static int opened(int fd, uint64_t pc) {
  struct stat about;
  if (fd < 0 || !weave_me || weave_knows(fd) || !weave_file_of(fd, &about)) return fd;
  weave_new_file(FD_FILE, fd, -1, identity(fd) << 8, pc);
  return fd;
}

/* A FIFO: the number is a real one, for itself alone. */
static int open_fifo(int folder, const char *path, int flags, uint64_t pc) {
  int fd = (int)weave_call(SYS_openat, folder, (long)path, O_RDWR | O_NONBLOCK | (flags & O_CLOEXEC), 0, 0, 0);
  if (fd < 0) return (int)weave_result(fd);
  int64_t id = identity(fd);
  int64_t error = weave_ask_data(OP_FIFO_OPEN, (uint64_t)fd, flags, 0, &id, sizeof id, pc);
  if (error < 0) {
    weave_call(SYS_close, fd, 0, 0, 0, 0, 0);
    return (int)weave_result(error);
  }
  if (!(flags & O_NONBLOCK)) weave_call(SYS_fcntl, fd, F_SETFL, 0, 0, 0, 0);
  weave_adopt(fd, pc);
  return fd;
}
/* A file without a name gets one that is the same in all runs: the n-th of its thread. */
static const char *unnamed(const char *folder, char *to) {
  static unsigned made[LIM_SLOTS];
  unsigned slot = (unsigned)(weave_me - weave_shared->slot);
  text_part(to, folder, text_length(folder) < 900 ? text_length(folder) : 900);
  text_add(to, "/#");
  text_add_number(to, slot);
  text_add(to, ".");
  text_add_number(to, made[slot]++);
  return to;
}
void weave_made_unnamed(int fd, const char *folder) {
  char to[PATH];
  if (fd >= 0 && weave_me) weave_made(fd, unnamed(folder, to));
}
/* What is there: nothing, a FIFO, or something else. Apart from weave_open, so that its frame
   has nothing left of other calls in it (spin.c). */
enum { NOTHING = 0, FIFO = 1, SOMETHING = 2 };
static __attribute__((noinline)) int there(int folder, const char *path, int flags) {
  struct stat about;
  if (weave_raw(SYS_newfstatat, folder, (long)path, (long)&about, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, 0, 0)) return NOTHING;
  return S_ISFIFO(about.st_mode) ? FIFO : SOMETHING;
}
static __attribute__((noinline)) void name_new(int fd, const char *path, int flags, int made, uint64_t pc) {
  char to[PATH];
  if (flags & __O_TMPFILE) weave_made_unnamed(fd, path);
  else if (made && weave_path_of(fd, to)) weave_made(fd, to);
  if (!(flags & O_PATH)) opened(fd, pc);
}
/* What the kernel tells there of other threads depends on what they have done so far. */
static void refuse_revealing(const char *path, uint64_t pc) {
  static const char *const revealing[] = {"/proc/self/fd", "/proc/self/task", "/proc/self/stat", "/proc/thread-self"};
  for (size_t i = 0; weave_shared->several && i < sizeof revealing / sizeof *revealing; i++)
    if (text_begins(path, revealing[i])) weave_text(OP_UNCONTROLLED, revealing[i], 0, pc);
}
/* What is written to a device may be read by others, unless it is null, zero or random. */
static void refuse_devices(int fd, uint64_t pc) {
  struct stat about;
  if (weave_raw(SYS_fstat, fd, (long)&about, 0, 0, 0, 0) || !S_ISCHR(about.st_mode)) return;
  if (major(about.st_rdev) != 1) weave_text(OP_UNCONTROLLED, "a device", 0, pc);
}
long weave_open(int folder, const char *path, int flags, mode_t mode, uint64_t pc) {
  if (!weave_me || !path) return weave_call(SYS_openat, folder, (long)path, flags, mode, 0, 0);
  refuse_revealing(path, pc);
  int kind = weave_before_file_call(SYS_openat, (long[6]){folder, (long)path, flags, mode}, pc);
  if (!(flags & O_PATH) && there(folder, path, flags) == FIFO) {
    int fd = open_fifo(folder, path, flags, pc);
    return fd < 0 ? -errno : fd;
  }
  int makes = flags & O_CREAT && there(folder, path, flags) == NOTHING;
  long fd = weave_raw(SYS_openat, folder, (long)path, flags, mode, 0, 0);
  weave_after_file_call(kind == LOOKS_AT_FILES ? CHANGES_FILES : kind, fd); /* the number */
  if (fd >= 0) refuse_devices((int)fd, pc), name_new((int)fd, path, flags, makes, pc);
  return fd;
}
static int open_any(int folder, const char *path, int flags, mode_t mode, uint64_t pc) {
  weave_point(pc);
  const char *volatile text = path;
  if (weave_me && text && !weave_is_own(pc)) weave_read_string(path, pc);
  return (int)weave_result(weave_open(folder, path, flags, mode, pc));
}
#define MODE(last)                                      \
  ({                                                    \
    va_list list;                                       \
    va_start(list, last);                               \
    mode_t mode_ = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list);                                       \
    mode_;                                              \
  })
EXPORT int open(const char *path, int flags, ...) { return open_any(AT_FDCWD, path, flags, MODE(flags), CALLER); }
EXPORT int open64(const char *path, int flags, ...) { return open_any(AT_FDCWD, path, flags, MODE(flags), CALLER); }
EXPORT int openat(int folder, const char *path, int flags, ...) { return open_any(folder, path, flags, MODE(flags), CALLER); }
EXPORT int openat64(int folder, const char *path, int flags, ...) { return open_any(folder, path, flags, MODE(flags), CALLER); }
EXPORT int __open_2(const char *path, int flags) { return open_any(AT_FDCWD, path, flags, 0, CALLER); }
EXPORT int __open64_2(const char *path, int flags) { return open_any(AT_FDCWD, path, flags, 0, CALLER); }
EXPORT int creat64(const char *path, mode_t mode) { return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, CALLER); }
EXPORT int creat(const char *path, mode_t mode) { return open_any(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, CALLER); }

static FILE *opened_stream(FILE *file, uint64_t pc) {
  struct stat about;
  if (!file || !weave_me || weave_raw(SYS_fstat, fileno(file), (long)&about, 0, 0, 0, 0)) return file;
  if (S_ISFIFO(about.st_mode)) weave_text(OP_UNCONTROLLED, "fopen of a FIFO", 1, pc);
  opened(fileno(file), pc);
  return weave_opened_stream(file, pc);
}
/* libc would wait in the kernel for the other end. */
static void refuse_fifo(const char *path, uint64_t pc) {
  struct stat about;
  if (weave_me && path && !weave_raw(SYS_stat, (long)path, (long)&about, 0, 0, 0, 0) && S_ISFIFO(about.st_mode)) weave_text(OP_UNCONTROLLED, "fopen of a FIFO", 1, pc);
}
EXPORT FILE *fopen(const char *path, const char *mode) {
  TEXT(path);
  TEXT(mode);
  refuse_fifo(path, CALLER);
  return opened_stream(REAL(fopen)(path, mode), CALLER);
}
EXPORT FILE *fopen64(const char *path, const char *mode) {
  TEXT(path);
  TEXT(mode);
  refuse_fifo(path, CALLER);
  return opened_stream(REAL(fopen64)(path, mode), CALLER);
}

/* Locks. */
static int64_t lock(int fd, int how, int flags, uint64_t family, uint64_t first, uint64_t last, uint64_t pc) {
  struct stat about;
  if (weave_raw(SYS_fstat, fd, (long)&about, 0, 0, 0, 0)) return -EBADF;
  if (!S_ISREG(about.st_mode) || weave_models(fd) || about.st_nlink > 1) {
    weave_text(OP_UNCONTROLLED, "a lock on what is no file, or has several names", 0, pc);
    return -ENOLCK;
  }
  if (!weave_knows(fd)) weave_text(OP_UNCONTROLLED, "a lock on a descriptor whose opening was not seen", 0, pc);
  opened(fd, pc);
  uint64_t words[] = {first, last, family};
  return weave_ask_data(OP_FILE_LOCK, (uint64_t)fd, how, flags, words, sizeof words, pc);
}
EXPORT int flock(int fd, int operation) {
  if (!weave_me) return REAL(flock)(fd, operation);
  static const int ways[] = {[LOCK_SH] = SHARED, [LOCK_EX] = EXCLUSIVE, [LOCK_UN] = FREE};
  int way = operation & ~LOCK_NB;
  if (way != LOCK_SH && way != LOCK_EX && way != LOCK_UN) return REAL(flock)(fd, operation); /* no lock */
  return (int)weave_result(lock(fd, ways[way], ((operation & LOCK_NB) ? 1 : 0) | NO_POINT, WHOLE, 0, ~0ull, CALLER));
}

int weave_is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW ||
         command == F_OFD_GETLK;
}

/* Where a range begins and ends; false if it does not. */
static int range(int fd, const struct flock *given, uint64_t *first, uint64_t *last) {
  struct stat about = {0};
  int64_t start = given->l_start;
  if (given->l_whence == SEEK_CUR) start += weave_call(SYS_lseek, fd, 0, SEEK_CUR, 0, 0, 0);
  if (given->l_whence == SEEK_END) start += weave_raw(SYS_fstat, fd, (long)&about, 0, 0, 0, 0) ? 0 : about.st_size;
  int64_t end = start + given->l_len - 1;
  if (given->l_len < 0) end = start - 1, start += given->l_len;
  if (start < 0 || given->l_whence < SEEK_SET || given->l_whence > SEEK_END) return 0;
  *first = (uint64_t)start;
  *last = given->l_len ? (uint64_t)end : ~0ull;
  return 1;
}

int weave_file_lock(int fd, int command, long argument, uint64_t pc) {
  struct flock *given = (struct flock *)argument;
  uint64_t first, last, family = command == F_SETLK || command == F_SETLKW || command == F_GETLK ? RECORD : DESCRIPTION;
  int open_for = (int)weave_call(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
  if (open_for < 0) return (int)weave_result(-EBADF);
  if (given->l_type != F_RDLCK && given->l_type != F_WRLCK && given->l_type != F_UNLCK) return (int)weave_result(-EINVAL);
  if (!range(fd, given, &first, &last)) return (int)weave_result(-EINVAL);
  int writes = given->l_type == F_WRLCK;
  if (command == F_GETLK || command == F_OFD_GETLK) {
    int64_t found = lock(fd, ASK, 1 | (writes ? 2 : 0), family, first, last, pc);
    if (found < 0) return (int)weave_result(found);
    const uint64_t *reported = (const uint64_t *)weave_bytes();
    if (!found) return given->l_type = F_UNLCK, 0;
    pid_t owner = reported[3] < LIM_SLOTS ? weave_shared->slot[reported[3]].pid : -1;
    *given = (struct flock){.l_type = reported[0] ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET, .l_start = (off_t)reported[1], .l_pid = owner};
    given->l_len = reported[2] == ~0ull ? 0 : (off_t)(reported[2] - reported[1] + 1);
    return 0;
  }
  int mode = open_for & O_ACCMODE;
  if ((writes && mode == O_RDONLY) || (given->l_type == F_RDLCK && mode == O_WRONLY)) return (int)weave_result(-EBADF);
  int how = given->l_type == F_UNLCK ? FREE : writes ? EXCLUSIVE : SHARED;
  return (int)weave_result(lock(fd, how, command == F_SETLK || command == F_OFD_SETLK, family, first, last, pc));
}
EXPORT int lockf(int fd, int command, off_t length) {
  if (!weave_me) return REAL(lockf)(fd, command, length);
  struct flock given = {.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK, .l_whence = SEEK_CUR, .l_len = length};
  if (command == F_TEST) {
    if (weave_file_lock(fd, F_GETLK, (long)&given, CALLER)) return -1;
    return given.l_type == F_UNLCK ? 0 : (int)weave_result(-EACCES);
  }
  if (command != F_ULOCK && command != F_LOCK && command != F_TLOCK) return (int)weave_result(-EINVAL);
  return weave_file_lock(fd, command == F_LOCK ? F_SETLKW : F_SETLK, (long)&given, CALLER);
}
EXPORT int lockf64(int fd, int command, off_t length) { return lockf(fd, command, length); }
