/* Blocks of the heap: who frees one writes all of it, and who gets one gets it without its past.
 *
 * The C library allocates. Its own calls are of no interest but for what they give out: what it
 * frees, the program does not use.
 */
#include "runtime.h"
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

/* Where the C library lies. */
static uint64_t libc, libc_end;
static int find_libc(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;
    if (part->p_type != PT_LOAD || (uint64_t)__libc_free < start || (uint64_t)__libc_free >= end) continue;
    libc = start;
    libc_end = end;
    return 1;
  }
  return 0;
}
int weave_is_libc(uint64_t pc) {
  if (!libc_end) dl_iterate_phdr(find_libc, 0);
  return pc >= libc && pc < libc_end;
}

static void *given(void *block, uint64_t pc) {
  if (weave_handles) weave_unsafe(UNSAFE_MALLOC, pc);
  if (block && weave_me && weave_shared->several && weave_shared->instrumented) {
    weave_renew(block, malloc_usable_size(block));
    weave_identity(IDENTITY_BLOCK, ACC_GIVEN, pc);
  }
  return block;
}
/* None is left: because of a limit that is ours, if it is not too long in any case. */
static void *given_of(size_t size, const char *call, void *block, uint64_t pc) {
  if (!block && size) weave_lacks_memory(call, size, pc);
  return given(block, pc);
}
static void take_back(void *block, uint64_t pc) {
  if (weave_handles && block) weave_unsafe(UNSAFE_FREE, pc);
  if (!block || !weave_me || !weave_shared->several || !weave_shared->instrumented || weave_is_libc(pc) || weave_is_own(pc)) return;
  int kept = errno;
  weave_free_block(block, malloc_usable_size(block), pc);
  weave_identity(IDENTITY_BLOCK, ACC_TAKEN, pc);
  errno = kept;
}

EXPORT void *malloc(size_t size) { return given_of(size, "malloc", __libc_malloc(size), CALLER); }
EXPORT void *calloc(size_t count, size_t size) {
  size_t all = 0;
  if (__builtin_mul_overflow(count, size, &all)) all = SIZE_MAX;
  return given_of(all, "calloc", __libc_calloc(count, size), CALLER);
}
EXPORT void free(void *block) {
  take_back(block, CALLER);
  __libc_free(block);
}
EXPORT void *realloc(void *block, size_t size) {
  take_back(block, CALLER);
  return given_of(size, "realloc", __libc_realloc(block, size), CALLER);
}
EXPORT void *reallocarray(void *block, size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return 0;
  }
  take_back(block, CALLER);
  return given_of(all, "reallocarray", __libc_realloc(block, all), CALLER);
}
EXPORT void *memalign(size_t alignment, size_t size) { return given_of(size, "memalign", __libc_memalign(alignment, size), CALLER); }
EXPORT void *aligned_alloc(size_t alignment, size_t size) { return given_of(size, "aligned_alloc", __libc_memalign(alignment, size), CALLER); }
EXPORT void *valloc(size_t size) { return given_of(size, "valloc", __libc_memalign(4096, size), CALLER); }
EXPORT void *pvalloc(size_t size) {
  size_t pages = (size + 4095) & ~(size_t)4095;
  return given_of(size, "pvalloc", __libc_memalign(4096, pages < size ? SIZE_MAX : pages), CALLER);
}
EXPORT int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1)) return EINVAL;
  int kept = errno;
  void *made = given_of(size, "posix_memalign", __libc_memalign(alignment, size), CALLER);
  errno = kept;
  if (!made) return ENOMEM;
  if (weave_me && !weave_is_own(CALLER)) weave_access(block, sizeof *block, 1, CALLER);
  *block = made;
  return 0;
}

/* `delete` of C++, in all its forms, so that the place is the program's. */
#define DELETES(name, ...)                                     \
  void name(void *block, ##__VA_ARGS__);                       \
  EXPORT void name(void *block, ##__VA_ARGS__) {               \
    take_back(block, CALLER);                                  \
    __libc_free(block);                                        \
  }
DELETES(_ZdlPv)
DELETES(_ZdaPv)
DELETES(_ZdlPvm, size_t size __attribute__((unused)))
DELETES(_ZdaPvm, size_t size __attribute__((unused)))
DELETES(_ZdlPvSt11align_val_t, size_t alignment __attribute__((unused)))
DELETES(_ZdaPvSt11align_val_t, size_t alignment __attribute__((unused)))
DELETES(_ZdlPvmSt11align_val_t, size_t size __attribute__((unused)), size_t alignment __attribute__((unused)))
DELETES(_ZdaPvmSt11align_val_t, size_t size __attribute__((unused)), size_t alignment __attribute__((unused)))
