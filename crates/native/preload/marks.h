/* Where the memory of an object shows whether it was initialised anew since it was last used:
 * static initialisers and the real `…_init` functions leave no mark. */
#ifndef WEAVE_MARKS_H
#define WEAVE_MARKS_H
#include "protocol.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#define UNUSED 0x77656177u /* initialised, and not used since */

/* The mark of an object that is used tells where it lies in its page, wherever that is mapped: a
   copy of the bytes has another one, or lies where no object was used so far. */
#define PLACE_BITS 0xffc00u
static inline uint32_t place_of(const volatile void *object) { return (uint32_t)((uintptr_t)object & 0xffc) << 8; }
static inline uint32_t mark_of(const volatile void *object) { return 0x77600076u | place_of(object); }
/* Spin locks and once controls have no room for a mark beside their value. The first are 1 if
   unlocked, with our bit if made for several processes; those are 2 if done. */
#define SPIN_MARK 2u
#define SPIN_SHARED 0x80u
#define ONCE_MARK 6u

/* Marks an object as used, and tells whether it was. If it was not, it has to be as initialisers
   leave it; if its mark is another's, it is a copy. */
static inline uint32_t fresh(uint32_t *mark, uint32_t own, int initial) {
  uint32_t now = *mark;
  if (now == own) return WEAVE_MARKED;
  *mark = own;
  return WEAVE_MARKED | WEAVE_FRESH | ((now & ~PLACE_BITS) == (own & ~PLACE_BITS) || !initial ? WEAVE_COPIED : 0);
}

static inline uint32_t *mutex_mark(pthread_mutex_t *m) { return &m->__data.__nusers; }
static inline uint32_t *cond_mark(pthread_cond_t *c) { return (uint32_t *)c + 11; }
static inline uint32_t *sem_mark(sem_t *s) { return (uint32_t *)s + 6; }
static inline uint32_t *rw_mark(pthread_rwlock_t *l) { return &l->__data.__pad3; }
static inline uint32_t *barrier_mark(pthread_barrier_t *b) { return (uint32_t *)b + 7; }
#endif
