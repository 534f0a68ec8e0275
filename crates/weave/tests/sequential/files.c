/* Pipes, pairs of sockets, event counters, poll and epoll, queues. */
#define _GNU_SOURCE
#include "say.h"
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static char big[70000];
static void polled(int fd, int events) {
  struct pollfd p = {fd, (short)events, 0};
  SAY(poll(&p, 1, 0));
  printf("  %x\n", (unsigned)p.revents);
}
static int signals;
static void count(int unused) { (void)unused, signals++; }

int main(int count_, char **words_) {
  begin(count_, words_);
  int p[2], n;
  char b[64];
  signal(SIGPIPE, SIG_IGN);
  SAY(pipe2(p, O_NONBLOCK));
  SAY(read(p[0], b, 1));
  SAY(write(p[1], "hello", 5));
  SAY(ioctl(p[0], FIONREAD, &n));
  SAY(n);
  polled(p[0], POLLIN);
  polled(p[1], POLLOUT);
  polled(p[1], POLLIN);
  SAY(read(p[0], b, 2));
  SAY(read(p[0], b, 64));
  SAY(read(p[0], b, 0));
  SAY(write(p[1], "", 0));
  SAY(write(p[1], big, sizeof big));
  SAY(write(p[1], "x", 1));
  polled(p[1], POLLOUT);
  SAY(read(p[0], big, 4096));
  polled(p[1], POLLOUT);
  SAY(write(p[1], big, 5000));
  SAY(fcntl(p[0], F_GETPIPE_SZ));
  SAY(write(p[0], "x", 1));
  SAY(read(p[1], b, 1));
  SAY(lseek(p[0], 0, SEEK_SET));
  int copy = dup(p[1]);
  SAY(close(p[1]));
  polled(p[0], POLLIN);
  while ((n = (int)read(p[0], big, sizeof big)) > 0) printf("%d\n", n);
  SAY(n);
  SAY(close(copy));
  polled(p[0], POLLIN);
  SAY(read(p[0], b, 1));
  SAY(close(p[0]));
  SAY(close(p[0]));
  SAY(pipe(p));
  SAY(close(p[0]));
  SAY(write(p[1], "x", 1));
  polled(p[1], POLLOUT);
  signal(SIGPIPE, count);
  SAY(write(p[1], "x", 1));
  SAY(signals);
  SAY(close(p[1]));
  struct iovec two[] = {{"ab", 2}, {"cde", 3}}, into[] = {{b, 1}, {b + 10, 8}};
  SAY(pipe(p));
  SAY(writev(p[1], two, 2));
  SAY(readv(p[0], into, 2));
  SAY(b[10]);
  SAY(fcntl(p[0], F_SETFL, O_NONBLOCK));
  SAY(read(p[0], b, 1));
  SAY(dup2(p[0], 50));
  SAY(read(50, b, 1));
  SAY(close(p[1]));
  SAY(read(50, b, 1));
  SAY(close(50));
  SAY(close(p[0]));

  int s[2];
  for (int kind = 0; kind < 3; kind++) {
    int kinds[] = {SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM};
    SAY(socketpair(AF_UNIX, kinds[kind] | SOCK_NONBLOCK, 0, s));
    SAY(recv(s[0], b, 8, 0));
    SAY(send(s[0], "abcd", 4, 0));
    SAY(write(s[0], "ef", 2));
    SAY(recv(s[1], b, 3, MSG_PEEK));
    SAY(recv(s[1], b, 3, 0));
    SAY(recv(s[1], b, 8, 0));
    SAY(recv(s[1], b, 8, MSG_DONTWAIT));
    polled(s[0], POLLIN | POLLOUT);
    SAY(shutdown(s[0], SHUT_WR));
    SAY(send(s[0], "x", 1, MSG_NOSIGNAL));
    SAY(recv(s[1], b, 8, 0));
    polled(s[1], POLLIN | POLLOUT | POLLRDHUP);
    SAY(send(s[1], "back", 4, 0));
    SAY(close(s[1]));
    polled(s[0], POLLIN | POLLOUT | POLLRDHUP);
    SAY(recv(s[0], b, 8, 0));
    SAY(recv(s[0], b, 8, 0));
    SAY(send(s[0], "x", 1, MSG_NOSIGNAL));
    SAY(close(s[0]));
  }

  uint64_t v = 0;
  int e = eventfd(3, EFD_NONBLOCK | EFD_SEMAPHORE);
  SAY(read(e, &v, 8));
  SAY(v);
  SAY(read(e, &v, 4));
  polled(e, POLLIN | POLLOUT);
  v = 5;
  SAY(write(e, &v, 8));
  for (int i = 0; i < 8; i++) SAY(read(e, &v, 8));
  v = UINT64_MAX;
  SAY(write(e, &v, 8));
  v = UINT64_MAX - 1;
  SAY(write(e, &v, 8));
  polled(e, POLLIN | POLLOUT);
  v = 1;
  SAY(write(e, &v, 8));
  SAY(close(e));
  e = eventfd(0, EFD_NONBLOCK);
  v = 7;
  SAY(write(e, &v, 8));
  SAY(write(e, &v, 8));
  SAY(read(e, &v, 8));
  SAY(v);
  SAY(read(e, &v, 8));

  SAY(pipe(p));
  int ep = epoll_create1(0);
  struct epoll_event add = {.events = EPOLLIN, .data.u32 = 77}, got[4];
  SAY(epoll_ctl(ep, EPOLL_CTL_ADD, p[0], &add));
  SAY(epoll_ctl(ep, EPOLL_CTL_ADD, p[0], &add));
  SAY(epoll_ctl(ep, EPOLL_CTL_MOD, e, &add));
  SAY(epoll_ctl(ep, EPOLL_CTL_DEL, e, &add));
  SAY(epoll_wait(ep, got, 4, 0));
  SAY(write(p[1], "x", 1));
  SAY(epoll_wait(ep, got, 4, 0));
  SAY(got[0].events);
  SAY(got[0].data.u32);
  SAY(epoll_wait(ep, got, 4, 0));
  SAY(epoll_wait(ep, got, 0, 0));
  add.events = EPOLLIN | EPOLLONESHOT;
  SAY(epoll_ctl(ep, EPOLL_CTL_MOD, p[0], &add));
  SAY(epoll_wait(ep, got, 4, 0));
  SAY(epoll_wait(ep, got, 4, 0));
  SAY(epoll_ctl(ep, EPOLL_CTL_MOD, p[0], &add));
  SAY(epoll_wait(ep, got, 4, 0));
  SAY(read(p[0], b, 1));
  SAY(close(p[1]));
  SAY(epoll_ctl(ep, EPOLL_CTL_MOD, p[0], &add));
  SAY(epoll_wait(ep, got, 4, 0));
  SAY(got[0].events);
  SAY(close(p[0]));
  SAY(epoll_wait(ep, got, 4, 0));
  SAY(epoll_ctl(ep, EPOLL_CTL_ADD, ep, &add));
  SAY(close(ep));

  SAY(pipe(p));
  fd_set in, out;
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_SET(p[0], &in);
  FD_SET(p[1], &out);
  struct timeval now = {0, 0};
  SAY(select(p[1] + 1, &in, &out, 0, &now));
  SAY(FD_ISSET(p[0], &in) != 0);
  SAY(FD_ISSET(p[1], &out) != 0);
  FD_ZERO(&in);
  FD_SET(60, &in);
  SAY(select(61, &in, 0, 0, &now));
  struct pollfd bad = {60, POLLIN, 0}, none = {-1, POLLIN, 5};
  SAY(poll(&bad, 1, 0));
  SAY(bad.revents);
  SAY(poll(&none, 1, 0));
  SAY(none.revents);

  struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8}, now_is;
  struct timespec past = {1, 0};
  unsigned priority;
  mq_unlink("/weave-sequential");
  mqd_t q = mq_open("/weave-sequential", O_CREAT | O_EXCL | O_RDWR | O_NONBLOCK, 0600, &a);
  SAY(q >= 0);
  SAY(mq_open("/weave-sequential", O_CREAT | O_EXCL | O_RDWR, 0600, &a));
  SAY(mq_open("/weave-nothing", O_RDWR));
  SAY(mq_send(q, "low", 4, 1));
  SAY(mq_send(q, "high", 5, 9));
  SAY(mq_send(q, "more", 5, 1));
  SAY(mq_send(q, "far too long", 13, 1));
  SAY(mq_getattr(q, &now_is));
  SAY(now_is.mq_curmsgs);
  SAY(mq_receive(q, b, 4, &priority));
  SAY(mq_receive(q, b, 64, &priority));
  SAY(priority);
  SAY(mq_receive(q, b, 64, &priority));
  SAY(mq_receive(q, b, 64, &priority));
  mqd_t blocking = mq_open("/weave-sequential", O_RDWR);
  SAY(mq_timedreceive(blocking, b, 64, &priority, &past));
  SAY(mq_timedsend(blocking, "x", 1, 0, &past));
  SAY(mq_send(q, "x", 1, 32768));
  SAY(mq_unlink("/weave-sequential"));
  SAY(mq_unlink("/weave-sequential"));
  SAY(mq_close(q));
  SAY(mq_close(q));
  end();
  return 0;
}
