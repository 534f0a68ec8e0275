/* Pipes, socket pairs, event counters. The numbers are real descriptors, what is behind them is the
 * scheduler's: no byte of it is ever in the kernel. Whatever libc itself reads, writes or closes
 * (stdio) comes here through the backstop.
 */
#include "accesses.h"
#include "files.h"
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST 4096
static unsigned char modelled[MOST];

enum { CHANNEL = 1, PLAIN = 2 };
int weave_redirected;

int weave_models(int fd) { return weave_me && fd >= 0 && fd < MOST && modelled[fd] == CHANNEL; }
int weave_knows(int fd) { return weave_me && fd >= 0 && fd < MOST && modelled[fd]; }

void weave_adopt(int fd, uint64_t pc) {
  if (fd >= MOST) weave_text(OP_UNCONTROLLED, "more than 4096 descriptors", 1, pc);
  else modelled[fd] = CHANNEL;
}

static int failed(int64_t result) {
  if (result >= 0) return (int)result;
  errno = (int)-result;
  return -1;
}

int weave_new_file(int kind, int first, int second, int64_t flags, uint64_t pc) {
  if (first >= MOST || second >= MOST) weave_text(OP_UNCONTROLLED, "more than 4096 descriptors", 1, pc);
  modelled[first] = kind == FD_FILE ? PLAIN : CHANNEL;
  if (second >= 0) modelled[second] = CHANNEL;
  weave_ask(OP_FD_NEW, (uint64_t)first, kind, second, flags, pc);
  return first;
}

/* Making them. */
static int make_pipe(int fds[2], int flags, uint64_t pc) {
  weave_before_number_call(SYS_pipe2, (long[6]){0}, pc);
  weave_access(fds, 2 * sizeof *fds, 1, pc);
  int error = (int)weave_call(SYS_pipe2, (long)fds, flags, 0, 0, 0, 0);
  if (error || !weave_me) return failed(error);
  if (flags & O_DIRECT) weave_text(OP_UNCONTROLLED, "a pipe with O_DIRECT", OTHERWISE, pc);
  weave_new_file(FD_PIPE, fds[0], fds[1], (flags & O_NONBLOCK) != 0, pc);
  return 0;
}
EXPORT int pipe(int fds[2]) { return make_pipe(fds, 0, CALLER); }
EXPORT int pipe2(int fds[2], int flags) { return make_pipe(fds, flags, CALLER); }

EXPORT int socketpair(int domain, int type, int protocol, int fds[2]) {
  weave_before_number_call(SYS_socketpair, (long[6]){0}, CALLER);
  weave_access(fds, 2 * sizeof *fds, 1, CALLER);
  int error = REAL(socketpair)(domain, type, protocol, fds);
  if (error || !weave_me) return error;
  int style = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  int kind = style == SOCK_STREAM ? FD_STREAM : style == SOCK_SEQPACKET ? FD_PACKETS : FD_DATAGRAMS;
  if (domain != AF_UNIX) weave_text(OP_UNCONTROLLED, "socketpair", 0, CALLER);
  else weave_new_file(kind, fds[0], fds[1], (type & SOCK_NONBLOCK) != 0, CALLER);
  return 0;
}
EXPORT int eventfd(unsigned count, int flags) {
  weave_before_number_call(SYS_eventfd2, (long[6]){0}, CALLER);
  int fd = REAL(eventfd)(count, flags);
  if (fd < 0 || !weave_me) return fd;
  int64_t how = ((flags & EFD_NONBLOCK) != 0) | ((flags & EFD_SEMAPHORE) ? 2 : 0) | ((int64_t)count << 8);
  return weave_new_file(FD_EVENT, fd, -1, how, CALLER);
}

/* Reading and writing. Whether a call waits is decided when it begins, whatever others set
   meanwhile: 16 if it does. */
