/* Objects of threads begin and end: `…_init` and `…_destroy`. Each is an operation on the object if
 * others are there to see it.
 *
 * Then the memory gets its mark at once: what others do to the object behind this operation is not
 * forgotten at its next use. What has a value (semaphores, barriers) is reported in any case: which
 * value an operation finds depends on the order, so that it must not be the one in memory when its
 * thread asks. The kind of a lock is taken from memory; should it change, that is not modelled.
 */
#include "accesses.h"
#include "marks.h"
#include <limits.h>
#include <threads.h>

/* Who uses it at the same time has no object. */
static void renews(const volatile void *object, uint64_t pc) {
  if (weave_reported(pc)) weave_tell_access((uint64_t)object, 1, ACC_INIT, pc);
}
/* Before the memory is initialised; whether that is seen. */
static int begins(uint32_t op, const volatile void *object, int64_t a, uint64_t pc) {
  renews(object, pc);
  if (!weave_me || !weave_shared->several) return 0;
  weave_ask(op, (uint64_t)object, a, 0, 0, pc);
  return 1;
}
static int64_t ends(uint32_t op, const volatile void *object, int64_t a, uint32_t *mark, uint64_t pc) {
  renews(object, pc);
  if (weave_shared->several) return weave_ask(op, (uint64_t)object, a, 0, fresh(mark, mark_of(object), 1), pc);
  if (*mark == mark_of(object)) weave_note(op, (uint64_t)object, a, 0, 0, pc);
  *mark = 0;
  return 0;
}
static int64_t kind_before(uint32_t mark, uint32_t own, int64_t kind) { return mark == own || mark == UNUSED ? kind : -1; }
static void keeps_kind(int seen, int64_t before, int64_t now, uint64_t pc) {
  if (seen && before >= 0 && before != now) weave_text(OP_UNCONTROLLED, "a lock that is initialised again as one of another kind", 0, pc);
}
/* Behind the real function, which leaves no mark or the old one. */
#define INIT(op, object, value, mark, real)           \
  int seen_ = begins(op, object, value, CALLER);      \
  int error_ = real;                                  \
  if (weave_me) *mark = seen_ ? mark_of(object) : UNUSED; \
  return error_
#define INIT_KIND(op, object, mark, kind, real)                       \
  int64_t before_ = weave_me ? kind_before(*mark, mark_of(object), kind) : -1; \
  int seen_ = begins(op, object, 0, CALLER);                          \
  int error_ = real;                                                  \
  if (weave_me) *mark = seen_ ? mark_of(object) : UNUSED;             \
  keeps_kind(seen_, before_, kind, CALLER);                           \
  return error_
/* It has a value. */
#define INIT_VALUE(op, object, value, mark, real)                                             \
  int seen_ = begins(op, object, value, CALLER);                                              \
  int error_ = real;                                                                          \
  if (weave_me && !seen_ && !error_) weave_note(op, (uint64_t)object, value, 0, 0, CALLER);   \
  if (weave_me) *mark = mark_of(object);                                                      \
  return error_

EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attributes) {
  IN(attributes);
  INIT_KIND(OP_MUTEX_INIT, m, mutex_mark(m), m->__data.__kind, REAL(pthread_mutex_init)(m, attributes));
}
EXPORT int pthread_mutex_destroy(pthread_mutex_t *m) {
  if (!weave_me) return REAL(pthread_mutex_destroy)(m);
  return (int)ends(OP_MUTEX_DESTROY, m, m->__data.__kind, mutex_mark(m), CALLER);
}
EXPORT int mtx_init(mtx_t *m, int kind) {
  pthread_mutex_t *mutex = (pthread_mutex_t *)m;
  INIT_KIND(OP_MUTEX_INIT, m, mutex_mark(mutex), mutex->__data.__kind, REAL(mtx_init)(m, kind));
}
EXPORT void mtx_destroy(mtx_t *m) { pthread_mutex_destroy((pthread_mutex_t *)m); }

EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes) {
  IN(attributes);
  INIT(OP_COND_INIT, c, 0, cond_mark(c), REAL(pthread_cond_init)(c, attributes));
}
EXPORT int pthread_cond_destroy(pthread_cond_t *c) {
  if (!weave_me) return REAL(pthread_cond_destroy)(c);
  ends(OP_COND_DESTROY, c, 0, cond_mark(c), CALLER);
  return 0;
}
EXPORT int cnd_init(cnd_t *c) {
  INIT(OP_COND_INIT, c, 0, cond_mark((pthread_cond_t *)c), REAL(cnd_init)(c));
}
EXPORT void cnd_destroy(cnd_t *c) { pthread_cond_destroy((pthread_cond_t *)c); }

EXPORT int sem_init(sem_t *s, int shared, unsigned value) {
  if (value > INT_MAX) return REAL(sem_init)(s, shared, value); /* an error */
  INIT_VALUE(OP_SEM_INIT, s, (int64_t)value, sem_mark(s), REAL(sem_init)(s, shared, value));
}
EXPORT int sem_destroy(sem_t *s) {
  if (!weave_me) return REAL(sem_destroy)(s);
  ends(OP_SEM_DESTROY, s, *(int *)s, sem_mark(s), CALLER);
  return 0;
}

EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attributes) {
  IN(attributes);
  INIT_KIND(OP_RW_INIT, l, rw_mark(l), (int64_t)l->__data.__flags, REAL(pthread_rwlock_init)(l, attributes));
}
EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  if (!weave_me) return REAL(pthread_rwlock_destroy)(l);
  ends(OP_RW_DESTROY, l, 0, rw_mark(l), CALLER);
  return 0;
}

EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attributes, unsigned count) {
  if (count == 0) return EINVAL;
  IN(attributes);
  INIT_VALUE(OP_BARRIER_INIT, b, (int64_t)count, barrier_mark(b), REAL(pthread_barrier_init)(b, attributes, count));
}
EXPORT int pthread_barrier_destroy(pthread_barrier_t *b) {
  if (!weave_me) return REAL(pthread_barrier_destroy)(b);
  ends(OP_BARRIER_DESTROY, b, 0, barrier_mark(b), CALLER);
  return 0;
}

EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared) {
  int seen = begins(OP_MUTEX_INIT, l, 0, CALLER), error = REAL(pthread_spin_init)(l, shared);
  uint32_t kind = shared == PTHREAD_PROCESS_SHARED ? SPIN_SHARED : 0;
  if (weave_me) *l = (int)(kind | (seen ? SPIN_MARK | place_of(l) : 1));
  return error;
}
EXPORT int pthread_spin_destroy(pthread_spinlock_t *l) {
  if (weave_me && (weave_shared->several || *(uint32_t *)l >> 8))
    weave_set(OP_MUTEX_DESTROY, (uint64_t)l, 0, 0, CALLER);
  return 0;
}
