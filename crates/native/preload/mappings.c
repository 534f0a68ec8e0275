/* Mappings: which memory is shared between processes, and calls that give memory, take it away or
 * change what is in it. To take memory away, to change its rights, or to throw away what is in it,
 * is to write it, up to the end of the last page.
 *
 * Each has a function with the place in the code that it is called from: direct system calls are
 * the same (direct.c). */
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
static uint64_t region_of(int fd) { return fd >= 0 && fd < MOST ? region[fd] : 0; }
void weave_copy_region(int old, int new) { weave_name_region(new, region_of(old)); }

/* Whole pages, if it begins with one: otherwise the kernel refuses. */
#define PAGE 4096ull
static uint64_t pages(uint64_t length) { return (length + PAGE - 1) & ~(PAGE - 1); }
static void replaces(const void *at, uint64_t length, int frees, uint64_t pc) {
  if (!weave_me || weave_is_own(pc) || (uint64_t)at % PAGE) return;
  if (frees) weave_free_block(at, pages(length), pc);
  else weave_access(at, pages(length), 1, pc);
}

/* Addresses get another meaning: what was accessed there before had the old one. */
void weave_close_accesses(uint64_t pc) {
  if (weave_reported(pc) && weave_shared->several) weave_flush(pc);
}

/* A file that is mapped is read; what is written to shared memory and by calls is not brought
   together. Neither is memory that has two names. */
static uint64_t maps_file(int fd, int shared, int protection, uint64_t pc) {
  struct stat about;
  struct weave_inode *file = weave_file_of(fd, &about);
  if (!file) return 0;
  weave_before_file_call(SYS_pread64, (long[6]){fd, 0, ~0u, 0}, pc);
  file->mapped |= !shared ? MAPPED_PRIVATE : protection & PROT_WRITE ? MAPPED_WRITTEN : MAPPED_READ;
  if (shared) file->mapped |= region_of(fd) ? MAPPED_BY_NAME : MAPPED_BY_PATH;
  int both = MAPPED_PRIVATE | MAPPED_WRITTEN, names = MAPPED_BY_NAME | MAPPED_BY_PATH;
  if ((file->mapped & both) == both) weave_text(OP_UNCONTROLLED, "a file that is mapped into private and into shared memory", 0, pc);
  if ((file->mapped & names) == names) weave_text(OP_UNCONTROLLED, "memory of shm_open that is mapped by its path, too", 0, pc);
  return file->name;
}
/* Memory that could only be read may be written now: of which file it is, is not known. */
static void may_be_written(int protection) {
  uint32_t count = weave_shared->inodes;
  for (uint32_t i = 0; protection & PROT_WRITE && i < count && i < LIM_INODES; i++)
    if (weave_shared->inode[i].mapped & MAPPED_READ) weave_shared->inode[i].mapped |= MAPPED_WRITTEN;
}