static int decided(int fd, int flags, uint64_t pc) {
  if (flags & 1 || !weave_shared->several || !weave_state_is_visible(STATE_FLAGS)) return flags;
  return flags | (weave_ask(OP_FD_QUERY, (uint64_t)fd, 2, 0, 0, pc) == 1 ? 1 : 16);
}
/* Where no memory of a program is. */
static int is_nowhere(const void *buffer, size_t size) { return size && ((uint64_t)buffer < 4096 || ((uint64_t)buffer | size) >> 47); }
ssize_t weave_take(int fd, void *buffer, size_t size, int flags, uint64_t pc) {
  if (is_nowhere(buffer, size)) weave_text(OP_UNCONTROLLED, "a read into no memory", 1, pc);
  flags = decided(fd, flags, pc);
  int64_t got = weave_ask(OP_FD_READ, (uint64_t)fd, (int64_t)(size < LIM_DATA ? size : LIM_DATA), flags, 0, pc);
  if (got <= 0) return failed(got);
  weave_access(buffer, (uint64_t)got, 1, pc);
  for (int64_t i = 0; i < got; i++) ((char *)buffer)[i] = (char)weave_bytes()[i];
  return got;
}

ssize_t weave_give(int fd, const void *buffer, size_t size, int flags, uint64_t pc) {
  if (is_nowhere(buffer, size)) weave_text(OP_UNCONTROLLED, "a write from no memory", 1, pc);
  flags = decided(fd, flags, pc);
  int at_once = (flags & 1) || (!(flags & 16) && weave_call(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK);
  size_t done = 0;
  weave_access(buffer, size, 0, pc);
  do {
    size_t part = size - done < LIM_DATA ? size - done : LIM_DATA;
    int64_t n = weave_ask_data(OP_FD_WRITE, (uint64_t)fd, (int64_t)part, (flags & 17) | (done ? 4 : 0), (const char *)buffer + done, part, pc);
    if (n == -EPIPE && !(flags & 8)) weave_raise(SIGPIPE);
    if (n < 0) return done ? (ssize_t)done : failed(n);
    done += (size_t)n;
    if ((size_t)n < part && at_once) break;
  } while (done < size);
  return (ssize_t)done;
}

/* What is read from a file is written to memory: as much as there was. */
ssize_t weave_read_file(long call, int fd, void *buffer, size_t size, off_t from, uint64_t pc) {
  struct weave_kept kept;
  char *room = weave_room(&kept, size, pc);
  ssize_t got = weave_result(weave_file_call(call, (long[6]){fd, (long)(room ? room : buffer), (long)size, from}, pc));
  if (got > 0) weave_access(buffer, (uint64_t)got, 1, pc);
  for (ssize_t i = 0; room && i < got; i++) ((char *)buffer)[i] = room[i];
  weave_drop(&kept);
  return got;
}

EXPORT ssize_t read(int fd, void *buffer, size_t size) {
  if (weave_models(fd)) {
    ssize_t got = weave_take(fd, buffer, size, 0, CALLER);
    if (got >= 0 || errno != EBADF || weave_models(fd)) return got; /* or the number is another file's by now */
  }
  weave_point(CALLER);
  return weave_read_file(SYS_read, fd, buffer, size, 0, CALLER);
}
EXPORT ssize_t write(int fd, const void *buffer, size_t size) {
  if (weave_models(fd)) {
    ssize_t done = weave_give(fd, buffer, size, 0, CALLER);
    if (done >= 0 || errno != EBADF || weave_models(fd)) return done;
  }
  weave_point(CALLER);
  weave_access(buffer, size, 0, CALLER);
  return weave_result(weave_file_call(SYS_write, (long[6]){fd, (long)buffer, (long)size}, CALLER));
}
EXPORT ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room) {
  if (size > room) abort();
  return read(fd, buffer, size);
}

