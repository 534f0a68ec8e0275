/* POSIX message queues, modelled; and names of semaphores and shared memory, whose objects are
   real. */
#include "accesses.h"
#include "content.h"
#include "files.h"
#include "marks.h"
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <limits.h>
#include <unistd.h>

enum { SEMAPHORE = 4, MEMORY = 5 }; /* families of names */

static int failed(int64_t result) {
  if (result >= 0) return (int)result;
  errno = (int)-result;
  return -1;
}
static int64_t named(uint32_t op, uint64_t family, const char *name, int64_t flags, int64_t b, uint64_t pc) {
  return weave_ask_data(op, family, flags, b, name, strlen(name), pc);
}

static mqd_t open_queue(const char *name, int flags, const struct mq_attr *wanted, uint64_t pc) {
  int64_t most = 10, longest = 8192;
  weave_text_read(name, pc);
  weave_reads(wanted, sizeof *wanted, pc);
  if (wanted && (flags & O_CREAT)) most = wanted->mq_maxmsg, longest = wanted->mq_msgsize;
  if (most <= 0 || longest <= 0 || most > 0xffff || longest > LIM_DATA - 8) return failed(-EINVAL);
  int64_t id = named(OP_MQ_OPEN, 0, name, flags, most | (longest << 16), pc);
  if (id < 0) return failed(id);
  weave_before_number_call(SYS_mq_open, (long[6]){0}, pc);
  int fd = (int)weave_call(SYS_memfd_create, (long)"queue", MFD_CLOEXEC, 0, 0, 0, 0);
  if (fd < 0) return failed(fd);
  return weave_new_file(FD_QUEUE, fd, -1, ((flags & O_NONBLOCK) != 0) | (id << 8), pc);
}
EXPORT mqd_t mq_open(const char *name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  struct mq_attr *attributes = va_arg(list, struct mq_attr *);
  va_end(list);
  if (!weave_me) return REAL(mq_open)(name, flags, mode, attributes);
  if (*name != '/') return (mqd_t)failed(-EINVAL);
  return open_queue(name, flags, flags & O_CREAT ? attributes : 0, CALLER);
}
EXPORT mqd_t __mq_open_2(const char *name, int flags) { return mq_open(name, flags, 0, 0); }
EXPORT int mq_close(mqd_t queue) { return weave_models(queue) ? close(queue) : REAL(mq_close)(queue); }
EXPORT int mq_unlink(const char *name) {
  TEXT(name);
  return weave_me ? failed(named(OP_MQ_UNLINK, 0, name, 0, 0, CALLER)) : REAL(mq_unlink)(name);
}

