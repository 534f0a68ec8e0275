/* Files and folders by names that are the same in all runs.
 *
 * A file is its inode, whatever paths lead to it; but the kernel numbers inodes anew in each
 * run. So a file has the name of the path at which it was seen first, and a file that is made
 * anew has that of its path. The table is shared by all processes of a run. */
#include "content.h"
#include "text.h"
#include <fcntl.h>
#include <sys/syscall.h>

/* 40 bits. */
uint64_t weave_name_of(const char *path) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char *c = path; *c; c++) hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
  uint64_t name = hash >> 24;
  for (unsigned i = 0; i < 8; i++) {
    struct weave_path *kept = &weave_shared->path[(name + i) % LIM_PATHS];
    if (kept->name == name) break;
    if (kept->name) continue;
    for (unsigned j = 0; j + 1 < LIM_PATH && path[j]; j++) kept->text[j] = path[j];
    kept->name = name;
    break;
  }
  return name;
}

/* What the kernel puts into the name of a file that never had one. */
static void without_number(char *path) {
  const char *end = text_find(path, "/#"), *rest = end ? text_find(end, " (deleted)") : 0;
  if (rest) text_copy(path + (end - path) + 2, rest);
}

int weave_path_of(int fd, char *path) {
  char link[32];
  if (fd < 0) return 0;
  text_copy(link, "/proc/self/fd/");
  text_add_number(link, (unsigned)fd);
  long length = weave_raw(SYS_readlink, (long)link, (long)path, PATH - 1, 0, 0, 0);
  if (length <= 0 || length >= PATH - 1) return 0;
  path[length] = 0;
  without_number(path);
  return 1;
}

void weave_parent(const char *path, char *to) {
  const char *last = text_last(path, '/');
  size_t length = last && last > path ? (size_t)(last - path) : 1;
  text_part(to, path, length);
}

int weave_is_special(const char *path) {
  if (text_begins(path, "/dev/shm/")) return 0;
  return text_begins(path, "/proc/") || text_begins(path, "/sys/") || text_begins(path, "/dev/");
}

