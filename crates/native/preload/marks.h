/* Where the memory of an object shows whether it was initialised anew since it was last used:
 * static initialisers and the real `…_init` functions leave no mark. */
#ifndef WEAVE_MARKS_H
#define WEAVE_MARKS_H
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#define MARK 0x77656176u
#define UNUSED 0x77656177u /* initialised, and not used since */
#define SPIN_MARK 2u /* spin locks have no room for a mark: 1 is unlocked, 2 used */

static inline uint32_t *mutex_mark(pthread_mutex_t *m) { return &m->__data.__nusers; }
static inline uint32_t *cond_mark(pthread_cond_t *c) { return (uint32_t *)c + 11; }
static inline uint32_t *sem_mark(sem_t *s) { return (uint32_t *)s + 6; }
static inline uint32_t *rw_mark(pthread_rwlock_t *l) { return &l->__data.__pad3; }
static inline uint32_t *barrier_mark(pthread_barrier_t *b) { return (uint32_t *)b + 7; }
#endif
