/* Loops that only wait.
 *
 * A thread that comes back to the same operation in the same state, and has changed nothing on the
 * way, would do the same again for as long as no other thread changes what it reads: it must wait
 * (OP_CIRCLE). "The same state" is exact, not guessed: the whole stack of the program with the
 * thread's own variables, the registers that survive a call (runtime.c keeps them), and between any
 * two operations on the way no byte of the process's other writable memory was changed, and no
 * system call made. Why this loses nothing: docs/internals/programs/waiting.md.
 *
 * Copying memory costs some tenths of a millisecond. It is done at places only where a thread did
 * the same thing three times without a change (OP_SUSPECT); then the search begins anew, knowing.
 */
#include "runtime.h"
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define PAGE 4096ul
#define MEMORY (64ul << 20) /* at most so much is copied */
#define STACK (1ul << 18)
#define DISPATCH 59 /* PR_SET_SYSCALL_USER_DISPATCH */
#define RECENT 8

struct spin {
  int active;        /* the anchor stands, and everything since changed nothing */
  int open;          /* a part between two operations has begun */
  int caught;        /* system calls are caught: 1; cannot be: -1 */
  uint64_t low, high; /* the stack */
  uint64_t op, object, pc, kept[8]; /* the anchor */
  unsigned visits, limit;
  int slept;
  int64_t changes;   /* how often something was changed, or may have been */
  unsigned count;
  struct {
    uint64_t pc, object, times;
  } recent[RECENT];
};
/* Each operation writes here, and after a fork the first write copies a page: all of it on one,
   as long as threads are few. */
static struct {
  uint64_t requests;
  volatile char selector[LIM_SLOTS]; /* 1: system calls are caught */
  struct spin spins[LIM_SLOTS];
} kept __attribute__((aligned(PAGE)));
static uint64_t own, own_end, text, text_end;
static uint8_t *arena; /* a copy of memory, then one of each thread's stack */

static struct spin *mine(void) { return &kept.spins[weave_me - weave_shared->slot]; }
static volatile char *mine_selector(void) { return &kept.selector[weave_me - weave_shared->slot]; }
uint64_t weave_requests(void) { return kept.requests; }
void weave_count(void) { kept.requests++; }

static int find_own(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  uint64_t first = ~0ull, last = 0, here = (uint64_t)find_own;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    if (part->p_type != PT_LOAD) continue;
    if (start < first) first = start;
    if (end > last) last = end;
    if (start <= here && here < end) text = start, text_end = end;
  }
  if (first > here || here >= last) return 0;
  own = first & ~(PAGE - 1);
  own_end = (last + PAGE - 1) & ~(PAGE - 1);
  return 1;
}

/* The operations that may have changed nothing; whether one has, its result tells, or memory
   does. */
static int is_calm(uint32_t op) {
  switch (op) {
  case OP_LOAD:
  case OP_STORE:
  case OP_UPDATE:
  case OP_TEST_CANCEL:
  case OP_SLEEP:
  case OP_CHECK:
  case OP_FILE: /* see weave_after_file_call */
  case OP_SEM_GETVALUE: return 1;
  case OP_MUTEX_TRYLOCK:
  case OP_RW_TRYREAD:
  case OP_RW_TRYWRITE:
  case OP_SEM_TRYWAIT:
  case OP_FD_READ:
  case OP_FD_POLL:
  case OP_MSG_RECEIVE:
  case OP_MQ_RECEIVE:
  case OP_PARENT:
  case OP_WAIT: return 2;
  default: return 0;
  }
}
static int was_in_vain(uint32_t op, int64_t result) {
  switch (op) {
  case OP_MUTEX_TRYLOCK:
  case OP_RW_TRYREAD:
  case OP_RW_TRYWRITE: return result == EBUSY;
  case OP_SEM_TRYWAIT: return result == EAGAIN;
  case OP_FD_READ:
  case OP_MQ_RECEIVE: return result == -EAGAIN;
  case OP_FD_POLL: return result == 0;
  case OP_MSG_RECEIVE: return result == -ENOMSG;
  case OP_PARENT: return result == 0;
  case OP_WAIT: return result == -2;
  default: return 1;
  }
}

/* What the kernel writes when a thread goes on after another: of no interest to the program. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
static uint64_t scratch(void) { return &__rseq_offset ? (uint64_t)__builtin_thread_pointer() + (uint64_t)__rseq_offset : 0; }

static int differs(const uint64_t *now, const uint64_t *then, uint64_t words) {
  uint64_t ignored = scratch();
  for (uint64_t i = 0; i < words; i++)
    if (now[i] != then[i] && (uint64_t)&now[i] - ignored >= 32) return 1;
  return 0;
}

int weave_is_own(uint64_t at) {
  if (!own) dl_iterate_phdr(find_own, 0);
  return at >= own && at < own_end;
}

/* Every page of memory that this process may write, but for our own and this thread's stack: the
 * address and the bytes go into the copy, or are compared with it. A nameless page that was
 * never touched is not copied: it is full of zeros. False if something differs, or there is too
 * much. */
struct walk {
  struct spin *spin;
  uint8_t *at, *end;
  int compare;
};