struct weave_mapping {
  int protection, flags, fd;
  off_t offset;
};
static void maps(void *memory, size_t length, const struct weave_mapping *m, uint64_t file, uint64_t pc) {
  weave_renew(memory, pages(length));
  if (!(m->flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))) weave_identity(IDENTITY_MAPPING, ACC_GIVEN, pc);
  if ((m->flags & MAP_TYPE) != MAP_SHARED && (m->flags & MAP_TYPE) != MAP_SHARED_VALIDATE) return;
  uint64_t id = anonymous++; /* of this process */
  if (!(m->flags & MAP_ANONYMOUS) && region_of(m->fd)) id = region_of(m->fd);
  else if (file) id = (1ull << 59) | file;
  weave_note(OP_SHARED, (uint64_t)memory, (int64_t)pages(length), (int64_t)id, m->offset, pc);
  if (m->flags & MAP_FIXED) replaces(memory, length, 1, pc); /* by its new name, too */
}
/* Huge pages: lengths are in their size, which depends on the machine. */
void weave_huge_pages(uint64_t pc) { weave_text(OP_UNCONTROLLED, "memory in huge pages", 0, pc); }
static void *map(void *at, size_t length, const struct weave_mapping *m, uint64_t pc) {
  if (m->flags & MAP_HUGETLB && weave_me) weave_huge_pages(pc);
  int shared = (m->flags & MAP_TYPE) == MAP_SHARED || (m->flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
  int has_file = weave_me && !(m->flags & MAP_ANONYMOUS) && m->fd >= 0;
  uint64_t file = has_file ? maps_file(m->fd, shared, m->protection, pc) : 0;
  if (m->flags & MAP_FIXED) replaces(at, length, 1, pc);
  if (shared) weave_close_accesses(pc);
  weave_state(STATE_MAPPINGS, m->flags & MAP_FIXED_NOREPLACE ? HOW_UPDATE : HOW_POST, pc);
  void *memory = (void *)weave_result(weave_call(SYS_mmap, (long)at, (long)length, m->protection, m->flags, m->fd, m->offset));
  if (memory == MAP_FAILED && errno == ENOMEM && !(m->flags & MAP_HUGETLB)) weave_lacks_memory("mmap", length, pc);
  if (memory != MAP_FAILED && weave_me) maps(memory, length, m, file, pc);
  return memory;
}
static int unmap(void *at, size_t length, uint64_t pc) {
  replaces(at, length, 1, pc);
  weave_identity(IDENTITY_MAPPING, ACC_TAKEN, pc);
  weave_state(STATE_MAPPINGS, HOW_POST, pc);
  return (int)weave_result(weave_call(SYS_munmap, (long)at, (long)length, 0, 0, 0, 0));
}
static int protect(void *at, size_t length, int protection, uint64_t pc) {
  replaces(at, length, 0, pc);
  if (weave_me && !weave_is_own(pc)) may_be_written(protection);
  return (int)weave_result(weave_call(SYS_mprotect, (long)at, (long)length, protection, 0, 0, 0));
}
/* Advice that changes nothing that a program sees. All other advice is taken to throw away what is
   in memory: it does, or changes what a child of fork gets, or is newer than this list. */
static int only_advises(int advice) {
  static const int harmless[] = {
    MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_MERGEABLE, MADV_UNMERGEABLE, MADV_HUGEPAGE, MADV_NOHUGEPAGE,
    MADV_DONTDUMP, MADV_DODUMP, 20 /* COLD */, 21 /* PAGEOUT */, 22, 23 /* POPULATE_READ and _WRITE */, 25 /* COLLAPSE */,
  };
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (harmless[i] == advice) return 1;
  return 0;
}
static int advise(void *at, size_t length, int advice, uint64_t pc) {
  if (!only_advises(advice)) replaces(at, length, 0, pc);
  return (int)weave_result(weave_call(SYS_madvise, (long)at, (long)length, advice, 0, 0, 0));
}
long weave_change_memory(long number, const long *a, uint64_t pc) {
  void *at = (void *)a[0];
  switch (number) {
  case SYS_mmap: return (long)map(at, (size_t)a[1], &(struct weave_mapping){(int)a[2], (int)a[3], (int)a[4], a[5]}, pc);
  case SYS_munmap: return unmap(at, (size_t)a[1], pc);
  case SYS_mprotect: return protect(at, (size_t)a[1], (int)a[2], pc);
  default: return advise(at, (size_t)a[1], (int)a[2], pc);
  }
}
EXPORT void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return map(at, length, &(struct weave_mapping){protection, flags, fd, offset}, CALLER);
}
EXPORT void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return map(at, length, &(struct weave_mapping){protection, flags, fd, offset}, CALLER);
}
EXPORT int munmap(void *at, size_t length) { return unmap(at, length, CALLER); }
EXPORT int mprotect(void *at, size_t length, int protection) { return protect(at, length, protection, CALLER); }
EXPORT int madvise(void *at, size_t length, int advice) { return advise(at, length, advice, CALLER); }
/* The end of the heap: who gets which memory depends on the order, and what lies behind a lower end
   is gone. */
static void lowers(intptr_t size, uint64_t pc) {
  weave_state(STATE_MAPPINGS, HOW_UPDATE, pc);
  if (size >= 0 || !weave_reported(pc)) return;
  uint64_t end = (uint64_t)weave_raw(SYS_brk, 0, 0, 0, 0, 0, 0);
  weave_free_block((void *)(end + (uint64_t)size), (uint64_t)-size, pc);
}
TELLS_BEHIND(void *, sbrk, (intptr_t size), (size), lowers(size, CALLER), if (done == (void *)-1 && size > 0) weave_lacks_memory("sbrk", (uint64_t)size, CALLER))

/* Whether it is there. */
#define LOOKS weave_state(STATE_MAPPINGS, HOW_READ, CALLER)
TELLS(int, mincore, (void *at, size_t length, unsigned char *to), (at, length, to), LOOKS, WRITES(to, (length + 4095) / 4096))
TELLS(int, msync, (void *at, size_t length, int flags), (at, length, flags), weave_point(CALLER), LOOKS)
TELLS(int, mlock, (const void *at, size_t length), (at, length), LOOKS)
TELLS(int, munlock, (const void *at, size_t length), (at, length), LOOKS)
TELLS(int, posix_madvise, (void *at, size_t length, int advice), (at, length, advice), LOOKS)

