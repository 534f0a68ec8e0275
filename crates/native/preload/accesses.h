/* Memory of the program that a call accesses for it. It is reported before it is read, and before
 * or behind what is written, as soon as its length is known. Not what this library does for itself:
 * the program has nothing to do with it, and what it leaves on the stack is another each time. */
#ifndef WEAVE_ACCESSES_H
#define WEAVE_ACCESSES_H
#include "runtime.h"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" /* what is reported is not read here */

static inline int weave_reported(uint64_t pc) { return weave_me && weave_shared->instrumented && !weave_is_own(pc); }
static inline void weave_reads(const volatile void *at, uint64_t size, uint64_t pc) {
  if (at && weave_reported(pc)) weave_access(at, size, 0, pc);
}
static inline void weave_writes(const volatile void *at, uint64_t size, uint64_t pc) {
  if (at && weave_reported(pc)) weave_access(at, size, 1, pc);
}
static inline void weave_text_read(const char *s, uint64_t pc) {
  if (s && weave_reported(pc)) weave_read_string(s, pc);
}
#define READS(at, size) weave_reads(at, size, CALLER)
#define WRITES(at, size) weave_writes(at, size, CALLER)
#define TEXT(s) weave_text_read(s, CALLER)
/* What a pointer points to. */
#define IN(at) weave_reads(at, sizeof *(at), CALLER)
#define OUT(at) weave_writes(at, sizeof *(at), CALLER)
/* An object of the C library: a lock, a stream, a folder. What is done to it has an order
 * elsewhere; here it is in use, so that it must not be freed, unmapped or overwritten. */
#define USES_OBJECT(at) weave_reads(at, 1, CALLER)

/* A function that is replaced only to say this. */
#define TELLS(type, name, parameters, arguments, ...) \
  EXPORT type name parameters {                       \
    __VA_ARGS__;                                      \
    return REAL(name) arguments;                      \
  }
/* The same, and something behind it, where its result is `done`. */
#define TELLS_BEHIND(type, name, parameters, arguments, before, ...) \
  EXPORT type name parameters {                                      \
    before;                                                          \
    type done = REAL(name) arguments;                                \
    __VA_ARGS__;                                                     \
    return done;                                                     \
  }
#endif
