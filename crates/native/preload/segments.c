/* Segments of System V: memory that processes share by its key. */
#include "accesses.h"
#include "files.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>

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
  if (flags & SHM_HUGETLB) weave_huge_pages(CALLER);
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
/* What is attached, and how long it is: whole pages. */
static uint64_t pages(uint64_t length) { return (length + 4095) & ~4095ull; }
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
  struct shmid_ds about;
  if (weave_me && at && flags & SHM_REMAP && !REAL(shmctl)(id, IPC_STAT, &about)) weave_free_block(at, pages(about.shm_segsz), CALLER);
  weave_close_accesses(CALLER);
  void *memory = REAL(shmat)(id, at, flags);
  if (memory == (void *)-1 && errno == ENOMEM && weave_me && !REAL(shmctl)(id, IPC_STAT, &about)) {
    weave_lacks_memory("shmat", about.shm_segsz, CALLER);
    errno = ENOMEM;
  }
  if (memory != (void *)-1 && weave_me && !REAL(shmctl)(id, IPC_STAT, &about)) {
    struct attached *free_one = find_attached(0);
    if (free_one) *free_one = (struct attached){memory, pages(about.shm_segsz)};
    else weave_text(OP_UNCONTROLLED, "more than 256 segments", 0, CALLER);
    weave_note(OP_SHARED, (uint64_t)memory, (int64_t)pages(about.shm_segsz), (int64_t)((1ull << 62) | (uint64_t)id), 0, CALLER);
    if (flags & SHM_REMAP) weave_free_block(memory, pages(about.shm_segsz), CALLER); /* by its new name, too */
  }
  return memory;
}
