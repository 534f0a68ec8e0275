/* What is ready: poll, select, epoll. Descriptors that are not modelled (files, terminals) are
   asked of the kernel, at once. */
#include "accesses.h"
#include "files.h"
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

static int failed(int64_t result) {
  if (result >= 0) return (int)result;
  errno = (int)-result;
  return -1;
}

/* Milliseconds of poll and epoll_wait. */
static int wait_of(int limit) {
  if (limit > 0) weave_within((uint64_t)limit * 1000000u);
  return limit < 0 ? FD_FOREVER : limit ? FD_TIMED : FD_AT_ONCE;
}
static int wait_of_spec(const struct timespec *limit) {
  if (limit) weave_within(weave_nanoseconds(limit));
  return !limit ? FD_FOREVER : limit->tv_sec || limit->tv_nsec ? FD_TIMED : FD_AT_ONCE;
}

static int any_modelled(const struct pollfd *fds, nfds_t count) {
  for (nfds_t i = 0; i < count; i++)
    if (weave_models(fds[i].fd)) return 1;
  return 0;
}

/* Only the kernel's: whatever it says, it says at once. */
static int of_kernel(struct pollfd *fds, nfds_t count) {
  int ready = 0;
  for (nfds_t i = 0; i < count; i++) {
    fds[i].revents = 0;
    if (fds[i].fd < 0 || weave_models(fds[i].fd)) continue;
    struct timespec now = {0, 0};
    ready += weave_call(SYS_ppoll, (long)&fds[i], 1, (long)&now, 0, 8, 0) == 1;
  }
  return ready;
}

/* Numbers and what is asked of them are read. */
static void see(const struct pollfd *fds, nfds_t count, uint64_t pc) {
  for (nfds_t i = 0; i < count && count <= LIM_DATA / sizeof *fds; i++) weave_reads(&fds[i], offsetof(struct pollfd, revents), pc);
}
/* And what is ready is written: at once, behind everything that may have to wait. */
static void answers(struct pollfd *fds, const struct pollfd *from, nfds_t count, uint64_t pc) {
  for (nfds_t i = 0; i < count; i++) {
    weave_writes(&fds[i].revents, sizeof fds[i].revents, pc);
    fds[i].revents = from[i].revents;
  }
}
static int ask(struct pollfd *fds, nfds_t count, int wait, uint64_t pc) {
  if (count > LIM_DATA / sizeof *fds) return failed(-EINVAL);
  if (weave_has_threads()) weave_before_number_call(SYS_poll, (long[6]){(long)fds, (long)count}, pc);
  if (!any_modelled(fds, count)) weave_point(pc);
  int others = of_kernel(fds, count);
  if (!any_modelled(fds, count)) {
    if (others || wait == FD_AT_ONCE) return others;
    if (wait == FD_FOREVER && count) weave_text(OP_UNCONTROLLED, "poll of a descriptor that is not modelled", 1, pc);
    /* Without descriptors it is a way to sleep. */
    if (wait == FD_TIMED) return failed(-weave_sleep_on());
  }
  struct pollfd *question = calloc(count + 1, sizeof *fds);
  if (!question) return failed(-ENOMEM);
  for (nfds_t i = 0; i < count; i++) {
    question[i] = fds[i];
    if (!weave_models(fds[i].fd)) question[i].fd = -1;
  }
  int64_t ready = weave_ask_data(OP_FD_POLL, ~0ull, (int64_t)count, others ? FD_AT_ONCE : wait, question, count * sizeof *fds, pc);
  for (nfds_t i = 0; ready >= 0 && i < count; i++)
    if (question[i].fd >= 0) fds[i].revents = ((struct pollfd *)weave_bytes())[i].revents;
  free(question);
  return ready < 0 ? failed(ready) : (int)ready + others;
}

static int ask_for(struct pollfd *fds, nfds_t count, int wait, uint64_t pc) {
  see(fds, count, pc);
  if (!weave_reported(pc) || !count || count > LIM_DATA / sizeof *fds) return ask(fds, count, wait, pc);
  struct pollfd *copy = calloc(count, sizeof *fds);
  if (!copy) return failed(-ENOMEM);
  for (nfds_t i = 0; i < count; i++) copy[i] = fds[i];
  int ready = ask(copy, count, wait, pc), kept = errno;
  if (ready >= 0) answers(fds, copy, count, pc);
  free(copy);
  errno = kept;
  return ready;
}
EXPORT int poll(struct pollfd *fds, nfds_t count, int limit) {
  return weave_me ? ask_for(fds, count, wait_of(limit), CALLER) : REAL(poll)(fds, count, limit);
}
EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int limit, size_t room) {
  if (room / sizeof *fds < count) abort();
  return weave_me ? ask_for(fds, count, wait_of(limit), CALLER) : REAL(poll)(fds, count, limit);
}
EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
  if (!weave_me) return REAL(ppoll)(fds, count, limit, mask);
  IN(limit);
  if (!weave_is_time(limit)) return failed(-EINVAL);
  if (mask) weave_text(OP_UNCONTROLLED, "ppoll with a signal mask", OTHERWISE, CALLER);
  return ask_for(fds, count, wait_of_spec(limit), CALLER);
}

