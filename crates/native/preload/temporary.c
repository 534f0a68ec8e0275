/* Names for temporary files that are the same in all runs: libc's are drawn at random. */
#include "accesses.h"
#include "files.h"
#include "text.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The next name of this thread, in place of the last six X; false if they are not there. */
static int next_name(char *path, size_t after) {
  static unsigned made[LIM_SLOTS];
  size_t length = path ? text_length(path) : 0;
  if (length < after + 6 || !text_begins(path + length - after - 6, "XXXXXX")) return 0;
  unsigned slot = weave_me ? (unsigned)(weave_me - weave_shared->slot) : 0, number = slot << 18 | (made[slot]++ & 0x3ffff);
  static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (int i = 5; i >= 0; i--, number /= 36) path[length - after - 6 + (size_t)i] = digits[number % 36];
  return 1;
}

static void blank(char *at) {
  for (int i = 0; i < 6; i++) at[i] = 'X';
}
static void reported(char *path, size_t after, uint64_t pc) {
  size_t length = path ? text_length(path) : 0;
  weave_text_read(path, pc);
  if (length >= after + 6) weave_writes(path + length - after - 6, 6, pc);
}
static int make(char *path, size_t after, int flags, uint64_t pc) {
  size_t length = path ? text_length(path) : 0;
  reported(path, after, pc);
  for (int tries = 0; tries < 1000; tries++) {
    if (!next_name(path, after)) return (int)weave_result(-EINVAL);
    int fd = (int)weave_result(weave_open(AT_FDCWD, path, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600, pc));
    if (fd >= 0 || errno != EEXIST) return fd;
    blank(path + length - after - 6);
  }
  return -1;
}
static int make_before(char *path, int after, int flags, uint64_t pc) { return after < 0 ? (int)weave_result(-EINVAL) : make(path, (size_t)after, flags, pc); }
EXPORT int mkostemps(char *path, int after, int flags) { return make_before(path, after, flags, CALLER); }
EXPORT int mkstemps(char *path, int after) { return make_before(path, after, 0, CALLER); }
EXPORT int mkostemp(char *path, int flags) { return make(path, 0, flags, CALLER); }
EXPORT int mkstemp(char *path) { return make(path, 0, 0, CALLER); }
EXPORT int mkstemp64(char *path) { return make(path, 0, 0, CALLER); }
EXPORT int mkostemp64(char *path, int flags) { return make(path, 0, flags, CALLER); }
EXPORT char *mkdtemp(char *path) {
  reported(path, 0, CALLER);
  for (int tries = 0; tries < 1000; tries++) {
    if (!next_name(path, 0)) return weave_result(-EINVAL), (char *)0;
    if (!mkdir(path, 0700)) return path;
    if (errno != EEXIST) return 0;
    blank(path + text_length(path) - 6);
  }
  return 0;
}
