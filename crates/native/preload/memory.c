/* Memory: which of it is shared between processes, and accesses of instrumented code.
 *
 * Code compiled with -fsanitize=thread calls the `__tsan_…` functions; these are ours, not the compiler's.
 */
#include "runtime.h"
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t anonymous = 1;

static void *raw_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  long result;
  register long r10 __asm__("r10") = flags;
  register long r8 __asm__("r8") = fd;
  register long r9 __asm__("r9") = offset;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_mmap), "D"(at), "S"(length), "d"(protection), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  if (result < 0 && result > -4096) {
    errno = (int)-result;
    return MAP_FAILED;
  }
  return (void *)result;
}

EXPORT void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  void *memory = raw_mmap(at, length, protection, flags, fd, offset);
  int shared = (flags & MAP_TYPE) == MAP_SHARED || (flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
  if (memory == MAP_FAILED || !shared || !weave_me) return memory;
  struct stat file;
  uint64_t id = anonymous++; /* of this process */
  if (!(flags & MAP_ANONYMOUS) && !fstat(fd, &file)) id = (1ull << 63) | ((uint64_t)file.st_dev << 40) | file.st_ino;
  weave_note(OP_SHARED, (uint64_t)memory, (int64_t)length, (int64_t)id, offset, CALLER);
  return memory;
}
EXPORT void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap(at, length, protection, flags, fd, offset);
}

EXPORT void *shmat(int id, const void *at, int flags) {
  void *memory = REAL(shmat)(id, at, flags);
  struct shmid_ds about;
  if (memory != (void *)-1 && weave_me && !shmctl(id, IPC_STAT, &about))
    weave_note(OP_SHARED, (uint64_t)memory, (int64_t)about.shm_segsz, (int64_t)((1ull << 62) | (uint64_t)id), 0, CALLER);
  return memory;
}
