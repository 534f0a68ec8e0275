/* Files and folders, by calls and by streams. */
#define _GNU_SOURCE
#include "say.h"
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/weave.XXXXXX";
static const char *in(const char *name) {
  static char text[4][64];
  static int next;
  next = (next + 1) % 4;
  snprintf(text[next], sizeof text[next], "%s/%s", folder, name);
  return text[next];
}
static long size_of(const char *name) {
  struct stat about;
  return stat(in(name), &about) ? -1 : about.st_size;
}
static int count(void) {
  int n = 0;
  DIR *list = opendir(folder);
  while (readdir(list)) n++;
  closedir(list);
  return n;
}

static void calls(void) {
  char b[16] = "";
  struct stat about;
  int fd = open(in("a"), O_CREAT | O_EXCL | O_RDWR, 0640);
  SAY(fd >= 0);
  SAY(open(in("a"), O_CREAT | O_EXCL | O_RDWR, 0640));
  SAY(open(in("none"), O_RDONLY));
  SAY(open(in("none/x"), O_CREAT | O_RDWR, 0600));
  SAY(open(in("a/x"), O_RDONLY));
  SAY(write(fd, "hello", 5));
  SAY(lseek(fd, 0, SEEK_CUR));
  SAY(read(fd, b, 5));
  SAY(lseek(fd, -2, SEEK_END));
  SAY(lseek(fd, -9, SEEK_SET));
  SAY(read(fd, b, 9));
  SAY(pread(fd, b, 9, 1));
  SAY(pread(fd, b, 9, -1));
  SAY(pwrite(fd, "HE", 2, 8));
  SAY(fstat(fd, &about));
  SAY(about.st_size);
  SAY(about.st_mode & 0777 & ~0027);
  struct iovec parts[] = {{b, 2}, {b + 4, 3}};
  SAY(preadv(fd, parts, 2, 0));
  SAY(pwritev(fd, parts, 2, 20));
  SAY(size_of("a"));
  SAY(ftruncate(fd, 4));
  SAY(size_of("a"));
  SAY(truncate(in("none"), 4));
  int copy = dup(fd);
  SAY(lseek(copy, 2, SEEK_SET));
  SAY(lseek(fd, 0, SEEK_CUR));
  SAY(close(copy));
  int end = open(in("a"), O_WRONLY | O_APPEND);
  SAY(write(end, "xyz", 3));
  SAY(pwrite(end, "!", 1, 0));
  SAY(read(end, b, 1));
  SAY(size_of("a"));
  int other = open(in("b"), O_CREAT | O_TRUNC | O_RDWR, 0600);
  off_t from = 1;
  SAY(sendfile(other, fd, &from, 3));
  SAY(from);
  SAY(size_of("b"));
  SAY(close(end));
  SAY(close(fd));
  SAY(close(fd));
  SAY(read(fd, b, 1));
  SAY(pread(other, b, 8, 0));
  SAY(strncmp(b, "ell", 3));
  SAY(close(other));
}

static void names(void) {
  SAY(count());
  SAY(mkdir(in("d"), 0700));
  SAY(mkdir(in("d"), 0700));
  SAY(rmdir(in("a")));
  SAY(link(in("a"), in("d/hard")));
  SAY(link(in("a"), in("d/hard")));
  SAY(symlink("../b", in("d/soft")));
  SAY(symlink("nowhere", in("d/broken")));
  SAY(access(in("d/soft"), F_OK));
  SAY(access(in("d/broken"), F_OK));
  SAY(open(in("d/broken"), O_RDONLY));
  SAY(open(in("d/soft"), O_RDONLY | O_NOFOLLOW));
  char to[64] = "";
  SAY(readlink(in("d/soft"), to, 63));
  SAY(strcmp(to, "../b"));
  SAY(readlink(in("a"), to, 63));
  struct stat about;
  SAY(lstat(in("d/soft"), &about));
  SAY(S_ISLNK(about.st_mode));
  SAY(stat(in("a"), &about));
  SAY(about.st_nlink);
  SAY(rmdir(in("d")));
  SAY(rename(in("a"), in("c")));
  SAY(rename(in("a"), in("c")));
  SAY(access(in("a"), F_OK));
  SAY(access(in("c"), R_OK));
  SAY(rename(in("b"), in("c")));
  SAY(size_of("c"));
  SAY(unlink(in("none")));
  SAY(unlink(in("d")));
  SAY(chdir(in("d")));
  SAY(access("hard", F_OK));
  SAY(access("../c", F_OK));
  SAY(chdir("/"));
  SAY(unlink(in("d/hard")));
  SAY(remove(in("d/soft")));
  SAY(unlinkat(AT_FDCWD, in("d/broken"), 0));
  SAY(unlinkat(AT_FDCWD, in("d"), AT_REMOVEDIR));
  SAY(chmod(in("c"), 0400));
  SAY(count());
}

static void streams(void) {
  char line[32] = "", *more = 0;
  size_t room = 0;
  int n = 0;
  FILE *f = fopen(in("s"), "w+");
  SAY(fopen(in("none"), "r") != 0);
  SAY(fprintf(f, "one %d\n", 1));
  SAY(fputs("two\n", f) >= 0);
  SAY(fputc('3', f));
  SAY(fwrite("\nfour", 1, 5, f));
  SAY(size_of("s"));
  SAY(fflush(f));
  SAY(size_of("s"));
  SAY(ftell(f));
  rewind(f);
  SAY(fgets(line, sizeof line, f) != 0);
  SAY(strcmp(line, "one 1\n"));
  SAY(getline(&more, &room, f));
  SAY(fscanf(f, "%d", &n));
  SAY(n);
  SAY(ungetc('x', f));
  SAY(fgetc(f));
  SAY(fseek(f, -2, SEEK_END));
  SAY(fread(line, 1, 9, f));
  SAY(getc(f));
  SAY(feof(f) != 0);
  SAY(fclose(f));
  f = fopen(in("s"), "a");
  SAY(putc('!', f));
  SAY(fclose(f));
  SAY(size_of("s"));
  f = fdopen(open(in("s"), O_RDONLY), "r");
  SAY(fputc('x', f));
  SAY(fclose(f));
  f = tmpfile();
  SAY(fputs("temporary", f) >= 0);
  SAY(fseek(f, 0, SEEK_SET));
  SAY(fread(line, 1, 32, f));
  SAY(fclose(f));
  free(more);
}

static void *all(void *unused) {
  char wrong[] = "no";
  SAY(mkstemp(wrong));
  calls();
  names();
  streams();
  char name[64];
  strcpy(name, in("t.XXXXXX"));
  int fd = mkstemp(name);
  SAY(fd >= 0);
  SAY(close(fd));
  SAY(unlink(name));
  return unused;
}

int main(int arguments, char **words) {
  begin(arguments, words);
  pthread_t t;
  SAY(mkdtemp(folder) != 0);
  pthread_create(&t, 0, all, 0);
  pthread_join(t, 0);
  pid_t child = fork();
  if (child == 0) _exit(count());
  int status;
  waitpid(child, &status, 0);
  SAY(WEXITSTATUS(status));
  SAY(unlink(in("s")));
  SAY(unlink(in("c")));
  SAY(rmdir(folder));
  end();
  return 0;
}