/* Through a buffer of our own: all of it is one operation. */
ssize_t weave_gather(int fd, const struct iovec *parts, int count, int flags, uint64_t pc) {
  size_t size = 0, at = 0;
  weave_see_parts(parts, count, 0, 0, pc);
  for (int i = 0; i < count; i++) size += parts[i].iov_len;
  char *whole = malloc(size ? size : 1);
  if (!whole) return failed(-ENOMEM);
  for (int i = 0; i < count; i++) {
    weave_access(parts[i].iov_base, parts[i].iov_len, 0, pc);
    for (size_t j = 0; j < parts[i].iov_len; j++) whole[at++] = ((const char *)parts[i].iov_base)[j];
  }
  ssize_t n = weave_give(fd, whole, size, flags, pc);
  free(whole);
  return n;
}
ssize_t weave_scatter(int fd, const struct iovec *parts, int count, int flags, uint64_t pc) {
  size_t size = 0, at = 0;
  weave_see_parts(parts, count, 0, 0, pc);
  for (int i = 0; i < count; i++) size += parts[i].iov_len;
  char *whole = malloc(size ? size : 1);
  if (!whole) return failed(-ENOMEM);
  ssize_t n = weave_take(fd, whole, size, flags, pc);
  for (int i = 0; i < count && (ssize_t)at < n; i++) {
    size_t left = (size_t)n - at, part = parts[i].iov_len < left ? parts[i].iov_len : left;
    weave_access(parts[i].iov_base, part, 1, pc);
    for (size_t j = 0; j < part; j++) ((char *)parts[i].iov_base)[j] = whole[at++];
  }
  free(whole);
  return n;
}
EXPORT ssize_t readv(int fd, const struct iovec *parts, int count) {
  if (weave_models(fd)) return weave_scatter(fd, parts, count, 0, CALLER);
  weave_point(CALLER);
  weave_see_parts(parts, count, 0, 1, CALLER);
  ssize_t done = weave_result(weave_file_call(SYS_readv, (long[6]){fd, (long)parts, count}, CALLER));
  weave_see_parts(parts, count, done, 1, CALLER);
  return done;
}
EXPORT ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (weave_models(fd)) return weave_gather(fd, parts, count, 0, CALLER);
  weave_point(CALLER);
  weave_see_parts(parts, count, (ssize_t)1 << 62, 0, CALLER);
  return weave_result(weave_file_call(SYS_writev, (long[6]){fd, (long)parts, count}, CALLER));
}

