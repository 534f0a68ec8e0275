/* weave.h: what a program may tell Everyweave. Without `weave run` these do nothing, and toss is 0.
 *
 * The functions are found when the program starts under `weave run`; nothing needs to be linked.
 */
#ifndef WEAVE_H
#define WEAVE_H
#ifdef __cplusplus
extern "C" {
#endif
extern int weave_toss_(int n) __attribute__((weak));
extern void weave_assert_(int holds, const char *text, const char *file, int line) __attribute__((weak));
extern void weave_declare_(int n, const void *uses) __attribute__((weak));
extern void weave_access_(const volatile void *at, unsigned long size, int write) __attribute__((weak));
extern void weave_observe_(void) __attribute__((weak));
#ifdef __cplusplus
}
#endif

/* Some integer of 0..n; every one is tried. */
static inline int weave_toss(int n) { return weave_toss_ ? weave_toss_(n) : 0; }
#define VS_toss(n) weave_toss(n)

/* A visible assertion, as in the paper. */
#define weave_assert(condition)                                                       \
  do {                                                                                \
    int weave_holds = !!(condition);                                                  \
    if (weave_assert_) weave_assert_(weave_holds, #condition, __FILE__, __LINE__);    \
    else if (!weave_holds) __builtin_trap();                                          \
  } while (0)
#define VS_assert(condition) weave_assert(condition)

/* A shared variable as an object: reading and writing it are visible operations, also in code
   that is not instrumented. */
#define weave_read(variable)                                                       \
  (*({                                                                             \
    if (weave_access_) weave_access_(&(variable), sizeof(variable), 0);            \
    &(variable);                                                                   \
  }))
#define weave_write(variable, value)                                               \
  do {                                                                             \
    __typeof__(variable) weave_value = (value);                                    \
    if (weave_access_) weave_access_(&(variable), sizeof(variable), 1);            \
    (variable) = weave_value;                                                      \
  } while (0)
#define VS_read(variable) weave_read(variable)
#define VS_write(variable, value) weave_write(variable, value)

/* This thread (or process, if it has no other) only watches: from now on it runs free, and is no
   part of the system. */
static inline void weave_observe(void) {
  if (weave_observe_) weave_observe_();
}
#define VS_observe() weave_observe()

/* Static information for persistent sets: from now on, until it declares anew, this thread uses
 * these objects in these ways and no others. A use that was not declared is an error. A thread
 * that never declares may do anything. */
enum weave_how { WEAVE_WAIT = 1, WEAVE_SIGNAL = 2, WEAVE_READ = 4, WEAVE_WRITE = 8, WEAVE_ANY = 15 };
struct weave_use {
  unsigned long long object; /* WEAVE_SYSV(id, index), WEAVE_AT(address) */
  unsigned long long how;
};
#define WEAVE_SYSV(id, index) (0x8000000000000000ull | ((unsigned long long)(id) << 16) | (unsigned long long)(index))
#define WEAVE_AT(pointer) ((unsigned long long)(pointer))
static inline void weave_declare(int n, const struct weave_use *uses) {
  if (weave_declare_) weave_declare_(n, uses);
}
#define VS_declare(n, uses) weave_declare(n, uses)
#endif
