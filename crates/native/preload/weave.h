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

/* Static information for persistent sets: from now on, until it declares anew, this thread uses these objects in these
 * ways and no others. A use that was not declared is an error. A thread that never declares may do anything. */
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
#endif