/* Sockets. */
static int how(int flags, uint64_t pc) {
  if (flags & ~(MSG_DONTWAIT | MSG_PEEK | MSG_NOSIGNAL)) weave_text(OP_UNCONTROLLED, "flags of send or recv", OTHERWISE, pc);
  return ((flags & MSG_DONTWAIT) ? 1 : 0) | ((flags & MSG_PEEK) ? 2 : 0) | ((flags & MSG_NOSIGNAL) ? 8 : 0);
}
EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags) {
  if (weave_models(fd)) return weave_give(fd, buffer, size, how(flags, CALLER), CALLER);
  READS(buffer, size);
  return REAL(send)(fd, buffer, size, flags);
}
EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags) {
  if (weave_models(fd)) return weave_take(fd, buffer, size, how(flags, CALLER), CALLER);
  WRITES(buffer, size);
  return REAL(recv)(fd, buffer, size, flags);
}
EXPORT ssize_t sendto(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
  READS(to, length);
  if (weave_models(fd) && !to) return weave_give(fd, buffer, size, how(flags, CALLER), CALLER);
  READS(buffer, size);
  return REAL(sendto)(fd, buffer, size, flags, to, length);
}
EXPORT ssize_t recvfrom(int fd, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *length) {
  if (from) IN(length);
  if (!weave_models(fd)) {
    WRITES(buffer, size);
    if (from && length) WRITES(from, *length);
    return REAL(recvfrom)(fd, buffer, size, flags, from, length);
  }
  ssize_t got = weave_take(fd, buffer, size, how(flags, CALLER), CALLER);
  if (from && got >= 0) OUT(length);
  if (from && length && got >= 0) *length = 0;
  return got;
}
EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  IN(message);
  if (!weave_models(fd)) {
    READS(message->msg_name, message->msg_namelen);
    weave_see_parts(message->msg_iov, (int)message->msg_iovlen, (ssize_t)1 << 62, 0, CALLER);
    return REAL(sendmsg)(fd, message, flags);
  }
  if (message->msg_controllen) weave_text(OP_UNCONTROLLED, "descriptors sent through a socket", 1, CALLER);
  return weave_gather(fd, message->msg_iov, (int)message->msg_iovlen, how(flags, CALLER), CALLER);
}
EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  IN(message);
  if (!weave_models(fd)) {
    weave_see_parts(message->msg_iov, (int)message->msg_iovlen, (ssize_t)1 << 62, 1, CALLER);
    OUT(message);
    return REAL(recvmsg)(fd, message, flags);
  }
  ssize_t got = weave_scatter(fd, message->msg_iov, (int)message->msg_iovlen, how(flags, CALLER), CALLER);
  if (got < 0) return got;
  WRITES(&message->msg_namelen, sizeof message->msg_namelen);
  WRITES(&message->msg_controllen, sizeof message->msg_controllen);
  WRITES(&message->msg_flags, sizeof message->msg_flags);
  message->msg_controllen = message->msg_namelen = 0;
  message->msg_flags = 0;
  return got;
}
EXPORT int shutdown(int fd, int way) {
  if (!weave_models(fd)) return REAL(shutdown)(fd, way);
  return failed(weave_ask(OP_FD_SHUT, (uint64_t)fd, way, 0, 0, CALLER));
}
EXPORT int setsockopt(int fd, int level, int name, const void *value, socklen_t length) {
  READS(value, length);
  weave_use_number(SYS_setsockopt, fd, CALLER);
  if (weave_models(fd)) weave_text(OP_UNCONTROLLED, "setsockopt", OTHERWISE, CALLER);
  return REAL(setsockopt)(fd, level, name, value, length);
}

/* Numbers. */
static int forget(int fd, uint64_t pc);
/* No cancellation point, as close is. */
static void forget_at_once(int fd, uint64_t pc) {
  char before = weave_uncancelled;
  weave_uncancelled = 1;
  forget(fd, pc);
  weave_uncancelled = before;
}
static int forget(int fd, uint64_t pc) {
  if (fd >= 0 && fd <= 2) weave_redirects(pc);
  weave_forget_region(fd);
  if (!weave_knows(fd)) return 0;
  int64_t error = weave_ask(OP_FD_CLOSE, (uint64_t)fd, 0, 0, 0, pc);
  if (!error) modelled[fd] = 0;
  return (int)error;
}
int weave_close(int fd, uint64_t pc) {
  weave_before_number_call(SYS_close, (long[6]){fd}, pc);
  int error = forget(fd, pc);
  return failed(error ? error : (int)weave_call(SYS_close, fd, 0, 0, 0, 0, 0));
}
EXPORT int close(int fd) {
  if (!weave_models(fd)) weave_point(CALLER);
  return weave_close(fd, CALLER);
}
static int closes_range(unsigned first, unsigned last, int flags, uint64_t pc) {
  if (flags & ~4) weave_text(OP_UNCONTROLLED, "close_range(CLOSE_RANGE_UNSHARE)", 0, pc);
  if (flags & 4) weave_common(COMMON_DESCRIPTIONS, HOW_UPDATE, pc); /* CLOSE_RANGE_CLOEXEC */
  else weave_before_number_call(SYS_close_range, (long[6]){first, last}, pc);
  for (unsigned fd = first; !(flags & 4) && fd <= last && fd < MOST; fd++)
    if (weave_call(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0) >= 0) forget_at_once((int)fd, pc);
  return failed((int)weave_call(SYS_close_range, first, last, flags, 0, 0, 0));
}
EXPORT int close_range(unsigned first, unsigned last, int flags) { return closes_range(first, last, flags, CALLER); }
EXPORT void closefrom(int first) { closes_range(first < 0 ? 0 : (unsigned)first, ~0u, 0, CALLER); }

