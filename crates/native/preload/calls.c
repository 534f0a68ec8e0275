/* Which system calls touch files and folders, and what each of them touches. */
#include "content.h"
#include "text.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BY_PATH = 1, BY_NUMBER = 2 }; /* see content.c */
#define FCHMODAT2 452 /* newer than some headers */

static uint32_t lasting(int lasts) { return lasts ? HOW_OUTLIVES : 0; }
static size_t length_of(const struct iovec *parts, long count) {
  size_t length = 0;
  for (long i = 0; i < count; i++) length += parts[i].iov_len;
  return length;
}

/* Files by descriptor. */
struct file {
  uint64_t name;
  uint32_t lasts, position; /* flags */
  int appends, mapped;
  off_t size;
};
/* The one way to what is in a file. If it is mapped, readers of memory see what a call writes, and
   calls read what is written to memory: neither is brought together. */
static void part_of(struct weave_touches *t, const struct file *f, uint64_t start, uint64_t length, uint32_t how) {
  int beside = f->mapped & MAPPED_WRITTEN || (f->mapped && how != HOW_READ);
  if (beside && weave_shared->several) weave_text(OP_UNCONTROLLED, "a file that is mapped into memory and used by calls too", 0, 0);
  weave_touch_range(t, f->name, start, length, how | f->lasts);
}
#define WHOLE 0xffffffffu
static void all_of(struct weave_touches *t, const struct file *f, uint32_t how) { part_of(t, f, 0, WHOLE, how); }
static int file_of(int fd, int changes, struct file *file) {
  struct stat about;
  struct weave_inode *found = weave_file_of(fd, &about);
  if (!found) return 0;
  *file = (struct file){found->name, lasting(about.st_nlink && weave_outlives(about.st_dev)), (uint32_t)fd << 8, 0, (int)found->mapped, about.st_size};
  file->appends = changes && (weave_raw(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_APPEND);
  return 1;
}
static void reads(struct weave_touches *t, int fd, off_t at, size_t length) {
  struct file f;
  if (!file_of(fd, 0, &f)) return;
  if (at < 0) weave_touch(t, PART_POSITION, f.name, HOW_UPDATE | f.position);
  if (at < 0) all_of(t, &f, HOW_READ);
  else part_of(t, &f, (uint64_t)at, length, HOW_READ);
  weave_touch(t, PART_SIZE, f.name, HOW_READ | f.lasts);
  weave_touch(t, PART_ANY, BY_NUMBER, HOW_READ);
}
static void writes(struct weave_touches *t, int fd, off_t at, size_t length) {
  struct file f;
  if (!file_of(fd, 1, &f)) return;
  if (at < 0) weave_touch(t, PART_POSITION, f.name, HOW_CHANGE | f.position);
  if (at < 0 || f.appends) all_of(t, &f, HOW_CHANGE);
  else part_of(t, &f, (uint64_t)at, length, HOW_CHANGE);
  weave_touch(t, PART_SIZE, f.name, (f.appends ? HOW_CHANGE : HOW_POST) | f.lasts);
  weave_touch(t, PART_ANY, BY_PATH, HOW_POST);
}
static void seeks(struct weave_touches *t, int fd, int whence) {
  struct file f;
  if (!file_of(fd, 0, &f)) return;
  weave_touch(t, PART_POSITION, f.name, HOW_UPDATE | f.position);
  if (whence == SEEK_SET || whence == SEEK_CUR) return;
  if (whence == SEEK_END) f.mapped = 0; /* the size alone */
  all_of(t, &f, HOW_READ);
  weave_touch(t, PART_SIZE, f.name, HOW_READ | f.lasts);
  weave_touch(t, PART_ANY, BY_NUMBER, HOW_READ);
}
static void flags(struct weave_touches *t, int fd, uint32_t how) {
  struct file f;
  if (file_of(fd, 0, &f)) weave_touch(t, PART_POSITION, f.name, how | f.position);
}
static void truncates(struct weave_touches *t, int fd, off_t length) {
  struct file f;
  if (!file_of(fd, 0, &f)) return;
  if (length == f.size) f.mapped = 0; /* stays as it is */
  uint32_t how = length ? HOW_CHANGE : HOW_RESET;
  all_of(t, &f, how);
  weave_touch(t, PART_SIZE, f.name, how | f.lasts);
  weave_touch(t, PART_ANY, BY_PATH, HOW_POST);
}
/* Its size and rights are read or changed; or all of it. */
static void regards(struct weave_touches *t, int fd, uint32_t how, int content) {
  struct file f;
  if (!file_of(fd, 0, &f)) return;
  if (content) all_of(t, &f, how);
  weave_touch(t, PART_SIZE, f.name, how | f.lasts);
  weave_touch(t, PART_ANY, how == HOW_READ ? BY_NUMBER : BY_PATH, how == HOW_READ ? HOW_READ : HOW_POST);
}

/* Names. */
static int lasts_in(const char *path) {
  char folder[PATH];
  struct stat about;
  weave_parent(path, folder);
  return !weave_raw(SYS_newfstatat, AT_FDCWD, (long)folder, (long)&about, 0, 0, 0) && weave_outlives(about.st_dev);
}
/* The memory of a process, as a file. */
static int is_memory(const char *path) {
  const char *last = text_last(path, '/');
  return text_begins(path, "/proc/") && text_same(last, "/mem");
}
static int entry(struct weave_touches *t, int folder, const char *path, int follow, uint32_t how, char *to) {
  if (!weave_walk(t, folder, path, follow, to)) return 0;
  if (is_memory(to)) weave_text(OP_UNCONTROLLED, "memory that is used as a file (/proc/…/mem)", 0, 0);
  if (weave_is_special(to)) return 0;
  weave_touch(t, PART_ENTRY, weave_name_of(to), how | lasting(lasts_in(to)));
  return 1;
}
/* The list of names of the folder that something is in. */
static void list(struct weave_touches *t, const char *path) {
  char folder[PATH];
  weave_parent(path, folder);
  weave_touch(t, PART_LIST, weave_name_of(folder), HOW_CHANGE | lasting(lasts_in(path)));
}
/* The file at a path, if there is one, or that which will be there. */
static void target(struct weave_touches *t, const char *path, uint32_t how, int content) {
  struct stat about;
  struct weave_inode *found = weave_file_at(path, &about);
  uint32_t lasts = lasting(found ? weave_outlives(about.st_dev) : lasts_in(path));
  struct file f = {found ? found->name : weave_name_of(path), lasts, 0, 0, found ? (int)found->mapped : 0, 0};
  if (content) all_of(t, &f, how);
  if (found || content) weave_touch(t, PART_SIZE, f.name, how | lasts);
  weave_touch(t, PART_ANY, BY_PATH, how == HOW_READ ? HOW_READ : HOW_CHANGE);
  if (how != HOW_READ) weave_touch(t, PART_ANY, BY_NUMBER, HOW_CHANGE);
}
static void opens(struct weave_touches *t, int folder, const char *path, int flags) {
  char to[PATH];
  int makes = flags & O_CREAT, alone = makes && flags & O_EXCL;
  if (!entry(t, folder, path, !(flags & O_NOFOLLOW) && !alone, alone ? HOW_UPDATE : makes ? HOW_POST : HOW_READ, to)) return;
  if (makes) list(t, to);
  if (makes) weave_touch_state(t, STATE_UMASK, HOW_READ);
  if (flags & O_TRUNC && (flags & O_ACCMODE) != O_RDONLY) target(t, to, HOW_RESET, 1);
}
static void changes(struct weave_touches *t, int folder, const char *path);
static void makes(struct weave_touches *t, int folder, const char *path) {
  changes(t, folder, path);
  weave_touch_state(t, STATE_UMASK, HOW_READ);
}
/* A name comes or goes. */
static void changes(struct weave_touches *t, int folder, const char *path) {
  char to[PATH];
  if (!entry(t, folder, path, 0, HOW_UPDATE, to)) return;
  list(t, to);
  target(t, to, HOW_CHANGE, 0);
}
static void removes_folder(struct weave_touches *t, int folder, const char *path) {
  char to[PATH];
  changes(t, folder, path);
  if (weave_walk(t, folder, path, 0, to)) weave_touch(t, PART_LIST, weave_name_of(to), HOW_READ);
}
static void renames(struct weave_touches *t, int folder, const char *path, int other, const char *new) {
  char to[PATH];
  struct stat about;
  changes(t, folder, path);
  changes(t, other, new);
  if (weave_shared->several && weave_walk(t, folder, path, 0, to) && !weave_raw(SYS_newfstatat, AT_FDCWD, (long)to, (long)&about, AT_SYMLINK_NOFOLLOW, 0, 0) && S_ISDIR(about.st_mode))
    weave_text(OP_UNCONTROLLED, "a folder that gets another name", 0, 0);
}
static void links(struct weave_touches *t, int folder, const char *path, int follow, int other, const char *new) {
  char to[PATH];
  if (entry(t, folder, path, follow, HOW_READ, to)) target(t, to, HOW_CHANGE, 0);
  changes(t, other, new);
}
static void asks(struct weave_touches *t, int folder, const char *path, int follow) {
  char to[PATH];
  if (entry(t, folder, path, follow, HOW_READ, to)) target(t, to, HOW_READ, 0);
}
static void alters(struct weave_touches *t, int folder, const char *path, int follow, int content) {
  char to[PATH];
  if (entry(t, folder, path, follow, HOW_READ, to)) target(t, to, HOW_CHANGE, content);
}
static void lists(struct weave_touches *t, int fd) {
  char to[PATH];
  struct stat about;
  if (!weave_path_of(fd, to) || weave_is_special(to) || weave_raw(SYS_fstat, fd, (long)&about, 0, 0, 0, 0)) return;
  weave_touch(t, PART_LIST, weave_name_of(to), HOW_READ | lasting(weave_outlives(about.st_dev)));
}
static void moves(struct weave_touches *t, const char *path) {
  char to[PATH];
  if (path) entry(t, AT_FDCWD, path, 1, HOW_READ, to);
  weave_touch(t, PART_FOLDER, 1, HOW_UPDATE);
}

/* Shared memory is a file in a folder of its own. */
void weave_truncates(const char *name) {
  static struct weave_touches t; /* not on the stack, see content.c */
  struct stat about;
  char path[PATH];
  t.count = 0;
  text_copy(path, "/dev/shm/");
  while (*name == '/') name++;
  if (text_length(name) + 12 > PATH) return;
  text_add(path, name);
  if (weave_file_at(path, &about)) target(&t, path, HOW_RESET, 1);
}

#define CWD AT_FDCWD
#define TEXT(n) ((const char *)a[n])
#define FD(n) ((int)a[n])
int weave_collect(struct weave_touches *t, long number, const long *a) {
  switch (number) {
  case SYS_read: return reads(t, FD(0), -1, 0), 1;
  case SYS_readv: return reads(t, FD(0), -1, 0), 1;
  case SYS_pread64: return reads(t, FD(0), a[3] < 0 ? 0 : a[3], (size_t)a[2]), 1;
  case SYS_preadv:
  case SYS_preadv2: return reads(t, FD(0), a[3], length_of((const struct iovec *)a[1], a[2])), 1;
  case SYS_write: return writes(t, FD(0), -1, 0), 1;
  case SYS_writev: return writes(t, FD(0), -1, 0), 1;
  case SYS_pwrite64: return writes(t, FD(0), a[3] < 0 ? 0 : a[3], (size_t)a[2]), 1;
  case SYS_pwritev:
  case SYS_pwritev2: return writes(t, FD(0), a[3], length_of((const struct iovec *)a[1], a[2])), 1;
  case SYS_lseek: return seeks(t, FD(0), FD(2)), 1;
  case SYS_sendfile: return reads(t, FD(1), a[2] ? 0 : -1, ~0u), writes(t, FD(0), -1, 0), 1;
  case SYS_copy_file_range: return reads(t, FD(0), a[1] ? 0 : -1, ~0u), writes(t, FD(2), a[3] ? 0 : -1, ~0u), 1;
  case SYS_ftruncate: return truncates(t, FD(0), a[1]), 1;
  case SYS_fallocate: return regards(t, FD(0), HOW_CHANGE, 1), 1;
  case SYS_truncate: return alters(t, CWD, TEXT(0), 1, 1), 1;
  case SYS_fstat: return regards(t, FD(0), HOW_READ, 0), 1;
  case SYS_stat: return asks(t, CWD, TEXT(0), 1), 1;
  case SYS_lstat: return asks(t, CWD, TEXT(0), 0), 1;
  case SYS_newfstatat:
    if (a[3] & AT_EMPTY_PATH && !TEXT(1)[0]) return regards(t, FD(0), HOW_READ, 0), 1;
    return asks(t, FD(0), TEXT(1), !(a[3] & AT_SYMLINK_NOFOLLOW)), 1;
  case SYS_statx:
    if (a[2] & AT_EMPTY_PATH && !TEXT(1)[0]) return regards(t, FD(0), HOW_READ, 0), 1;
    return asks(t, FD(0), TEXT(1), !(a[2] & AT_SYMLINK_NOFOLLOW)), 1;
  case SYS_access: return asks(t, CWD, TEXT(0), 1), 1;
  case SYS_faccessat: return asks(t, FD(0), TEXT(1), 1), 1;
  case SYS_faccessat2: return asks(t, FD(0), TEXT(1), !(a[3] & AT_SYMLINK_NOFOLLOW)), 1;
  case SYS_readlink: return asks(t, CWD, TEXT(0), 0), 1;
  case SYS_readlinkat: return asks(t, FD(0), TEXT(1), 0), 1;
  case SYS_open: return opens(t, CWD, TEXT(0), FD(1)), 1;
  case SYS_openat: return opens(t, FD(0), TEXT(1), FD(2)), 1;
  case SYS_creat: return opens(t, CWD, TEXT(0), O_CREAT | O_WRONLY | O_TRUNC), 1;
  case SYS_unlink: return changes(t, CWD, TEXT(0)), 1;
  case SYS_unlinkat: return (a[2] & AT_REMOVEDIR ? removes_folder : changes)(t, FD(0), TEXT(1)), 1;
  case SYS_rmdir: return removes_folder(t, CWD, TEXT(0)), 1;
  case SYS_mkdir: return makes(t, CWD, TEXT(0)), 1;
  case SYS_mkdirat: return makes(t, FD(0), TEXT(1)), 1;
  case SYS_mknod: return makes(t, CWD, TEXT(0)), 1;
  case SYS_mknodat: return makes(t, FD(0), TEXT(1)), 1;
  case SYS_symlink: return changes(t, CWD, TEXT(1)), 1;
  case SYS_symlinkat: return changes(t, FD(1), TEXT(2)), 1;
  case SYS_link: return links(t, CWD, TEXT(0), 0, CWD, TEXT(1)), 1;
  case SYS_linkat: return links(t, FD(0), TEXT(1), a[4] & AT_SYMLINK_FOLLOW, FD(2), TEXT(3)), 1;
  case SYS_rename: return renames(t, CWD, TEXT(0), CWD, TEXT(1)), 1;
  case SYS_renameat:
  case SYS_renameat2: return renames(t, FD(0), TEXT(1), FD(2), TEXT(3)), 1;
  case SYS_getdents64: return lists(t, FD(0)), 1;
  case SYS_chmod:
  case SYS_chown: return alters(t, CWD, TEXT(0), 1, 0), 1;
  case SYS_lchown: return alters(t, CWD, TEXT(0), 0, 0), 1;
  case SYS_fchmod:
  case SYS_fchown: return regards(t, FD(0), HOW_CHANGE, 0), 1;
  case SYS_fchmodat:
  case FCHMODAT2:
  case SYS_fchownat: return alters(t, FD(0), TEXT(1), 1, 0), 1;
  case SYS_utimensat:
    if (!a[1]) return regards(t, FD(0), HOW_CHANGE, 0), 1;
    return alters(t, FD(0), TEXT(1), !(a[3] & AT_SYMLINK_NOFOLLOW), 0), 1;
  case SYS_chdir: return moves(t, TEXT(0)), 1;
  case SYS_fchdir: return moves(t, 0), 1;
  case SYS_fcntl: /* the flags of an open file description go with its position */
    if (a[1] == F_SETFL || a[1] == F_GETFL) flags(t, FD(0), a[1] == F_GETFL ? HOW_READ : HOW_UPDATE);
    return 1;
  case SYS_getcwd: return weave_touch(t, PART_FOLDER, 1, HOW_READ), 1;
  default: return 0;
  }
}

/* The functions that programs use most, so that their place in the code is known; the others
   come through the backstop. */
#define CALL(number, ...)                                                    \
  ({                                                                         \
    long arguments_[6] = {__VA_ARGS__};                                      \
    weave_result(weave_file_call(number, arguments_, CALLER));               \
  })
/* The path is read, and what is said about it is written. */
static void told_about(const char *path, const void *about, size_t size, uint64_t pc) {
  if (!weave_me || weave_is_own(pc)) return;
  if (path) weave_read_string(path, pc);
  if (about) weave_access(about, size, 1, pc);
}
EXPORT ssize_t pread(int fd, void *to, size_t size, off_t at) { return weave_point(CALLER), weave_read_file(SYS_pread64, fd, to, size, at, CALLER); }
EXPORT ssize_t pread64(int fd, void *to, size_t size, off_t at) { return weave_point(CALLER), weave_read_file(SYS_pread64, fd, to, size, at, CALLER); }
EXPORT ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
  weave_point(CALLER);
  weave_access(from, size, 0, CALLER);
  return CALL(SYS_pwrite64, fd, (long)from, (long)size, at);
}
EXPORT ssize_t pwrite64(int fd, const void *from, size_t size, off_t at) {
  weave_point(CALLER);
  weave_access(from, size, 0, CALLER);
  return CALL(SYS_pwrite64, fd, (long)from, (long)size, at);
}
EXPORT off_t lseek(int fd, off_t at, int whence) { return CALL(SYS_lseek, fd, at, whence); }
EXPORT off_t lseek64(int fd, off_t at, int whence) { return CALL(SYS_lseek, fd, at, whence); }
EXPORT int ftruncate(int fd, off_t length) { return (int)CALL(SYS_ftruncate, fd, length); }
EXPORT int ftruncate64(int fd, off_t length) { return (int)CALL(SYS_ftruncate, fd, length); }
EXPORT int unlink(const char *path) { return told_about(path, 0, 0, CALLER), (int)CALL(SYS_unlink, (long)path); }
EXPORT int rename(const char *path, const char *new) { return told_about(path, 0, 0, CALLER), told_about(new, 0, 0, CALLER), (int)CALL(SYS_rename, (long)path, (long)new); }
EXPORT int link(const char *path, const char *new) { return told_about(path, 0, 0, CALLER), told_about(new, 0, 0, CALLER), (int)CALL(SYS_link, (long)path, (long)new); }
EXPORT int symlink(const char *path, const char *new) { return told_about(path, 0, 0, CALLER), told_about(new, 0, 0, CALLER), (int)CALL(SYS_symlink, (long)path, (long)new); }
EXPORT int mkdir(const char *path, mode_t mode) { return told_about(path, 0, 0, CALLER), (int)CALL(SYS_mkdir, (long)path, mode); }
EXPORT int rmdir(const char *path) { return told_about(path, 0, 0, CALLER), (int)CALL(SYS_rmdir, (long)path); }
EXPORT int access(const char *path, int mode) { return told_about(path, 0, 0, CALLER), (int)CALL(SYS_access, (long)path, mode); }
EXPORT int chdir(const char *path) { return told_about(path, 0, 0, CALLER), (int)CALL(SYS_chdir, (long)path); }

