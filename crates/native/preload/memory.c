/* Memory: which of it is shared between processes, and accesses of instrumented code.
 *
 * Code compiled with -fsanitize=thread calls the `__tsan_…` functions; these are ours, not the
 * compiler's.
 */
#include "accesses.h"
#include "content.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t anonymous = 1;

/* What the memory behind a descriptor is called, if it has a name. */
#define MOST 4096
static uint64_t region[MOST];
void weave_name_region(int fd, uint64_t id) {
  if (fd >= 0 && fd < MOST && region[fd] != id) region[fd] = id;
}
void weave_forget_region(int fd) { weave_name_region(fd, 0); }
void weave_copy_region(int old, int new) { weave_name_region(new, old >= 0 && old < MOST ? region[old] : 0); }

/* A file that is mapped is read; what is written to shared memory and by calls is not brought
   together. */
static uint64_t maps_file(int fd, int shared, int protection, uint64_t pc) {
  struct stat about;
  struct weave_inode *file = weave_file_of(fd, &about);
  if (!file) return 0;
  weave_before_file_call(SYS_pread64, (long[6]){fd, 0, ~0u, 0}, pc);
  if (!shared) file->mapped |= 2;
  else if (protection & PROT_WRITE) file->mapped |= 1;
  if (file->mapped == 3) weave_text(OP_UNCONTROLLED, "a file that is mapped into private and into shared memory", 0, pc);
  return file->name;
}
EXPORT void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  int shared = (flags & MAP_TYPE) == MAP_SHARED || (flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
  uint64_t pc = CALLER, file = weave_me && !(flags & MAP_ANONYMOUS) && fd >= 0 ? maps_file(fd, shared, protection, pc) : 0;
  if (weave_me && flags & MAP_FIXED && !weave_is_own(pc)) weave_free_block(at, length, pc);
  weave_state(STATE_MAPPINGS, flags & MAP_FIXED_NOREPLACE ? HOW_UPDATE : HOW_POST, pc);
  void *memory = (void *)weave_result(weave_call(SYS_mmap, (long)at, (long)length, protection, flags, fd, offset));
  if (memory == MAP_FAILED && errno == ENOMEM) weave_lacks_memory("mmap", length, pc);
  if (memory == MAP_FAILED || !weave_me) return memory;
  weave_renew(memory, length);
  if (!(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))) weave_identity(IDENTITY_MAPPING, ACC_GIVEN, pc);
  if (!shared) return memory;
  uint64_t id = anonymous++; /* of this process */
  if (!(flags & MAP_ANONYMOUS) && fd >= 0 && fd < MOST && region[fd]) id = region[fd];
  else if (file) id = (1ull << 59) | file;
  weave_note(OP_SHARED, (uint64_t)memory, (int64_t)length, (int64_t)id, offset, pc);
  return memory;
}
EXPORT void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap(at, length, protection, flags, fd, offset);
}

/* To take memory away is to write it. */
EXPORT int munmap(void *at, size_t length) {
  if (weave_me) weave_free_block(at, length, CALLER);
  weave_identity(IDENTITY_MAPPING, ACC_TAKEN, CALLER);
  weave_state(STATE_MAPPINGS, HOW_POST, CALLER);
  return (int)weave_result(weave_call(SYS_munmap, (long)at, (long)length, 0, 0, 0, 0));
}

/* To change its rights, or to throw away what is in it, likewise. */
EXPORT int mprotect(void *at, size_t length, int protection) {
  if (weave_me && !weave_is_own(CALLER)) weave_access(at, length, 1, CALLER);
  return (int)weave_result(weave_call(SYS_mprotect, (long)at, (long)length, protection, 0, 0, 0));
}
EXPORT int madvise(void *at, size_t length, int advice) {
  int drops = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
  if (weave_me && drops && !weave_is_own(CALLER)) weave_access(at, length, 1, CALLER);
  return (int)weave_result(weave_call(SYS_madvise, (long)at, (long)length, advice, 0, 0, 0));
}