/* The scheduler knows whether it is closed by then. The number, and which one is next, are
 * looked at in the last turn before the call. */
static void asks_open(int fd, uint64_t pc) {
  if (weave_me && weave_models(fd) && weave_shared->several && !weave_is_own(pc)) weave_ask(OP_FD_QUERY, (uint64_t)fd, 2, 0, 0, pc);
}
static int copied(int old, int new, uint64_t pc) {
  if (new < 0) return failed(new);
  weave_copy_region(old, new);
  if (!weave_knows(old)) return new;
  if (new >= MOST) weave_text(OP_UNCONTROLLED, "more than 4096 descriptors", 1, pc);
  modelled[new] = modelled[old];
  weave_ask(OP_FD_DUP, (uint64_t)old, new, 0, 0, pc);
  return new;
}
EXPORT int dup(int old) {
  asks_open(old, CALLER);
  weave_before_number_call(SYS_dup, (long[6]){old}, CALLER);
  return copied(old, (int)weave_call(SYS_dup, old, 0, 0, 0, 0, 0), CALLER);
}
static int onto(int old, int new, int flags, uint64_t pc) {
  asks_open(old, pc);
  weave_before_number_call(SYS_dup3, (long[6]){old, new}, pc);
  if (weave_call(SYS_fcntl, old, F_GETFD, 0, 0, 0, 0) >= 0) forget_at_once(new, pc);
  return copied(old, (int)weave_call(SYS_dup3, old, new, flags, 0, 0, 0), pc);
}
EXPORT int dup2(int old, int new) {
  if (old == new) return weave_call(SYS_fcntl, old, F_GETFD, 0, 0, 0, 0) >= 0 ? new : failed(-EBADF);
  return onto(old, new, 0, CALLER);
}
EXPORT int dup3(int old, int new, int flags) { return old == new ? failed(-EINVAL) : onto(old, new, flags, CALLER); }

/* What else fcntl and ioctl ask for or change: flags of a number, who is sent signals, leases,
   seals. */
