/* System V semaphores and message queues, modelled by the scheduler alone: the kernel has none
   of them. */
#include "accesses.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

union argument {
  int val;
  struct semid_ds *buf;
  unsigned short *array;
};

static int failed(int64_t result) {
  if (result >= 0) return (int)result;
  errno = (int)-result;
  return -1;
}

EXPORT int semget(key_t key, int count, int flags) {
  if (!weave_me) return REAL(semget)(key, count, flags);
  if (count < 0 || count > 32000 || (key == IPC_PRIVATE && !count)) return failed(-EINVAL);
  return failed(weave_ask(OP_SYSV_GET, 0, key, count, flags, CALLER));
}

EXPORT int semop(int id, struct sembuf *ops, size_t count) {
  if (!weave_me) return REAL(semop)(id, ops, count);
  if (!count) return failed(-EINVAL);
  if (count > 500) return failed(-E2BIG);
  READS(ops, count * sizeof *ops);
  return failed(weave_ask_data(OP_SYSV_OP, (uint64_t)id, (int64_t)count, 0, ops, count * sizeof *ops, CALLER));
}

EXPORT int semtimedop(int id, struct sembuf *ops, size_t count, const struct timespec *limit) {
  if (!weave_me) return REAL(semtimedop)(id, ops, count, limit);
  IN(limit);
  if (!weave_is_time(limit)) return failed(-EINVAL);
  if (!count) return failed(-EINVAL);
  if (count > 500) return failed(-E2BIG);
  READS(ops, count * sizeof *ops);
  if (limit) weave_within(weave_nanoseconds(limit));
  return failed(weave_ask_data(OP_SYSV_OP, (uint64_t)id, (int64_t)count, limit != 0, ops, count * sizeof *ops, CALLER));
}

EXPORT int semctl(int id, int index, int command, ...) {
  va_list list;
  va_start(list, command);
  union argument with = va_arg(list, union argument);
  va_end(list);
  if (!weave_me) return REAL(semctl)(id, index, command, with);
  uint64_t set = (uint64_t)id;
  switch (command) {
  case SETVAL: return failed(weave_ask(OP_SYSV_SETVAL, set, index, with.val, 0, CALLER));
  case GETVAL: return failed(weave_ask(OP_SYSV_GETVAL, set, index, 0, 0, CALLER));
  case IPC_RMID: return failed(weave_ask(OP_SYSV_REMOVE, set, 0, 0, 0, CALLER));
  case GETPID:
  case GETNCNT:
  case GETZCNT:
    if (command == GETPID || weave_shared->several) weave_text(OP_UNCONTROLLED, "semctl that asks who waits, or was last", OTHERWISE, CALLER);
    return failed(weave_ask(OP_SYSV_QUERY, set, index, 0, 0, CALLER));
  case SETALL:
  case GETALL: {
    int64_t count = weave_ask(OP_SYSV_QUERY, set, 0, 3, 0, CALLER);
    if (count < 0) return failed(count);
    if (command == SETALL) READS(with.array, (size_t)count * 2);
    if (command == SETALL) return failed(weave_ask_data(OP_SYSV_SETALL, set, count, 0, with.array, (size_t)count * 2, CALLER));
    int64_t result = weave_ask(OP_SYSV_GETALL, set, 0, 0, 0, CALLER);
    if (result < 0) return failed(result);
    uint16_t *values = malloc((size_t)count * 2 + 1);
    if (!values) return failed(-ENOMEM);
    memcpy(values, weave_bytes(), (size_t)count * 2);
    WRITES(with.array, (size_t)count * 2);
    memcpy(with.array, values, (size_t)count * 2);
    free(values);
    return failed(result);
  }
  case IPC_STAT: {
    int64_t count = weave_ask(OP_SYSV_QUERY, set, 0, 3, 0, CALLER);
    if (count < 0) return failed(count);
    OUT(with.buf);
    memset(with.buf, 0, sizeof *with.buf);
    weave_text(OP_UNCONTROLLED, "when a set of semaphores was used last", OTHERWISE, CALLER);
    with.buf->sem_nsems = (unsigned long)count;
    return 0;
  }
  default: weave_text(OP_UNCONTROLLED, "semctl", OTHERWISE, CALLER); return failed(-EINVAL);
  }
}

/* Message queues. */
EXPORT int msgget(key_t key, int flags) {
  if (!weave_me) return REAL(msgget)(key, flags);
  return failed(weave_ask(OP_MSG_GET, 0, key, 0, flags, CALLER));
}
EXPORT int msgsnd(int id, const void *message, size_t size, int flags) {
  if (!weave_me) return REAL(msgsnd)(id, message, size, flags);
  if (size > 8192) return failed(-EINVAL); /* the kernel's limit */
  const struct msgbuf *given = message;
  weave_access(given, sizeof given->mtype + size, 0, CALLER);
  return failed(weave_ask_data(OP_MSG_SEND, (uint64_t)id, given->mtype, (flags & IPC_NOWAIT) != 0, given->mtext, size, CALLER));
}
EXPORT ssize_t msgrcv(int id, void *message, size_t room, long type, int flags) {
  if (!weave_me) return REAL(msgrcv)(id, message, room, type, flags);
  if (flags & MSG_COPY) weave_text(OP_UNCONTROLLED, "MSG_COPY", 1, CALLER);
  int64_t how = ((flags & IPC_NOWAIT) ? 1 : 0) | ((flags & MSG_NOERROR) ? 2 : 0) | ((flags & MSG_EXCEPT) ? 4 : 0);
  int64_t length = weave_ask(OP_MSG_RECEIVE, (uint64_t)id, type, how | (int64_t)(room < LIM_DATA ? room : LIM_DATA) << 8, 0, CALLER);
  if (length < 0) return failed(length);
  struct msgbuf *result = message;
  WRITES(result, sizeof result->mtype + (uint64_t)length);
  result->mtype = *(int64_t *)weave_bytes();
  for (int64_t i = 0; i < length; i++) result->mtext[i] = (char)weave_bytes()[8 + i];
  return length;
}
EXPORT int msgctl(int id, int command, struct msqid_ds *about) {
  if (!weave_me) return REAL(msgctl)(id, command, about);
  int64_t all[3], error;
  switch (command) {
  case IPC_RMID: return failed(weave_ask(OP_MSG_CONTROL, (uint64_t)id, 0, 0, 0, CALLER));
  case IPC_SET:
    IN(about);
    return failed(weave_ask(OP_MSG_CONTROL, (uint64_t)id, 2, (int64_t)about->msg_qbytes, 0, CALLER));
  case IPC_STAT:
    error = weave_ask(OP_MSG_CONTROL, (uint64_t)id, 1, 0, 0, CALLER);
    if (error < 0) return failed(error);
    memcpy(all, weave_bytes(), sizeof all);
    OUT(about);
    memset(about, 0, sizeof *about);
    if (weave_shared->several) weave_text(OP_UNCONTROLLED, "when a queue of messages was used last", OTHERWISE, CALLER);
    about->msg_qnum = (msgqnum_t)all[0], about->__msg_cbytes = (unsigned long)all[1], about->msg_qbytes = (msglen_t)all[2];
    return 0;
  default: weave_text(OP_UNCONTROLLED, "msgctl", OTHERWISE, CALLER); return failed(-EINVAL);
  }
}
