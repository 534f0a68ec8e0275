/* Locks on files, and FIFOs. */
#define _GNU_SOURCE
#include "say.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *name = "/tmp/weave-sequential.lock", *pipe_name = "/tmp/weave-sequential.fifo";
static int own(int fd, int command, int type, int whence, off_t start, off_t length) {
  struct flock l = {.l_type = (short)type, .l_whence = (short)whence, .l_start = start, .l_len = length};
  int answer = fcntl(fd, command, &l);
  if (answer == 0 && (command == F_GETLK || command == F_OFD_GETLK))
    printf("  %d %d %ld %ld %s\n", l.l_type, l.l_whence, (long)l.l_start, (long)l.l_len,
           l.l_type == F_UNLCK ? "" : l.l_pid == getppid() ? "parent" : l.l_pid == -1 ? "none" : "other");
  return answer;
}
static void in_child(int (*what)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int status = what();
    fflush(stdout);
    _exit(status);
  }
  int status;
  SAY(waitpid(child, &status, 0) == child);
  SAY(WEXITSTATUS(status));
}
static int fd, other;
static int looks(void) {
  int mine = open(name, O_RDWR);
  SAY(own(mine, F_GETLK, F_WRLCK, SEEK_SET, 0, 0));
  SAY(own(mine, F_GETLK, F_RDLCK, SEEK_SET, 0, 0));
  SAY(own(mine, F_GETLK, F_WRLCK, SEEK_SET, 40, 5));
  SAY(own(mine, F_SETLK, F_WRLCK, SEEK_SET, 0, 5));
  SAY(own(mine, F_SETLK, F_RDLCK, SEEK_SET, 12, 1));
  SAY(own(mine, F_SETLK, F_WRLCK, SEEK_SET, 100, 1));
  SAY(lseek(mine, 3, SEEK_SET));
  SAY(lockf(mine, F_TEST, 2));
  SAY(lockf(mine, F_TLOCK, 1));
  return 0;
}
static int flocks(void) {
  int mine = open(name, O_RDWR);
  SAY(flock(mine, LOCK_EX | LOCK_NB));
  SAY(flock(mine, LOCK_SH | LOCK_NB));
  SAY(flock(other, LOCK_EX | LOCK_NB)); /* inherited: the same */
  SAY(flock(mine, LOCK_SH | LOCK_NB));
  SAY(flock(other, LOCK_SH | LOCK_NB));
  SAY(flock(mine, LOCK_SH | LOCK_NB));
  SAY(flock(mine, LOCK_EX | LOCK_NB));
  SAY(flock(other, LOCK_EX | LOCK_NB)); /* the other one's was lost when it tried */
  return 0;
}

int main(int count_, char **words_) {
  begin(count_, words_);
  char b[8];
  unlink(name), unlink(pipe_name);
  fd = open(name, O_CREAT | O_RDWR, 0600);
  SAY(write(fd, "0123456789", 10));
  SAY(own(fd, F_SETLK, F_WRLCK, SEEK_SET, 0, 10));
  SAY(own(fd, F_SETLK, F_RDLCK, SEEK_CUR, 0, 5));
  SAY(own(fd, F_SETLK, F_RDLCK, SEEK_END, 10, 10));
  SAY(own(fd, F_SETLK, F_UNLCK, SEEK_SET, 4, 2));
  SAY(own(fd, F_SETLK, F_RDLCK, SEEK_SET, 6, 2));
  SAY(own(fd, F_SETLK, F_WRLCK, SEEK_SET, -1, 2));
  SAY(own(fd, F_SETLK, 77, SEEK_SET, 0, 2));
  SAY(own(fd, F_SETLK, F_RDLCK, SEEK_SET, 60, -10));
  SAY(own(fd, F_GETLK, F_WRLCK, SEEK_SET, 0, 0));
  in_child(looks);
  int reads = open(name, O_RDONLY);
  SAY(own(reads, F_SETLK, F_WRLCK, SEEK_SET, 0, 1));
  SAY(close(reads));
  in_child(looks);
  SAY(own(fd, F_OFD_SETLK, F_WRLCK, SEEK_SET, 0, 10));
  SAY(own(fd, F_SETLK, F_RDLCK, SEEK_SET, 0, 1));
  in_child(looks);
  SAY(close(fd));
  other = open(name, O_RDWR);
  SAY(flock(other, LOCK_SH));
  SAY(flock(other, LOCK_EX));
  SAY(flock(other, 77));
  SAY(flock(99, LOCK_EX));
  in_child(flocks);
  SAY(flock(other, LOCK_UN));
  SAY(flock(other, LOCK_UN));

  SAY(mkfifo(pipe_name, 0600));
  SAY(mkfifo(pipe_name, 0600));
  SAY(open(pipe_name, O_WRONLY | O_NONBLOCK));
  int in = open(pipe_name, O_RDONLY | O_NONBLOCK);
  SAY(in >= 0);
  SAY(read(in, b, 1));
  int out = open(pipe_name, O_WRONLY | O_NONBLOCK);
  SAY(out >= 0);
  SAY(read(in, b, 1));
  SAY(write(out, "abc", 3));
  SAY(read(in, b, 2));
  int again = open(pipe_name, O_WRONLY);
  SAY(again >= 0);
  SAY(close(out));
  SAY(read(in, b, 2));
  SAY(read(in, b, 2));
  SAY(close(again));
  SAY(read(in, b, 2));
  SAY(close(in));
  int both = open(pipe_name, O_RDWR);
  SAY(write(both, "xy", 2));
  SAY(read(both, b, 8));
  SAY(fcntl(both, F_SETFL, O_NONBLOCK));
  SAY(read(both, b, 8));
  SAY(close(both));
  SAY(unlink(pipe_name));
  SAY(unlink(name));
  end();
  return 0;
}
