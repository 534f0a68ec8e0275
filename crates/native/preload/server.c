/* The server. Before its own constructors and main, the first image becomes one: it forks the
 * program once for each run, and kills and reaps what is left of it. In its own pid namespace it is
 * process 1, so nothing escapes `kill(-1)` and orphans come to it.
 */
#include "content.h"
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int set_last_pid(int fd, int pid) {
  char text[16];
  int length = snprintf(text, sizeof text, "%d", pid);
  return pwrite(fd, text, (size_t)length, 0) == length;
}

static void done(void) {
  STORE(&weave_shared->order, RUN_IDLE);
  STORE(&weave_shared->ready, 1);
  if (!weave_is_foreseen()) weave_ring();
}

#define EMPTY 40 /* the size of an empty folder in memory, 20 for each name */
/* Removes what is in a folder, but nothing of what is mounted there. Without the heap, which all
   runs get as it is. */
static void empty(int folder, uint64_t device) {
  char buffer[1024];
  long length;
  struct stat here;
  if (fstat(folder, &here) || here.st_dev != device) return;
  lseek(folder, 0, SEEK_SET);
  while ((length = weave_raw(SYS_getdents64, folder, (long)buffer, sizeof buffer, 0, 0, 0)) > 0)
    for (long at = 0; at < length;) {
      const struct dirent64 *e = (const struct dirent64 *)(buffer + at);
      at += e->d_reclen;
      if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || !unlinkat(folder, e->d_name, 0)) continue;
      int inner = openat(folder, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner >= 0) empty(inner, device), close(inner);
      unlinkat(folder, e->d_name, AT_REMOVEDIR);
    }
}

