/* Attributes of threads and of what they synchronise with: plain memory, which these functions
 * access for the program. To set a part of one is to write it; who gets one reads it, and writes
 * where the answer goes. Who makes an object with it reads it, too (initialise.c, threads.c). */
#include "accesses.h"
#include "files.h"
#include <pthread.h>
#include <sched.h>

#define ATTRIBUTES(kind)                                                                     \
  TELLS(int, pthread_##kind##_init, (pthread_##kind##_t * a), (a), OUT(a))                   \
  TELLS(int, pthread_##kind##_destroy, (pthread_##kind##_t * a), (a), OUT(a))
#define GETS(kind, what, type) \
  TELLS(int, pthread_##kind##_get##what, (const pthread_##kind##_t *restrict a, type *restrict to), (a, to), IN(a), OUT(to))
#define SETS(kind, what, type) TELLS(int, pthread_##kind##_set##what, (pthread_##kind##_t * a, type to), (a, to), OUT(a))
#define HAS(kind, what, type) GETS(kind, what, type) SETS(kind, what, type)

ATTRIBUTES(attr)
HAS(attr, detachstate, int)
HAS(attr, stacksize, size_t)
HAS(attr, guardsize, size_t)
HAS(attr, scope, int)
HAS(attr, inheritsched, int)
HAS(attr, schedpolicy, int)
GETS(attr, schedparam, struct sched_param)
TELLS(int, pthread_attr_setschedparam, (pthread_attr_t *restrict a, const struct sched_param *restrict to), (a, to), OUT(a), IN(to))
/* Its thread writes it unseen. */
static void provides_stack(uint64_t pc) {
  if (weave_reported(pc)) weave_text(OP_UNCONTROLLED, "a stack that the program provides", OTHERWISE, pc);
}
TELLS(int, pthread_attr_setstack, (pthread_attr_t * a, void *stack, size_t size), (a, stack, size), OUT(a), provides_stack(CALLER))
TELLS(int, pthread_attr_getstack, (const pthread_attr_t *restrict a, void **restrict stack, size_t *restrict size), (a, stack, size), IN(a), OUT(stack), OUT(size))
TELLS(int, pthread_attr_setaffinity_np, (pthread_attr_t * a, size_t size, const cpu_set_t *set), (a, size, set), OUT(a), READS(set, size))
TELLS(int, pthread_getattr_np, (pthread_t thread, pthread_attr_t *a), (thread, a), OUT(a), weave_state(STATE_THREADS, HOW_READ, CALLER))

ATTRIBUTES(mutexattr)
HAS(mutexattr, type, int)
HAS(mutexattr, pshared, int)
HAS(mutexattr, robust, int)
HAS(mutexattr, protocol, int)
HAS(mutexattr, prioceiling, int)

ATTRIBUTES(condattr)
HAS(condattr, clock, clockid_t)
HAS(condattr, pshared, int)

ATTRIBUTES(rwlockattr)
HAS(rwlockattr, pshared, int)
HAS(rwlockattr, kind_np, int)

ATTRIBUTES(barrierattr)
HAS(barrierattr, pshared, int)