struct stat64;
#define ABOUT(path, about) told_about(path, about, sizeof(struct stat), CALLER)
#define STATES(suffix, type)                                                                                                           \
  EXPORT int stat##suffix(const char *path, type *about) { return ABOUT(path, about), (int)CALL(SYS_newfstatat, AT_FDCWD, (long)path, (long)about); }      \
  EXPORT int lstat##suffix(const char *path, type *about) { ABOUT(path, about);                                                                           \
    return (int)CALL(SYS_newfstatat, AT_FDCWD, (long)path, (long)about, AT_SYMLINK_NOFOLLOW);                                          \
  }                                                                                                                                    \
  EXPORT int fstat##suffix(int fd, type *about) { return ABOUT(0, about), (int)CALL(SYS_fstat, fd, (long)about); }                                      \
  EXPORT int fstatat##suffix(int folder, const char *path, type *about, int flags) { ABOUT(path, about);                                                  \
    return (int)CALL(SYS_newfstatat, folder, (long)path, (long)about, flags);                                                          \
  }                                                                                                                                    \
  EXPORT int __xstat##suffix(int version, const char *path, type *about) {                                                             \
    (void)version, ABOUT(path, about);                                                                                                 \
    return (int)CALL(SYS_newfstatat, AT_FDCWD, (long)path, (long)about);                                                               \
  }                                                                                                                                    \
  EXPORT int __lxstat##suffix(int version, const char *path, type *about) {                                                            \
    (void)version, ABOUT(path, about);                                                                                                 \
    return (int)CALL(SYS_newfstatat, AT_FDCWD, (long)path, (long)about, AT_SYMLINK_NOFOLLOW);                                          \
  }                                                                                                                                    \
  EXPORT int __fxstat##suffix(int version, int fd, type *about) {                                                                      \
    (void)version, ABOUT(0, about);                                                                                                    \
    return (int)CALL(SYS_fstat, fd, (long)about);                                                                                      \
  }
STATES(, struct stat)
STATES(64, struct stat64)
EXPORT int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict about) {
  told_about(path, about, 256, CALLER);
  return (int)CALL(SYS_statx, folder, (long)path, flags, mask, (long)about);
}