static void regards(int command, uint64_t pc) {
  switch (command) {
  case F_DUPFD:
  case F_DUPFD_CLOEXEC:
  case F_GETFL:
  case F_SETFL: return; /* of their own */
  case F_GETFD:
  case F_GETOWN:
  case F_GETOWN_EX:
  case F_GETSIG:
  case F_GETLEASE:
  case F_GETPIPE_SZ:
  case F_GET_SEALS: return weave_common(COMMON_DESCRIPTIONS, HOW_READ, pc);
  case F_SETFD:
  case F_SETOWN:
  case F_SETOWN_EX:
  case F_SETSIG: return weave_common(COMMON_DESCRIPTIONS, HOW_UPDATE, pc);
  case F_ADD_SEALS: /* what others may do with the file */
    if (weave_me && weave_shared->several) weave_text(OP_UNCONTROLLED, "a seal of a file while others exist", 0, pc);
    return weave_common(COMMON_DESCRIPTIONS, HOW_UPDATE, pc);
  default:
    if (weave_me && !weave_is_lock(command) && command != F_SETPIPE_SZ) weave_text(OP_UNCONTROLLED, "an unusual fcntl", OTHERWISE, pc);
  }
}
int weave_control(int fd, int command, long argument, uint64_t pc) {
  if (weave_is_lock(command)) weave_reads((void *)argument, sizeof(struct flock), pc);
  if (command == F_GETLK || command == F_OFD_GETLK) weave_writes((void *)argument, sizeof(struct flock), pc);
  if (command == F_GETOWN_EX) weave_writes((void *)argument, sizeof(struct f_owner_ex), pc);
  if (command == F_SETOWN_EX) weave_reads((void *)argument, sizeof(struct f_owner_ex), pc);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC || command == F_GETFD || command == F_SETFD) asks_open(fd, pc);
  if (weave_models(fd)) weave_before_number_call(SYS_fcntl, (long[6]){fd, command, argument}, pc);
  else weave_before_file_call(SYS_fcntl, (long[6]){fd, command, argument}, pc);
  regards(command, pc);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
    return copied(fd, (int)weave_call(SYS_fcntl, fd, command, argument, 0, 0, 0), pc);
  if (weave_models(fd)) {
    if (command == F_GETFL) weave_ask(OP_FD_QUERY, (uint64_t)fd, 2, 0, 0, pc);
    if (command == F_SETFL && weave_shared->several) weave_state(STATE_FLAGS, HOW_CHANGE, pc);
    if (command == F_GETPIPE_SZ) return failed(weave_ask(OP_FD_QUERY, (uint64_t)fd, 1, 0, 0, pc));
    if (command == F_SETPIPE_SZ) weave_text(OP_UNCONTROLLED, "fcntl(F_SETPIPE_SZ)", 1, pc);
    if (command == F_SETFL) weave_ask(OP_FD_FLAGS, (uint64_t)fd, (argument & O_NONBLOCK) != 0, 0, 0, pc);
    if (command == F_SETFL && (argument & O_ASYNC)) weave_text(OP_UNCONTROLLED, "O_ASYNC", OTHERWISE, pc);
  } else if (weave_me && weave_is_lock(command)) {
    return weave_file_lock(fd, command, argument, pc);
  }
  return (int)weave_result(weave_call(SYS_fcntl, fd, command, argument, 0, 0, 0));
}
EXPORT int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  return weave_control(fd, command, argument, CALLER);
}
EXPORT int fcntl64(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  return weave_control(fd, command, argument, CALLER);
}
EXPORT int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  int *argument = va_arg(list, int *);
  va_end(list);
  weave_before_number_call(SYS_ioctl, (long[6]){fd}, CALLER);
  if (weave_me && !weave_models(fd)) {
    if (request == TCGETS || request == TIOCGWINSZ) WRITES(argument, request == TCGETS ? 60 : 8);
    else if (request == FIONREAD) weave_before_file_call(SYS_lseek, (long[6]){fd, 0, SEEK_END}, CALLER), OUT(argument);
    else if (request == FIONBIO) IN(argument);
    else if (request != FIOCLEX && request != FIONCLEX) weave_text(OP_UNCONTROLLED, "ioctl", OTHERWISE, CALLER);
  }
  if (weave_models(fd)) {
    if (request == FIONREAD) {
      int64_t n = weave_ask(OP_FD_QUERY, (uint64_t)fd, 0, 0, 0, CALLER);
      if (n >= 0) OUT(argument);
      if (n >= 0) *argument = (int)n;
      return n < 0 ? failed(n) : 0;
    }
    if (request == FIONBIO && weave_shared->several) weave_state(STATE_FLAGS, HOW_CHANGE, CALLER);
    if (request == FIONBIO) IN(argument);
    if (request == FIONBIO) weave_ask(OP_FD_FLAGS, (uint64_t)fd, *argument != 0, 0, 0, CALLER);
    else if (request != FIOCLEX && request != FIONCLEX) weave_text(OP_UNCONTROLLED, "ioctl", OTHERWISE, CALLER);
  }
  weave_common(COMMON_DESCRIPTIONS, request == FIONREAD ? HOW_READ : HOW_UPDATE, CALLER);
  return (int)weave_result(weave_call(SYS_ioctl, fd, (long)request, (long)argument, 0, 0, 0));
}
