/* Accesses of instrumented code, and of functions that access memory for it.
 *
 * Code compiled with -fsanitize=thread calls the `__tsan_…` functions; these are ours, not the
 * compiler's.
 */
#include "accesses.h"
#include <sys/mman.h>
#include <sys/syscall.h>

/* Instrumented code. Atomics are visible operations; plain accesses are remembered for the
   detection of races. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef __int128 u128;

static inline int seen(void) { return weave_me && weave_shared->several; }
static inline void visible(uint32_t op, const volatile void *at, int size, uint64_t pc) {
  if (seen()) weave_ask(op, (uint64_t)at, size, 0, 0, pc);
}
static void access_as(const volatile void *at, uint64_t size, uint32_t what, uint64_t pc);
/* A comparison writes only if it finds what it expects. What it expects is read first, and what
 * it finds instead is written behind it: plain accesses, which others may see. */
static inline void compares(const volatile void *at, int size, uint64_t pc) {
  if (seen()) weave_ask(OP_UPDATE, (uint64_t)at, size, 1, 0, pc);
}
static inline int compared(const volatile void *at, uint64_t size, int found, uint64_t pc) {
  if (!found) return 0;
  if (seen()) weave_tell_access((uint64_t)at, size, ACC_FOUND, pc);
  weave_changed();
  return 1;
}

#define ATOMIC(bits, type)                                                                                                   \
  EXPORT type __tsan_atomic##bits##_load(const volatile type *a, int order) {                                                \
    (void)order;                                                                                                             \
    visible(OP_LOAD, a, sizeof *a, CALLER);                                                                                  \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                                             \
  }                                                                                                                          \
  EXPORT void __tsan_atomic##bits##_store(volatile type *a, type v, int order) {                                             \
    (void)order;                                                                                                             \
    visible(OP_STORE, a, sizeof *a, CALLER);                                                                                 \
    if (seen() && *a != v) weave_changed();                                                                                  \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                                \
  }                                                                                                                          \
  UPDATE(bits, type, exchange, __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST))                                                  \
  UPDATE(bits, type, fetch_add, __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST))                                                  \
  UPDATE(bits, type, fetch_sub, __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST))                                                  \
  UPDATE(bits, type, fetch_and, __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST))                                                  \
  UPDATE(bits, type, fetch_or, __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST))                                                    \
  UPDATE(bits, type, fetch_xor, __atomic_fetch_xor(a, v, __ATOMIC_SEQ_CST))                                                  \
  UPDATE(bits, type, fetch_nand, __atomic_fetch_nand(a, v, __ATOMIC_SEQ_CST))                                                \
  EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int order, int fail) {         \
    (void)order, (void)fail;                                                                                                 \
    access_as(c, sizeof *c, ACC_READ, CALLER);                                                                               \
    type finds = *c;                                                                                                         \
    compares(a, sizeof *a, CALLER);                                                                                          \
    int found = __atomic_compare_exchange_n(a, &finds, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                            \
    compared(a, sizeof *a, found, CALLER);                                                                                   \
    if (!found) access_as(c, sizeof *c, ACC_WRITE, CALLER), *c = finds;                                                      \
    return found;                                                                                                            \
  }                                                                                                                          \
  EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int order, int fail) {           \
    (void)order, (void)fail;                                                                                                 \
    access_as(c, sizeof *c, ACC_READ, CALLER);                                                                               \
    type finds = *c;                                                                                                         \
    compares(a, sizeof *a, CALLER);                                                                                          \
    int found = __atomic_compare_exchange_n(a, &finds, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                            \
    compared(a, sizeof *a, found, CALLER);                                                                                   \
    if (!found) access_as(c, sizeof *c, ACC_WRITE, CALLER), *c = finds;                                                      \
    return found;                                                                                                            \
  }                                                                                                                          \
  EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int order, int fail) {            \
    (void)order, (void)fail;                                                                                                 \
    compares(a, sizeof *a, CALLER);                                                                                          \
    int found = __atomic_compare_exchange_n(a, &c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                \
    compared(a, sizeof *a, found, CALLER);                                                                                   \
    return c;                                                                                                                \
  }
#define UPDATE(bits, type, name, what)                                                 \
  EXPORT type __tsan_atomic##bits##_##name(volatile type *a, type v, int order) {      \
    (void)order;                                                                       \
    visible(OP_UPDATE, a, sizeof *a, CALLER);                                          \
    type before = *a, result = what;                                                   \
    if (seen() && before != *a) weave_changed();                                       \
    return result;                                                                     \
  }
ATOMIC(8, u8)
ATOMIC(16, u16)
ATOMIC(32, u32)
ATOMIC(64, u64)