/* Shared objects of the kernel outlive processes: nothing may pass from one run to the next. */
static void clean(void) {
  struct shm_info info;
  int last = shmctl(0, SHM_INFO, (struct shmid_ds *)&info);
  for (int i = 0; info.used_ids > 0 && i <= last; i++) {
    struct shmid_ds one;
    int id = shmctl(i, SHM_STAT, &one);
    if (id >= 0) shmctl(id, IPC_RMID, 0);
  }
  struct msginfo queues;
  last = msgctl(0, MSG_INFO, (struct msqid_ds *)&queues);
  for (int i = 0; queues.msgpool > 0 && i <= last; i++) {
    struct msqid_ds one;
    int id = msgctl(i, MSG_STAT, &one);
    if (id >= 0) msgctl(id, IPC_RMID, 0);
  }
  static const char *const private[] = {"/dev/shm", "/tmp", "/var/tmp"};
  static int folders[3]; /* 0: not yet open */
  for (int i = 0; i < 3; i++) {
    if (!folders[i]) {
      int low = open(private[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      folders[i] = low < 0 ? low : (int)weave_raw(SYS_fcntl, low, F_DUPFD_CLOEXEC, 720, 0, 0, 0); /* out of the program's way */
      if (low >= 0) weave_raw(SYS_close, low, 0, 0, 0, 0, 0);
    }
    struct stat now;
    if (folders[i] < 0 || fstat(folders[i], &now) || now.st_size == EMPTY || weave_outlives(now.st_dev)) continue;
    empty(folders[i], now.st_dev);
  }
}

/* Reaps ended processes; whether none is left: orphans are our children too. */
static int all_ended(void) {
  pid_t one;
  while ((one = waitpid(-1, 0, WNOHANG | __WALL)) > 0 || (one < 0 && errno == EINTR)) {}
  return one < 0;
}

static void end_run(void) {
  if (weave_shared->contained) {
    if (!all_ended()) { /* killing looks at all processes of the machine */
      kill(-1, SIGKILL);
      while (waitpid(-1, 0, 0) > 0 || errno == EINTR) {}
    }
    clean();
    return;
  }
  for (uint32_t i = 0; i < LIM_SLOTS && i < weave_shared->used; i++)
    if (weave_shared->slot[i].pid > 1) kill(weave_shared->slot[i].pid, SIGKILL);
  while (waitpid(-1, 0, 0) > 0 || errno == EINTR) {}
}

/* Everything as it was before the first run, also what the program has written to its output. */
static void forget_run(void) {
  weave_shared->notes = weave_shared->accesses = weave_shared->several = 0;
  weave_shared->crowd = weave_shared->inodes = 0;
  weave_shared->played = weave_shared->playing = weave_shared->differs = 0;
  for (uint32_t i = 0; i < LIM_SLOTS && i < weave_shared->used; i++) {
    struct weave_slot *slot = &weave_shared->slot[i];
    slot->posted = slot->turn = 0;
    slot->pid = slot->tid = 0;
    slot->time = slot->until = 0;
  }
  weave_shared->used = 0;
  weave_shared->foreseen = weave_shared->wanted;
  if (lseek(1, 0, SEEK_CUR) > 0 && !ftruncate(1, 0)) lseek(1, 0, SEEK_SET);
  lseek(0, 0, SEEK_SET);
}

static void probe(void) {
  int pid = weave_shared->probe;
  int fd = (int)syscall(SYS_pidfd_open, pid, 0);
  struct pollfd ended = {.fd = fd, .events = POLLIN};
  weave_shared->alive = fd >= 0 && poll(&ended, 1, 0) == 0;
  if (fd >= 0) close(fd);
  clockid_t clock;
  struct timespec spent = {0, 0};
  if (!clock_getcpuclockid(pid, &clock)) REAL(clock_gettime)(clock, &spent);
  weave_shared->cpu_nanoseconds = (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
}

/* Looks up what is behind our functions. */
static void look_up(void) {
  extern struct weave_behind __start_weave_behind[], __stop_weave_behind[];
  for (struct weave_behind *b = __start_weave_behind; b < __stop_weave_behind; b++)
    if (!b->function) b->function = weave_real_lookup()(RTLD_NEXT, b->name);
}

/* In its namespaces the program would be root, and could undo them. That it gets no more by
   exec, no_new_privs sees to. */
static void drop_rights(void) {
  if (!weave_shared->contained) return;
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
  weave_raw(SYS_capset, (long)&header, (long)none, 0, 0, 0, 0);
}

/* Returns in the child, once for each run. */
static void serve(void) {
  int pids = open("/proc/sys/kernel/ns_last_pid", O_RDWR | O_CLOEXEC);
  __typeof__(&fork) real_fork = REAL(fork);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  look_up();
  weave_prepare();
  weave_find_private();
  weave_install_backstop();
  weave_watch_signals();
  done();
  for (;;) {
    uint32_t order = __atomic_load_n(&weave_shared->order, __ATOMIC_SEQ_CST);
    if (order == RUN_IDLE) {
      weave_sleep_or_wake(&weave_shared->order, FUTEX_WAIT, RUN_IDLE);
      continue;
    }
    if (order == RUN_QUIT) _exit(0);
    if (order == RUN_END || order == RUN_NEXT) end_run();
    if (order == RUN_PROBE) probe();
    if (order == RUN_START || order == RUN_NEXT) {
      forget_run();
      if (weave_shared->contained && pids >= 0) set_last_pid(pids, 99);
      int child = real_fork();
      if (child == 0) {
        if (pids >= 0) close(pids);
        if (weave_shared->contained) setpgid(0, 0); /* a shell, too, gives a program its group */
        drop_rights();
        weave_begin_thread(&weave_shared->slot[0]);
        return;
      }
    }
    done();
  }
}

/* Who returns from main exits. */
static int (*program)(int, char **, char **);
static int run_main(int argc, char **argv, char **environment) {
  int status = program(argc, argv, environment);
  weave_begin_exit((uint64_t)program);
  return status;
}

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  int (*start)(__typeof__(main), int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
      weave_real("__libc_start_main");
  if (weave_shared) {
    unsetenv("LD_PRELOAD");
    weave_shared->served = 1;
    serve();
  }
  program = main;
  return start(run_main, argc, argv, init, fini, rtld_fini, stack_end);
}

static int first_module(struct dl_phdr_info *info, size_t size, void *base) {
  (void)size;
  *(uint64_t *)base = info->dlpi_addr;
  return 1;
}

__attribute__((constructor)) static void attach(void) {
  const char *text = getenv("WEAVE_FD");
  if (!text) return;
  int fd = atoi(text);
  void *memory = mmap(0, sizeof(struct weave_shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return;
  weave_shared = memory;
  if (weave_shared->served) { /* an image after exec: it is not controlled */
    weave_shared = 0;
    return;
  }
  unsetenv("WEAVE_FD");
  weave_shared->early = weave_begun_early;
  dl_iterate_phdr(first_module, &weave_shared->base);
  weave_watch_ends();
}