static int send_to(mqd_t queue, const char *text, size_t length, unsigned priority, int timed, uint64_t pc) {
  if (priority >= 32768) return failed(-EINVAL);
  if (length > LIM_DATA - 8) return failed(-EMSGSIZE);
  weave_access(text, length, 0, pc);
  return failed(weave_ask_all(OP_MQ_SEND, (uint64_t)queue, priority, 0, timed, text, length, pc));
}
static ssize_t receive_from(mqd_t queue, char *text, size_t room, unsigned *priority, int timed, uint64_t pc) {
  int64_t length = weave_ask(OP_MQ_RECEIVE, (uint64_t)queue, (int64_t)room, 0, timed, pc);
  if (length < 0) return failed(length);
  unsigned sent = (unsigned)*(int64_t *)weave_bytes();
  weave_access(text, (uint64_t)length, 1, pc);
  for (int64_t i = 0; i < length; i++) text[i] = (char)weave_bytes()[8 + i];
  weave_writes(priority, sizeof *priority, pc);
  if (priority) *priority = sent;
  return length;
}
EXPORT int mq_send(mqd_t queue, const char *text, size_t length, unsigned priority) {
  return weave_models(queue) ? send_to(queue, text, length, priority, 0, CALLER) : REAL(mq_send)(queue, text, length, priority);
}
EXPORT int mq_timedsend(mqd_t queue, const char *text, size_t length, unsigned priority, const struct timespec *limit) {
  IN(limit);
  return weave_models(queue) ? (weave_until(limit), send_to(queue, text, length, priority, 1, CALLER))
                             : REAL(mq_timedsend)(queue, text, length, priority, limit);
}
EXPORT ssize_t mq_receive(mqd_t queue, char *text, size_t room, unsigned *priority) {
  return weave_models(queue) ? receive_from(queue, text, room, priority, 0, CALLER) : REAL(mq_receive)(queue, text, room, priority);
}
EXPORT ssize_t mq_timedreceive(mqd_t queue, char *restrict text, size_t room, unsigned *restrict priority, const struct timespec *limit) {
  IN(limit);
  return weave_models(queue) ? (weave_until(limit), receive_from(queue, text, room, priority, 1, CALLER))
                             : REAL(mq_timedreceive)(queue, text, room, priority, limit);
}
static int attributes(mqd_t queue, struct mq_attr *result, uint64_t pc) {
  int64_t error = weave_ask(OP_MQ_ATTRIBUTES, (uint64_t)queue, 0, 0, 0, pc);
  if (error < 0) return failed(error);
  int64_t all[3];
  memcpy(all, weave_bytes(), sizeof all);
  weave_writes(result, sizeof *result, pc);
  memset(result, 0, sizeof *result);
  result->mq_maxmsg = all[0], result->mq_msgsize = all[1], result->mq_curmsgs = all[2];
  result->mq_flags = weave_call(SYS_fcntl, queue, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK;
  return 0;
}
EXPORT int mq_getattr(mqd_t queue, struct mq_attr *result) {
  return weave_models(queue) ? attributes(queue, result, CALLER) : REAL(mq_getattr)(queue, result);
}
EXPORT int mq_setattr(mqd_t queue, const struct mq_attr *restrict new, struct mq_attr *restrict old) {
  if (!weave_models(queue)) return REAL(mq_setattr)(queue, new, old);
  IN(new);
  if (old && attributes(queue, old, CALLER)) return -1;
  return fcntl(queue, F_SETFL, (long)(new->mq_flags & O_NONBLOCK));
}
EXPORT int mq_notify(mqd_t queue, const struct sigevent *event) {
  if (weave_me) weave_text(OP_UNCONTROLLED, "mq_notify", 1, CALLER);
  return REAL(mq_notify)(queue, event);
}

/* What libc does to files for these is of no interest. */
#define UNSEEN(call)               \
  ({                               \
    struct weave_slot *me_ = weave_me; \
    weave_me = 0;                  \
    __typeof__(call) done_ = call; \
    weave_me = me_;                \
    done_;                         \
  })
/* How often each was opened: the last who closes it unmaps it. */
static struct open_semaphore {
  sem_t *at;
  unsigned times;
} open_semaphores[64];
static struct open_semaphore *find(const sem_t *s) {
  for (size_t i = 0; i < sizeof open_semaphores / sizeof *open_semaphores; i++)
    if (open_semaphores[i].at == s) return &open_semaphores[i];
  return 0;
}
static void opened(sem_t *s) {
  struct open_semaphore *known = find(s) ?: find(0);
  if (known) known->at = s, known->times++;
  else weave_text(OP_UNCONTROLLED, "more than 64 named semaphores", 0, 0);
}
static int closed(const sem_t *s) {
  struct open_semaphore *known = find(s);
  if (!known || --known->times) return 0;
  known->at = 0;
  return 1;
}
/* Named semaphores: the memory that libc maps is shared between processes, under the name. */
EXPORT sem_t *sem_open(const char *name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  unsigned value = va_arg(list, unsigned);
  va_end(list);
  if (!weave_me) return REAL(sem_open)(name, flags, mode, value);
  TEXT(name);
  const char *rest = name + strspn(name, "/");
  if (!*rest || strchr(rest, '/')) return failed(-EINVAL), SEM_FAILED;
  if (flags & O_CREAT && value > INT_MAX) weave_text(OP_UNCONTROLLED, "sem_open with a value that is none", OTHERWISE, CALLER);
  int64_t id = named(OP_NAME, SEMAPHORE, name, flags, 0, CALLER);
  if (id < 0) {
    failed(id);
    return SEM_FAILED;
  }
  sem_t *made = UNSEEN(REAL(sem_open)(name, flags, mode, value));
  if (made == SEM_FAILED) return made;
  weave_note(OP_SHARED, (uint64_t)made & ~4095ull, 4096, id, 0, CALLER);
  *sem_mark(made) = mark_of(made);
  weave_note(OP_SEM_INIT, (uint64_t)made, *(int *)made, 1, 0, CALLER);
  opened(made);
  return made;
}
EXPORT int sem_close(sem_t *s) {
  if (weave_me && closed(s)) weave_free_block(s, sizeof *s, CALLER);
  return UNSEEN(REAL(sem_close)(s));
}
EXPORT int sem_unlink(const char *name) {
  TEXT(name);
  if (weave_me) named(OP_NAME, SEMAPHORE, name, 0, 1, CALLER);
  return UNSEEN(REAL(sem_unlink)(name));
}

/* Shared memory by name. */
EXPORT int shm_open(const char *name, int flags, mode_t mode) {
  TEXT(name);
  int64_t id = weave_me ? named(OP_NAME, MEMORY, name, flags, 0, CALLER) : 0;
  if (id < 0) return failed(id);
  weave_before_number_call(SYS_memfd_create, (long[6]){0}, CALLER);
  if (weave_me && flags & O_TRUNC) weave_truncates(name);
  int fd = UNSEEN(REAL(shm_open)(name, flags, mode));
  if (weave_me && fd >= 0) weave_name_region(fd, (uint64_t)id);
  return fd;
}
EXPORT int shm_unlink(const char *name) {
  TEXT(name);
  if (weave_me) named(OP_NAME, MEMORY, name, 0, 1, CALLER);
  return UNSEEN(REAL(shm_unlink)(name));
}