/* Folders that no program can move. */
static int is_fixed(const char *path) {
  static const char *const fixed[] = {"/tmp", "/var", "/var/tmp", "/dev", "/dev/shm", "/proc", "/sys"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (text_same(path, fixed[i])) return 1;
  return weave_is_special(path);
}

/* Where a relative path begins. */
static int start(struct weave_touches *t, int folder, const char *path, char *to) {
  if (path[0] == '/') return to[0] = 0, 1;
  if (folder != AT_FDCWD) return weave_path_of(folder, to);
  weave_touch(t, PART_FOLDER, 1, HOW_READ);
  return weave_raw(SYS_getcwd, (long)to, PATH, 0, 0, 0, 0) > 0;
}

/* A link of /proc that leads to a file which is not, or no more, at the path that it names. */
static int leads_astray(const char *link, const char *target) {
  struct stat file, there;
  if (!text_begins(link, "/proc/") || weave_raw(SYS_newfstatat, AT_FDCWD, (long)link, (long)&file, 0, 0, 0) || !S_ISREG(file.st_mode)) return 0;
  return weave_raw(SYS_newfstatat, AT_FDCWD, (long)target, (long)&there, 0, 0, 0) || there.st_ino != file.st_ino || there.st_dev != file.st_dev;
}

int weave_walk(struct weave_touches *t, int folder, const char *path, int follow, char *to) {
  char rest[PATH], target[PATH];
  if (!path || text_length(path) >= PATH || !start(t, folder, path, to)) return 0;
  if (text_same(to, "/")) to[0] = 0;
  text_copy(rest, path);
  for (int links = 0; rest[0] && links < 40;) {
    size_t length = 0, base = text_length(to);
    while (rest[length] && rest[length] != '/') length++;
    size_t end = length;
    while (rest[end] == '/') end++;
    int last = !rest[end] && end == length;
    if (base + length + 2 > PATH) return 0;
    if (length == 2 && rest[0] == '.' && rest[1] == '.') *(text_last(to, '/') ?: to) = 0;
    else if (length && !(length == 1 && rest[0] == '.')) {
      to[base] = '/';
      text_part(to + base + 1, rest, length);
      long linked = !last || follow ? weave_raw(SYS_readlink, (long)to, (long)target, PATH - 1, 0, 0, 0) : -1;
      if ((!last || linked > 0) && !is_fixed(to)) weave_touch(t, PART_ENTRY, weave_name_of(to), HOW_READ);
      if (linked > 0) {
        size_t after = text_length(rest + end);
        if ((size_t)linked + after + 2 > PATH) return 0;
        target[linked] = 0;
        if (leads_astray(to, target)) weave_text(OP_UNCONTROLLED, "a file that is opened by the path of its descriptor", 0, 0);
        if (after) {
          target[linked] = '/';
          text_copy(target + linked + 1, rest + end);
        }
        to[target[0] == '/' ? 0 : base] = 0;
        text_copy(rest, target);
        links++;
        continue;
      }
    }
    text_copy(rest, rest + end);
  }
  if (!to[0]) text_copy(to, "/");
  for (const char *c = to; *c; c++) t->way = (t->way ^ (uint8_t)*c) * 0x100000001b3u;
  return !rest[0];
}

/* The table. */
static struct weave_inode *find(const struct stat *about) {
  uint32_t count = weave_shared->inodes;
  for (uint32_t i = count < LIM_INODES ? count : LIM_INODES; i-- > 0;) {
    struct weave_inode *found = &weave_shared->inode[i];
    if (found->number == about->st_ino && found->device == about->st_dev) return found;
  }
  return 0;
}
static struct weave_inode *enter(const struct stat *about, const char *path) {
  if (weave_shared->inodes >= LIM_INODES) {
    weave_text(OP_UNCONTROLLED, "more than 1024 files", 1, 0);
    return &weave_shared->inode[0];
  }
  struct weave_inode *new = &weave_shared->inode[weave_shared->inodes++];
  *new = (struct weave_inode){about->st_dev, about->st_ino, weave_is_special(path) ? 0 : weave_name_of(path), 0};
  return new;
}

static struct stat output, input;
static int is_same(const struct stat *a, const struct stat *b) { return a->st_ino == b->st_ino && a->st_dev == b->st_dev; }
struct weave_inode *weave_file_of(int fd, struct stat *about) {
  char path[PATH];
  if (weave_models(fd) || weave_raw(SYS_fstat, fd, (long)about, 0, 0, 0, 0) || !S_ISREG(about->st_mode)) return 0;
  if (weave_me && is_same(about, &input) && about->st_mode & S_IWUSR) { /* nothing has asked for it so far */
    weave_ask(OP_INPUT, 0, 0, 0, 0, 0);
    weave_raw(SYS_fstat, fd, (long)about, 0, 0, 0, 0);
  }
  if (is_same(about, &output)) return 0; /* what is printed */
  struct weave_inode *found = find(about);
  if (!found && !weave_path_of(fd, path)) return 0;
  if (!found && about->st_nlink > 1 && weave_shared->several) weave_text(OP_UNCONTROLLED, "a file of several names, none of which was seen before", 0, 0);
  if (!found) found = enter(about, path);
  return found->name ? found : 0;
}
struct weave_inode *weave_file_at(const char *path, struct stat *about) {
  if (weave_raw(SYS_newfstatat, AT_FDCWD, (long)path, (long)about, AT_SYMLINK_NOFOLLOW, 0, 0) || !S_ISREG(about->st_mode)) return 0;
  struct weave_inode *found = find(about);
  if (!found) found = enter(about, path);
  return found->name ? found : 0;
}

void weave_made(int fd, const char *path) {
  struct stat about;
  if (weave_raw(SYS_fstat, fd, (long)&about, 0, 0, 0, 0) || !S_ISREG(about.st_mode)) return;
  struct weave_inode *found = find(&about);
  if (found) found->name = weave_name_of(path), found->mapped = 0;
  else enter(&about, path);
}

/* The folders that are emptied after each run. */
static uint64_t private[3];
void weave_find_private(void) {
  static const char *const paths[] = {"/tmp", "/var/tmp", "/dev/shm"};
  struct stat about;
  weave_raw(SYS_fstat, 1, (long)&output, 0, 0, 0, 0);
  weave_raw(SYS_fstat, 0, (long)&input, 0, 0, 0, 0);
  for (int i = 0; i < 3 && weave_shared->contained; i++)
    if (!weave_raw(SYS_newfstatat, AT_FDCWD, (long)paths[i], (long)&about, 0, 0, 0)) private[i] = about.st_dev;
}
int weave_outlives(uint64_t device) { return device != private[0] && device != private[1] && device != private[2]; }
