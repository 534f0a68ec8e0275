/* One use of each function that is given a descriptor (call_numbers.inc), chosen by number: main
 * makes the call while a thread closes the descriptor, in no order with it. If that comes first
 * the call fails, and so does the assertion. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int d, other;
static char byte[8];
static struct iovec part = {byte, 1};
static struct stat about;

static void file(void) {
  char name[] = "numbersXXXXXX";
  d = mkstemp(name);
  unlink(name);
  assert(write(d, "abcdefgh", 8) == 8);
  lseek(d, 0, SEEK_SET);
}
static void folder(void) {
  d = open(".", O_RDONLY | O_DIRECTORY);
  unlinkat(d, "weave.numbers", 0);
  unlinkat(d, "weave.numbers", AT_REMOVEDIR);
  unlinkat(d, "weave.numbers2", 0);
  close(openat(d, "weave.there", O_CREAT | O_RDWR, 0600));
  unlinkat(d, "weave.link", 0);
  assert(!symlinkat("weave.there", d, "weave.link"));
}
static void a_pipe(void) {
  int ends[2];
  assert(!pipe(ends));
  d = ends[0], other = ends[1];
  assert(write(other, "a", 1) == 1);
}
static void sink(void) {
  a_pipe();
  int end = d;
  d = other, other = end;
}
static void pair(void) {
  int ends[2];
  assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  d = ends[0], other = ends[1];
  assert(write(other, "a", 1) == 1);
}
static void counter(void) { d = eventfd(1, EFD_NONBLOCK); }

static int polled(void) {
  struct pollfd one = {d, POLLIN, 0};
  return poll(&one, 1, 0) >= 0 && !(one.revents & POLLNVAL);
}
static int selected(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(d, &set);
  struct timeval now = {0, 0};
  return select(d + 1, &set, 0, 0, &now) >= 0;
}
static int watched(void) {
  struct epoll_event event = {.events = EPOLLIN};
  return !epoll_ctl(other, EPOLL_CTL_ADD, d, &event);
}
static int option(void) {
  int value;
  socklen_t length = sizeof value;
  return !getsockopt(d, SOL_SOCKET, SO_TYPE, &value, &length);
}
static int name(int (*asks)(int, struct sockaddr *, socklen_t *)) {
  struct sockaddr_storage to;
  socklen_t length = sizeof to;
  return !asks(d, (struct sockaddr *)&to, &length);
}
static int own_name(int fd, struct sockaddr *to, socklen_t *length) { return getsockname(fd, to, length); }
static int other_name(int fd, struct sockaddr *to, socklen_t *length) { return getpeername(fd, to, length); }

static void *closes(void *unused) {
  close(d);
  return unused;
}

int main(int count, char **words) {
  int number = count > 1 ? atoi(words[1]) : 0;
  assert(count <= 2 || !chdir(words[2])); /* files of the test lie there */
  pthread_t thread;
#define USE(function, prepare, works)           \
  if (number == __LINE__) {                     \
    prepare();                                  \
    pthread_create(&thread, 0, closes, 0);      \
    int worked = (works);                       \
    assert(worked && #function);                \
    pthread_join(thread, 0);                    \
  }
#line 1 "call_numbers.inc"
#include "call_numbers.inc"
  return 0;
}
