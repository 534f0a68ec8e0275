/* System V semaphores, modelled by the scheduler alone: the kernel has none of them. */
#include "runtime.h"
#include <stdarg.h>
#include <string.h>
#include <sys/ipc.h>
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
  return failed(weave_ask(OP_SYSV_GET, 0, key, count, flags, CALLER));
}

EXPORT int semop(int id, struct sembuf *ops, size_t count) {
  if (!weave_me) return REAL(semop)(id, ops, count);
  if (count * sizeof *ops > LIM_DATA) return failed(-E2BIG);
  return failed(weave_ask_data(OP_SYSV_OP, (uint64_t)id, (int64_t)count, 0, ops, count * sizeof *ops, CALLER));
}

EXPORT int semtimedop(int id, struct sembuf *ops, size_t count, const struct timespec *limit) {
  if (!weave_me) return REAL(semtimedop)(id, ops, count, limit);
  if (count * sizeof *ops > LIM_DATA) return failed(-E2BIG);
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
  case GETPID: return failed(weave_ask(OP_SYSV_QUERY, set, index, 0, 0, CALLER));
  case GETNCNT: return failed(weave_ask(OP_SYSV_QUERY, set, index, 1, 0, CALLER));
  case GETZCNT: return failed(weave_ask(OP_SYSV_QUERY, set, index, 2, 0, CALLER));
  case SETALL:
  case GETALL: {
    int64_t count = weave_ask(OP_SYSV_QUERY, set, 0, 3, 0, CALLER);
    if (count < 0) return failed(count);
    if (command == SETALL) return failed(weave_ask_data(OP_SYSV_SETALL, set, count, 0, with.array, (size_t)count * 2, CALLER));
    int64_t result = weave_ask(OP_SYSV_GETALL, set, 0, 0, 0, CALLER);
    if (result >= 0) memcpy(with.array, weave_me->data, (size_t)count * 2);
    return failed(result);
  }
  case IPC_STAT: {
    int64_t count = weave_ask(OP_SYSV_QUERY, set, 0, 3, 0, CALLER);
    if (count < 0) return failed(count);
    memset(with.buf, 0, sizeof *with.buf);
    with.buf->sem_nsems = (unsigned long)count;
    return 0;
  }
  default: weave_text(OP_UNCONTROLLED, "semctl", 0, CALLER); return failed(-EINVAL);
  }
}