/* 16 bytes: the processor would need a library for these; but no other thread runs meanwhile. */
#define UPDATE16(name, what)                                                        \
  EXPORT u128 __tsan_atomic128_##name(volatile u128 *a, u128 v, int order) {        \
    (void)order;                                                                    \
    visible(OP_UPDATE, a, sizeof *a, CALLER);                                       \
    u128 before = *a;                                                               \
    *a = what;                                                                      \
    if (seen() && before != *a) weave_changed();                                    \
    return before;                                                                  \
  }
UPDATE16(exchange, v)
UPDATE16(fetch_add, before + v)
UPDATE16(fetch_sub, before - v)
UPDATE16(fetch_and, before & v)
UPDATE16(fetch_or, before | v)
UPDATE16(fetch_xor, before ^ v)
UPDATE16(fetch_nand, ~(before & v))
EXPORT u128 __tsan_atomic128_load(const volatile u128 *a, int order) {
  (void)order;
  visible(OP_LOAD, a, sizeof *a, CALLER);
  return *a;
}
EXPORT void __tsan_atomic128_store(volatile u128 *a, u128 v, int order) {
  (void)order;
  visible(OP_STORE, a, sizeof *a, CALLER);
  if (seen() && *a != v) weave_changed();
  *a = v;
}
static int replace16(volatile u128 *a, u128 *expected, u128 v, uint64_t pc) {
  u128 wanted = *expected;
  compares(a, sizeof *a, pc);
  u128 before = *a;
  int found = before == wanted;
  if (found) *a = v;
  compared(a, sizeof *a, found, pc);
  if (!found) *expected = before;
  return found;
}
static int replace16_at(volatile u128 *a, u128 *c, u128 v, uint64_t pc) {
  access_as(c, sizeof *c, ACC_READ, pc);
  u128 finds = *c;
  int found = replace16(a, &finds, v, pc);
  if (!found) access_as(c, sizeof *c, ACC_WRITE, pc), *c = finds;
  return found;
}
EXPORT int __tsan_atomic128_compare_exchange_strong(volatile u128 *a, u128 *c, u128 v, int order, int fail) {
  (void)order, (void)fail;
  return replace16_at(a, c, v, CALLER);
}
EXPORT int __tsan_atomic128_compare_exchange_weak(volatile u128 *a, u128 *c, u128 v, int order, int fail) {
  (void)order, (void)fail;
  return replace16_at(a, c, v, CALLER);
}
EXPORT u128 __tsan_atomic128_compare_exchange_val(volatile u128 *a, u128 c, u128 v, int order, int fail) {
  (void)order, (void)fail;
  replace16(a, &c, v, CALLER);
  return c;
}

EXPORT void __tsan_atomic_thread_fence(int order) { (void)order; }
EXPORT void __tsan_atomic_signal_fence(int order) { (void)order; }
EXPORT void __tsan_init(void) {
  if (weave_shared) weave_shared->instrumented = 1;
}

int weave_is_place(uint64_t pc) {
  for (uint64_t i = WEAVE_RACING_HASH(pc);; i = (i + 1) % LIM_RACING) {
    uint64_t found = weave_shared->racing[i];
    if (found == pc) return 1;
    if (!found) return 0;
  }
}

/* What was reported since the last request need not be reported again. */
static struct report {
  uint64_t at, pc, how;
  uint32_t size, slot;
} reported[1024];

/* Tells of an access that is not visible, or of memory that is given out anew. Another thread
   may go round in an endless loop meanwhile. */
void weave_tell_access(uint64_t at, uint64_t size, uint32_t what, uint64_t pc) {
  uint32_t mine = (uint32_t)(weave_me - weave_shared->slot), length = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
  struct report *known = &reported[((at ^ (pc << 17)) * 0x9e3779b97f4a7c15ull) >> 54];
  struct report new = {at, pc, weave_requests() << ACC_BITS | what, length, mine};
  if (known->at == at && known->pc == pc && known->how == new.how && known->size == length && known->slot == mine && what != ACC_RENEW) return;
  uint32_t n = __atomic_fetch_add(&weave_shared->accesses, 1, __ATOMIC_RELAXED);
  while (n >= LIM_ACCESSES) {
    weave_flush(pc);
    new.how = weave_requests() << ACC_BITS | what;
    n = __atomic_fetch_add(&weave_shared->accesses, 1, __ATOMIC_RELAXED);
  }
  *known = new;
  weave_shared->access[n] = (struct weave_access){at, pc, length, what | mine << ACC_BITS};
}