static int selected(int count, fd_set *in, fd_set *out, fd_set *odd, int wait, uint64_t pc) {
  if (count < 0 || count > FD_SETSIZE) return failed(-EINVAL);
  struct pollfd fds[FD_SETSIZE];
  int n = 0, bits = 0;
  size_t size = (size_t)(count + 63) / 64 * 8;
  weave_reads(in, size, pc);
  weave_reads(out, size, pc);
  weave_reads(odd, size, pc);
  for (int fd = 0; fd < count; fd++) {
    short events = (short)((in && FD_ISSET(fd, in) ? POLLIN : 0) | (out && FD_ISSET(fd, out) ? POLLOUT : 0) |
                           (odd && FD_ISSET(fd, odd) ? POLLPRI : 0));
    if (events) fds[n++] = (struct pollfd){fd, events, 0};
  }
  int ready = ask(fds, (nfds_t)n, wait, pc);
  if (ready < 0) return ready;
  for (int i = 0; i < n; i++)
    if (fds[i].revents & POLLNVAL) return failed(-EBADF);
  for (int i = 0; i < 3; i++) {
    fd_set *set = i == 0 ? in : i == 1 ? out : odd;
    if (set) weave_access(set, size, 1, pc);
  }
  if (in) FD_ZERO(in);
  if (out) FD_ZERO(out);
  if (odd) FD_ZERO(odd);
  for (int i = 0; i < n; i++) {
    int set = fds[i].revents, asked = fds[i].events;
    if ((asked & POLLIN) && (set & (POLLIN | POLLHUP | POLLERR))) FD_SET(fds[i].fd, in), bits++;
    if ((asked & POLLOUT) && (set & (POLLOUT | POLLERR))) FD_SET(fds[i].fd, out), bits++;
    if ((asked & POLLPRI) && (set & POLLPRI)) FD_SET(fds[i].fd, odd), bits++;
  }
  return bits;
}
EXPORT int select(int count, fd_set *in, fd_set *out, fd_set *odd, struct timeval *limit) {
  if (!weave_me) return REAL(select)(count, in, out, odd, limit);
  IN(limit);
  OUT(limit); /* what is left */
  if (limit && (limit->tv_sec < 0 || limit->tv_usec < 0)) return failed(-EINVAL);
  struct timespec spec = {limit ? limit->tv_sec : 0, limit ? limit->tv_usec * 1000 : 0};
  int ready = selected(count, in, out, odd, wait_of_spec(limit ? &spec : 0), CALLER);
  if (!ready && limit) *limit = (struct timeval){0, 0};
  return ready;
}
EXPORT int pselect(int count, fd_set *in, fd_set *out, fd_set *odd, const struct timespec *limit, const sigset_t *mask) {
  if (!weave_me) return REAL(pselect)(count, in, out, odd, limit, mask);
  IN(limit);
  if (!weave_is_time(limit)) return failed(-EINVAL);
  if (mask) weave_text(OP_UNCONTROLLED, "pselect with a signal mask", OTHERWISE, CALLER);
  return selected(count, in, out, odd, wait_of_spec(limit), CALLER);
}

/* Epoll. */
EXPORT int epoll_create1(int flags) {
  weave_before_number_call(SYS_epoll_create1, (long[6]){0}, CALLER);
  int fd = REAL(epoll_create1)(flags);
  return fd < 0 || !weave_me ? fd : weave_new_file(FD_EPOLL, fd, -1, 0, CALLER);
}
EXPORT int epoll_create(int size) {
  weave_before_number_call(SYS_epoll_create1, (long[6]){0}, CALLER);
  int fd = REAL(epoll_create)(size);
  return fd < 0 || !weave_me ? fd : weave_new_file(FD_EPOLL, fd, -1, 0, CALLER);
}
EXPORT int epoll_ctl(int epoll, int command, int fd, struct epoll_event *event) {
  if (!weave_models(epoll)) return REAL(epoll_ctl)(epoll, command, fd, event);
  if (fd == epoll) return failed(-EINVAL);
  if (!weave_models(fd)) weave_text(OP_UNCONTROLLED, "epoll of a descriptor that is not modelled", OTHERWISE, CALLER);
  if (command != EPOLL_CTL_DEL) IN(event);
  struct epoll_event none = {0};
  if (!event || command == EPOLL_CTL_DEL) event = &none;
  if (event->events & EPOLLET) weave_text(OP_UNCONTROLLED, "EPOLLET", OTHERWISE, CALLER);
  if (event->events & EPOLLEXCLUSIVE) weave_text(OP_UNCONTROLLED, "EPOLLEXCLUSIVE", OTHERWISE, CALLER);
  return failed(weave_ask_data(OP_EPOLL_CTL, (uint64_t)epoll, command, fd, event, sizeof *event, CALLER));
}
static int epolled(int epoll, struct epoll_event *events, int room, int wait, uint64_t pc) {
  if (room <= 0 || (size_t)room > LIM_DATA / sizeof *events) return failed(-EINVAL);
  int64_t ready = weave_ask(OP_EPOLL_WAIT, (uint64_t)epoll, room, wait, 0, pc);
  if (ready > 0) weave_access(events, (uint64_t)ready * sizeof *events, 1, pc);
  for (int64_t i = 0; i < ready; i++) events[i] = ((const struct epoll_event *)weave_bytes())[i];
  if (ready > 1) weave_text(OP_ASSUME, "epoll_wait tells events in the order of registration", 0, pc);
  return failed(ready);
}
EXPORT int epoll_wait(int epoll, struct epoll_event *events, int room, int limit) {
  if (!weave_models(epoll)) return REAL(epoll_wait)(epoll, events, room, limit);
  return epolled(epoll, events, room, wait_of(limit), CALLER);
}
EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int room, int limit, const sigset_t *mask) {
  if (!weave_models(epoll)) return REAL(epoll_pwait)(epoll, events, room, limit, mask);
  if (mask) weave_text(OP_UNCONTROLLED, "epoll_pwait with a signal mask", OTHERWISE, CALLER);
  return epolled(epoll, events, room, wait_of(limit), CALLER);
}
