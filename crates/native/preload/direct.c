/* System calls that come past our functions: from libc itself, from `syscall`, from instructions
 * of the program's own code. What our functions would have done is done here. */
#include "files.h"
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#define FD(n) ((int)a[n])
#define AT(n) ((void *)a[n])
enum { ARCH_GET_FS = 0x1003, ARCH_GET_GS = 0x1004 };
enum { TO_KERNEL = -2, FILE_CALL = -3, OTHER = -4 }; /* besides results, and -1 with errno */

/* From one descriptor to another inside the kernel, or with flags: nothing that we model may
   take part. */
static int takes_part(long number, const long *a) {
  switch (number) {
  case SYS_sendfile: return weave_models(FD(0)) || weave_models(FD(1));
  case SYS_copy_file_range: return weave_models(FD(0)) || weave_models(FD(2));
  case SYS_preadv2:
  case SYS_pwritev2: return weave_models(FD(0)) && a[3] == -1 && a[5];
  default: return 0;
  }
}

static ssize_t transfers(long number, const long *a, uint64_t pc) {
  if (takes_part(number, a)) weave_is_uncontrolled(number, 0, pc); /* which ends the search */
  if (!weave_models(FD(0))) return FILE_CALL;
  switch (number) {
  case SYS_read: return weave_take(FD(0), AT(1), (size_t)a[2], 0, pc);
  case SYS_write: return weave_give(FD(0), AT(1), (size_t)a[2], 0, pc);
  case SYS_readv: return weave_scatter(FD(0), AT(1), FD(2), 0, pc);
  case SYS_writev: return weave_gather(FD(0), AT(1), FD(2), 0, pc);
  case SYS_preadv2: return a[3] == -1 ? weave_scatter(FD(0), AT(1), FD(2), 0, pc) : TO_KERNEL;
  case SYS_pwritev2: return a[3] == -1 ? weave_gather(FD(0), AT(1), FD(2), 0, pc) : TO_KERNEL;
  default: return FILE_CALL;
  }
}

/* Functions of ours that take what the system call takes, if the program makes it directly. */
static long calls_function(long number, const long *a, uint64_t pc) {
  switch (number) {
  case SYS_mmap:
  case SYS_munmap:
  case SYS_mprotect:
  case SYS_madvise: return weave_change_memory(number, a, pc);
  case SYS_pipe: return pipe(AT(0));
  case SYS_pipe2: return pipe2(AT(0), FD(1));
  case SYS_eventfd: return eventfd((unsigned)a[0], 0);
  case SYS_eventfd2: return eventfd((unsigned)a[0], FD(1));
  case SYS_dup: return dup(FD(0));
  case SYS_dup2: return dup2(FD(0), FD(1));
  case SYS_dup3: return dup3(FD(0), FD(1), FD(2));
  case SYS_close_range: return close_range((unsigned)a[0], (unsigned)a[1], FD(2));
  case SYS_fcntl: return weave_control(FD(0), FD(1), a[2], pc);
  case SYS_flock: return flock(FD(0), FD(1));
  case SYS_getrandom: return getrandom(AT(0), (size_t)a[1], (unsigned)a[2]);
  case SYS_clock_gettime: return clock_gettime((clockid_t)a[0], AT(1));
  case SYS_gettimeofday: return gettimeofday(AT(0), AT(1));
  case SYS_time: return time(AT(0));
  case SYS_memfd_create: return memfd_create(AT(0), (unsigned)a[1]);
  case SYS_nanosleep: return nanosleep(AT(0), AT(1));
  case SYS_exit_group: _exit(FD(0));
  default: return OTHER;
  }
}

int weave_emulate(long number, const long *a, long *result, uint64_t pc) {
  int before = errno;
  long done;
  switch (number) {
  case SYS_open: return *result = weave_open(AT_FDCWD, AT(0), FD(1), (mode_t)a[2], pc), 1;
  case SYS_openat: return *result = weave_open(FD(0), AT(1), FD(2), (mode_t)a[3], pc), 1;
  case SYS_creat: return *result = weave_open(AT_FDCWD, AT(0), O_CREAT | O_WRONLY | O_TRUNC, (mode_t)a[1], pc), 1;
  case SYS_close: done = weave_close(FD(0), pc); break;
  case SYS_futex: done = weave_futex(a, pc); break;
  case SYS_exit:
  case SYS_getcpu: done = TO_KERNEL; break;
  case SYS_arch_prctl:
    if (a[0] != ARCH_GET_FS && a[0] != ARCH_GET_GS) return 0;
    done = TO_KERNEL;
    break;
  default: done = weave_class(number) == WEAVE_MODELLED ? transfers(number, a, pc) : weave_me ? calls_function(number, a, pc) : OTHER;
  }
  if (done == FILE_CALL || done == OTHER) {
    if (!weave_before_file_call(number, a, pc) && weave_class(number) != WEAVE_HARMLESS) return 0;
    done = TO_KERNEL;
  }
  *result = done == TO_KERNEL ? weave_call(number, a[0], a[1], a[2], a[3], a[4], a[5]) : done == -1 ? -errno : done;
  if (done == TO_KERNEL) weave_lacks_room(number, a, *result, pc);
  errno = before;
  return 1;
}