/* Whether it is there. */
#define LOOKS weave_state(STATE_MAPPINGS, HOW_READ, CALLER)
TELLS(int, mincore, (void *at, size_t length, unsigned char *to), (at, length, to), LOOKS, WRITES(to, (length + 4095) / 4096))
TELLS(int, msync, (void *at, size_t length, int flags), (at, length, flags), weave_point(CALLER), LOOKS)
TELLS(int, mlock, (const void *at, size_t length), (at, length), LOOKS)
TELLS(int, munlock, (const void *at, size_t length), (at, length), LOOKS)
TELLS(int, posix_madvise, (void *at, size_t length, int advice), (at, length, advice), LOOKS)

EXPORT int shmget(key_t key, size_t size, int flags) {
  if (!weave_me) return REAL(shmget)(key, size, flags);
  if (key != IPC_PRIVATE) {
    int how = ((flags & IPC_CREAT) ? O_CREAT : 0) | ((flags & IPC_EXCL) ? O_EXCL : 0);
    int64_t id = weave_ask_data(OP_NAME, 6, how, 0, &key, sizeof key, CALLER);
    if (id < 0) {
      errno = (int)-id;
      return -1;
    }
  }
  int made = REAL(shmget)(key, size, flags);
  if (made >= 0) weave_note(OP_SEGMENT, (uint64_t)made, key, 0, 0, CALLER);
  return made;
}
EXPORT int shmctl(int id, int command, struct shmid_ds *about) {
  struct shmid_ds now;
  if (command == IPC_SET) IN(about);
  else if (command == IPC_STAT) OUT(about);
  else if (weave_me && command != IPC_RMID) weave_text(OP_UNCONTROLLED, "an unusual shmctl", 0, CALLER);
  /* How often it is attached depends on forks and ends, too. */
  if (weave_me && command == IPC_STAT && weave_shared->several) weave_text(OP_UNCONTROLLED, "shmctl(IPC_STAT) while others exist", 0, CALLER);
  if (weave_me && command == IPC_RMID && !REAL(shmctl)(id, IPC_STAT, &now) && now.shm_perm.__key != IPC_PRIVATE)
    weave_ask_data(OP_NAME, 6, 0, 1, &now.shm_perm.__key, sizeof(key_t), CALLER);
  if (command == IPC_RMID || command == IPC_SET) weave_common(COMMON_SEGMENTS, HOW_UPDATE, CALLER);
  return REAL(shmctl)(id, command, about);
}
/* What is attached, and how long it is. */
static struct attached {
  const void *at;
  size_t length;
} attached[256];
static struct attached *find_attached(const void *at) {
  for (size_t i = 0; i < sizeof attached / sizeof *attached; i++)
    if (attached[i].at == at) return &attached[i];
  return 0;
}
EXPORT int shmdt(const void *at) {
  struct attached *known = weave_me && at ? find_attached(at) : 0;
  if (known) weave_free_block(at, known->length, CALLER);
  weave_identity(IDENTITY_MAPPING, ACC_TAKEN, CALLER);
  weave_state(STATE_MAPPINGS, HOW_POST, CALLER);
  int error = REAL(shmdt)(at);
  if (known && !error) known->at = 0;
  return error;
}
EXPORT void *shmat(int id, const void *at, int flags) {
  if (!at) weave_identity(IDENTITY_MAPPING, ACC_GIVEN, CALLER);
  weave_state(STATE_MAPPINGS, HOW_POST, CALLER);
  weave_common(COMMON_SEGMENTS, HOW_READ, CALLER);
  void *memory = REAL(shmat)(id, at, flags);
  struct shmid_ds about;
  if (memory == (void *)-1 && errno == ENOMEM && weave_me && !REAL(shmctl)(id, IPC_STAT, &about)) {
    weave_lacks_memory("shmat", about.shm_segsz, CALLER);
    errno = ENOMEM;
  }
  if (memory != (void *)-1 && weave_me && !REAL(shmctl)(id, IPC_STAT, &about)) {
    struct attached *free_one = find_attached(0);
    if (free_one) *free_one = (struct attached){memory, about.shm_segsz};
    else weave_text(OP_UNCONTROLLED, "more than 256 segments", 0, CALLER);
    weave_note(OP_SHARED, (uint64_t)memory, (int64_t)about.shm_segsz, (int64_t)((1ull << 62) | (uint64_t)id), 0, CALLER);
  }
  return memory;
}

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
EXPORT void __tsan_vptr_update(void *a, void *v) { (void)v, plain(a, 8, 1, CALLER); }