static int page(struct walk *w, uint64_t address) {
  uint64_t shared = (uint64_t)weave_shared, copies = (uint64_t)arena;
  if (address >= own && address < own_end) return 1;
  if (address >= shared && address < shared + sizeof *weave_shared) return 1;
  if (address >= copies && address < copies + MEMORY + LIM_SLOTS * STACK) return 1;
  uint64_t high = w->spin->high, skipped = 0;
  if (address >= w->spin->low && address < high) {
    if (address + PAGE <= high) return 1;
    skipped = (high - address) / 8;
  }
  if (w->at + 16 + PAGE > w->end) return 0;
  static const uint64_t zeros[PAGE / 8];
  const uint64_t *from = (const uint64_t *)address;
  uint64_t *to = (uint64_t *)w->at;
  if (w->compare && *to != address) return !differs(from, zeros, PAGE / 8);
  w->at += 8 + PAGE;
  if (w->compare) return !differs(from + skipped, to + 1 + skipped, PAGE / 8 - skipped);
  *to++ = address;
  for (unsigned i = 0; i < PAGE / 8; i++) to[i] = from[i];
  return 1;
}

static uint64_t number(const char **at, int base) {
  uint64_t n = 0;
  for (;; (*at)++) {
    int digit = **at >= '0' && **at <= '9' ? **at - '0' : **at >= 'a' && **at <= 'f' ? **at - 'a' + 10 : 99;
    if (digit >= base) return n;
    n = n * (unsigned)base + (unsigned)digit;
  }
}

#define RAW(...) weave_raw(__VA_ARGS__)
static char maps[1 << 17];
static int read_maps(void) {
  long fd = RAW(SYS_openat, AT_FDCWD, (long)"/proc/self/maps", O_RDONLY, 0, 0, 0), n;
  size_t length = 0;
  if (fd < 0) return 0;
  while ((n = RAW(SYS_read, fd, (long)(maps + length), (long)(sizeof maps - 1 - length), 0, 0, 0)) > 0) length += (size_t)n;
  RAW(SYS_close, fd, 0, 0, 0, 0, 0);
  maps[length] = 0;
  return n == 0 && length < sizeof maps - 1;
}

/* One line of it: a mapping. */
struct mapping {
  uint64_t start, end;
  int writable, readable, stack, nameless;
};
static int next_mapping(const char **at, struct mapping *m) {
  if (!**at) return 0;
  m->start = number(at, 16);
  ++*at;
  m->end = number(at, 16);
  ++*at;
  m->readable = (*at)[0] == 'r';
  m->writable = (*at)[1] == 'w';
  const char *last = *at;
  unsigned words = 0;
  for (; **at && **at != '\n'; ++*at)
    if (**at == ' ') {
      last = *at + 1;
      if (++words == 3) m->nameless = last[0] == '0' && (last[1] == ' ' || last[1] == '\n'); /* inode 0 */
    }
  m->stack = last[0] == '[' && last[1] == 's' && last[2] == 't' && last[3] == 'a';
  if (**at) ++*at;
  return 1;
}

static uint64_t presence[512];
static int walk_all(struct walk *w) {
  if (!read_maps()) return 0;
  long fd = RAW(SYS_openat, AT_FDCWD, (long)"/proc/self/pagemap", O_RDONLY, 0, 0, 0);
  if (fd < 0) return 0;
  int fine = 1;
  struct mapping m;
  for (const char *at = maps; fine && next_mapping(&at, &m);) {
    if (!m.writable || m.start == (uint64_t)arena || m.start == (uint64_t)weave_shared) continue;
    if (!m.readable) fine = 0;
    for (uint64_t start = m.start; fine && start < m.end; start += PAGE * 512) {
      uint64_t pages = (m.end - start) / PAGE;
      if (pages > 512) pages = 512;
      fine = RAW(SYS_pread64, fd, (long)presence, (long)(pages * 8), (long)(start / PAGE * 8), 0, 0) == (long)(pages * 8);
      for (uint64_t i = 0; fine && i < pages; i++)
        if (presence[i] >> 62 || !m.nameless) fine = page(w, start + i * PAGE);
    }
  }
  RAW(SYS_close, fd, 0, 0, 0, 0, 0);
  if (fine && !w->compare) *(uint64_t *)w->at = 0; /* the end of the copy */
  return fine && *(uint64_t *)w->at == 0;
}

/* Something was changed, or may have been. */
void weave_changed(void) {
  if (!weave_me) return;
  struct spin *s = mine();
  *mine_selector() = 0;
  s->active = s->open = 0;
  s->count = 0;
  s->changes++;
}
void weave_slept(void) { mine()->slept = 1; }

/* Another thread of the process may still be on its way to sleep, or tidy up after its last
   word: not while we look at memory. */