/* An access: a visible operation if it races, as found in an earlier run. */
static void access_as(const volatile void *at, uint64_t size, uint32_t what, uint64_t pc) {
  if (!seen() || !weave_shared->instrumented) return;
  if (weave_declared == at) { /* the access behind a visible operation of weave.h */
    weave_declared = 0;
    return;
  }
  if (weave_is_place(pc))
    weave_ask(what == ACC_READ ? OP_LOAD : OP_STORE, (uint64_t)at, (int64_t)size, what == ACC_FREE ? 3 : 1, 0, pc);
  else weave_tell_access((uint64_t)at, size, what, pc);
}
static void plain(const volatile void *at, uint64_t size, uint32_t write, uint64_t pc) { access_as(at, size, write, pc); }

void weave_access(const volatile void *at, uint64_t size, uint32_t write, uint64_t pc) {
  if (size) access_as(at, size, write, pc);
}
void weave_free_block(const void *at, uint64_t size, uint64_t pc) {
  if (size) access_as(at, size, ACC_FREE, pc);
}
void weave_identity(uint64_t class, uint32_t how, uint64_t pc) {
  if (seen() && weave_shared->instrumented) weave_tell_access(class, 1, how, pc);
}
void weave_renew(const void *at, uint64_t size) {
  if (size && seen() && weave_shared->instrumented) weave_tell_access((uint64_t)at, size, ACC_RENEW, 0);
}

/* Blocks of memory. Not from libc, which has its own copies of these. */
static void move(void *to, const void *from, size_t size) {
  if (to <= from) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size)::"memory");
  } else {
    char *t = (char *)to + size;
    const char *f = (const char *)from + size;
    while (size--) *--t = *--f;
  }
}
/* What races is read when the read is reported, and written later: meanwhile it is kept
   apart. */
void *weave_room(struct weave_kept *kept, size_t size, uint64_t pc) {
  kept->size = 0;
  if (!seen() || !weave_shared->instrumented || !weave_is_place(pc)) return 0;
  if (size <= sizeof kept->few) return kept->few;
  kept->size = size;
  kept->many = (void *)weave_raw(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return kept->many;
}
const void *weave_keep(struct weave_kept *kept, const void *from, size_t size, uint64_t pc) {
  void *room = weave_room(kept, size, pc);
  if (room) move(room, from, size);
  return room ? room : from;
}
void weave_drop(struct weave_kept *kept) {
  if (kept->size) weave_raw(SYS_munmap, (long)kept->many, (long)kept->size, 0, 0, 0, 0);
}
static void copy(void *to, const void *from, size_t size, uint64_t pc) {
  struct weave_kept kept;
  plain(from, size, 0, pc);
  const void *read = weave_keep(&kept, from, size, pc);
  plain(to, size, 1, pc);
  move(to, read, size);
  weave_drop(&kept);
}
EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  if (weave_me && size) copy(to, from, size, CALLER);
  else move(to, from, size);
  return to;
}
EXPORT void *memset(void *to, int value, size_t size) {
  if (weave_me && size) plain(to, size, 1, CALLER);
  void *start = to;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  return start;
}
EXPORT void *memmove(void *to, const void *from, size_t size) {
  if (weave_me && size) copy(to, from, size, CALLER);
  else move(to, from, size);
  return to;
}
#define PLAIN(size)                                                                                  \
  EXPORT void __tsan_read##size(void *a) { plain(a, size, 0, CALLER); }                              \
  EXPORT void __tsan_write##size(void *a) { plain(a, size, 1, CALLER); }                             \
  EXPORT void __tsan_unaligned_read##size(void *a) { plain(a, size, 0, CALLER); }                    \
  EXPORT void __tsan_unaligned_write##size(void *a) { plain(a, size, 1, CALLER); }                   \
  EXPORT void __tsan_volatile_read##size(void *a) { plain(a, size, 0, CALLER); }                     \
  EXPORT void __tsan_volatile_write##size(void *a) { plain(a, size, 1, CALLER); }                    \
  EXPORT void __tsan_unaligned_volatile_read##size(void *a) { plain(a, size, 0, CALLER); }           \
  EXPORT void __tsan_unaligned_volatile_write##size(void *a) { plain(a, size, 1, CALLER); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
EXPORT void __tsan_read_range(void *a, u64 size) { plain(a, size, 0, CALLER); }
EXPORT void __tsan_write_range(void *a, u64 size) { plain(a, size, 1, CALLER); }
EXPORT void __tsan_vptr_read(void *a) { plain(a, 8, 0, CALLER); }
/* Constructors and destructors of base classes store it, often again: what is there already is as
   good as read. Another thread may have changed it by the time that it is this one's turn. */
EXPORT void __tsan_vptr_update(void **a, void *v) {
  if (*a == v) plain(a, 8, 0, CALLER);
  if (*a != v) plain(a, 8, 1, CALLER);
}