static int is_quiet(struct weave_slot *other) {
  if (other == weave_me || other->pid != weave_me->pid || !other->posted) return 1;
  if (other->op == OP_EXIT_THREAD) return weave_raw(SYS_tgkill, other->pid, other->tid, 0, 0, 0, 0) != 0;
  return __atomic_load_n(&other->parked, __ATOMIC_SEQ_CST);
}
static void await_quiet(void) {
  for (uint32_t i = 0; i < LIM_SLOTS && i < weave_shared->used; i++)
    for (int n = 0; n < 100000 && !is_quiet(&weave_shared->slot[i]); n++) weave_raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

/* The part between two operations. */
static void begin_part(struct spin *s) {
  await_quiet();
  struct walk w = {s, arena, arena + MEMORY, 0};
  s->open = walk_all(&w);
  if (s->open) *mine_selector() = 1;
  else weave_changed();
}
static void end_part(struct spin *s) {
  *mine_selector() = 0;
  struct walk w = {s, arena, arena + MEMORY, 1};
  if (!s->open || !walk_all(&w)) weave_changed();
  s->open = 0;
}

static int find_stack(struct spin *s, uint64_t here) {
  if (s->low <= here && here < s->high) return 1;
  struct mapping m;
  if (!read_maps()) return 0;
  for (const char *at = maps; next_mapping(&at, &m);)
    if (m.start <= here && here < m.end && m.stack) return s->low = m.start, s->high = m.end, 1;
  struct weave_slot *me = weave_me;
  pthread_attr_t attributes;
  void *low = 0;
  size_t size = 0;
  weave_me = 0;
  if (!pthread_getattr_np(pthread_self(), &attributes)) {
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
  }
  weave_me = me;
  s->low = (uint64_t)low;
  s->high = (uint64_t)low + size;
  /* Above its variables are the C library's notes about a thread, which others write too when
     they end. */
  uint64_t notes = (uint64_t)__builtin_thread_pointer();
  if (s->low <= notes && notes < s->high) s->high = notes;
  return s->low <= here && here < s->high;
}

static int can_catch(struct spin *s) {
  if (!s->caught)
    s->caught = RAW(SYS_prctl, DISPATCH, 1, (long)text, (long)(text_end - text), (long)mine_selector(), 0) == 0 ? 1 : -1;
  return s->caught > 0;
}

/* What our own functions have left below the stack of the program would show in the frames of
   the next ones. */
static void __attribute__((noinline)) scrub(void) {
  volatile uint64_t below[512];
  for (int i = 0; i < 512; i++) below[i] = 0;
  __asm__ volatile("" : : "r"(below));
}

static int look(uint32_t op, uint64_t object, uint64_t pc) {
  struct spin *s = mine();
  uint64_t from = weave_me->kept[6];
  if (!find_stack(s, from) || s->high - from > STACK || !can_catch(s)) return s->active = 0;
  uint8_t *copy = arena + MEMORY + (uint64_t)(s - kept.spins) * STACK;
  uint64_t length = (s->high - from) / 8;
  const uint64_t *now = (const uint64_t *)from;
  uint64_t *then = (uint64_t *)copy;
  if (s->active && s->op == op && s->object == object && s->pc == pc && !differs(weave_me->kept, s->kept, 8)) {
    if (!differs(now, then, length)) return 1;
  }
  /* Another anchor, further and further on (Brent): a loop may have several such places. */
  s->limit = s->active ? s->limit : 1;
  if (s->active && ++s->visits < s->limit) return 0;
  s->limit = s->active ? 2 * s->limit : 1;
  s->slept = s->visits = 0;
  s->active = 1;
  s->op = op, s->object = object, s->pc = pc;
  for (int i = 0; i < 8; i++) s->kept[i] = weave_me->kept[i];
  for (uint64_t i = 0; i < length; i++) then[i] = now[i];
  return 0;
}
static void suspect(struct spin *s, uint64_t object, uint64_t pc) {
  for (unsigned i = 0; i < s->count; i++)
    if (s->recent[i].pc == pc && s->recent[i].object == object) {
      if (++s->recent[i].times < 3) return;
      weave_note_calmly(OP_SUSPECT, pc, 0, 0, 0, pc);
      return;
    }
  if (s->count == RECENT) s->count = 0;
  s->recent[s->count].pc = pc;
  s->recent[s->count].object = object;
  s->recent[s->count++].times = 1;
}

int weave_circles(uint32_t op, uint64_t object, uint64_t pc) {
  struct spin *s = mine();
  if (!is_calm(op)) {
    weave_changed();
    return 0;
  }
  if (s->active) end_part(s);
  if (!weave_shared->several) return 0;
  if (!weave_is_place(pc | WEAVE_WAITS)) {
    suspect(s, object, pc);
    return 0;
  }
  if (!own) dl_iterate_phdr(find_own, 0);
  if (!arena) {
    long made = RAW(SYS_mmap, 0x200000000000, MEMORY + LIM_SLOTS * STACK, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (made < 0) return 0;
    arena = (uint8_t *)made;
  }
  return look(op, object, pc);
}
int weave_loop_sleeps(void) { return mine()->slept; }
int64_t weave_changes(void) { return mine()->changes; }

void weave_goes_on(uint32_t op, int64_t result) {
  struct spin *s = mine();
  if (is_calm(op) == 2 && !was_in_vain(op, result)) weave_changed();
  if (s->active) begin_part(s);
  if (weave_shared->waits) scrub();
}
