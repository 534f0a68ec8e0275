/* The hand-over: a thread posts what it wants to do next and sleeps until the scheduler lets it.
 *
 * Before main, the first image becomes the server: it forks the program once for each run, and kills and reaps what is
 * left of it. In its own pid namespace it is process 1, so nothing escapes `kill(-1)` and orphans come to it.
 */
#include "files.h"
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct weave_shared *weave_shared;
__thread struct weave_slot *weave_me __attribute__((tls_model("initial-exec")));

uint64_t weave_requests;

__thread char weave_uncancelled __attribute__((tls_model("initial-exec")));

int backtrace(void **, int);

static int is_point(uint32_t op) {
  switch (op) {
  case OP_COND_WAIT:
  case OP_COND_TIMEDWAIT:
  case OP_SEM_WAIT:
  case OP_SEM_TIMEDWAIT:
  case OP_JOIN:
  case OP_WAIT:
  case OP_TEST_CANCEL:
  case OP_SLEEP:
  case OP_SIGWAIT:
  case OP_SUSPEND:
  case OP_PAUSE:
  case OP_FILE_LOCK:
  case OP_FIFO_OPEN:
  case OP_MSG_SEND:
  case OP_MSG_RECEIVE:
  case OP_MQ_SEND:
  case OP_MQ_RECEIVE:
  case OP_FD_READ:
  case OP_FD_WRITE:
  case OP_FD_CLOSE:
  case OP_FD_POLL:
  case OP_EPOLL_WAIT: return !weave_uncancelled;
  default: return 0;
  }
}

void *weave_real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

long weave_raw(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

long weave_call(long number, long a, long b, long c, long d, long e, long f) {
  weave_changed();
  return weave_raw(number, a, b, c, d, e, f);
}

long weave_result(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

static long futex(uint32_t *word, int op, uint32_t value) { return weave_raw(SYS_futex, (long)word, op, value, 0, 0, 0); }

#define LOAD(place) __atomic_load_n(place, __ATOMIC_SEQ_CST)
#define STORE(place, value) __atomic_store_n(place, value, __ATOMIC_SEQ_CST)

static void ring(void) {
  __atomic_add_fetch(&weave_shared->bell, 1, __ATOMIC_SEQ_CST);
  futex(&weave_shared->bell, FUTEX_WAKE, 1);
}

static struct weave_data *data_of(const struct weave_slot *slot) { return &weave_shared->data[slot - weave_shared->slot]; }
uint8_t *weave_bytes(void) { return data_of(weave_me)->bytes; }

static void copy(volatile uint8_t *to, const volatile uint8_t *from, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) to[i] = from[i];
}

/* Whether a request is the one that is foreseen. */
static int as_foreseen(const struct weave_event *e, const struct weave_slot *s) {
  if (e->op != s->op || e->flags != s->flags || e->object != s->object || e->a != s->a || e->b != s->b || e->c != s->c) return 0;
  if (e->pc != s->pc || e->time != s->time || e->until != s->until || e->length != s->length || s->frames) return 0;
  const uint8_t *mine = data_of(s)->bytes, *then = weave_shared->tape_data + e->data;
  for (uint32_t i = 0; i < e->length; i++)
    if (mine[i] != then[i]) return 0;
  return 1;
}

/* The next event of the tape, if it can happen now. */
static struct weave_event *next_event(void) {
  uint32_t at = LOAD(&weave_shared->played);
  if (at >= LOAD(&weave_shared->foreseen) || at >= LIM_TAPE) return 0;
  struct weave_event *e = &weave_shared->tape[at];
  return e->answer || LOAD(&weave_shared->slot[e->who % LIM_SLOTS].posted) ? e : 0;
}

/* Lets events of the tape happen, as many as can. The last one who may go on because of that is woken last. */
static uint32_t *play(uint32_t *woken, const struct weave_slot *me) {
  for (struct weave_event *e; (e = next_event());) {
    struct weave_slot *slot = &weave_shared->slot[e->who % LIM_SLOTS];
    if (e->answer) {
      weave_shared->several = e->several;
      slot->result = (int64_t)e->object;
      slot->time = e->time;
      copy(data_of(slot)->bytes, weave_shared->tape_data + e->data, e->length);
      STORE(&slot->posted, 0);
      STORE(&slot->turn, 1);
      if (woken) futex(woken, FUTEX_WAKE, 1);
      woken = slot == me ? 0 : &slot->turn;
    } else if (as_foreseen(e, slot)) {
      e->notes = weave_shared->notes;
      e->accesses = weave_shared->accesses;
    } else {
      weave_shared->differs = 1;
      STORE(&weave_shared->foreseen, 0);
    }
    __atomic_add_fetch(&weave_shared->played, 1, __ATOMIC_SEQ_CST);
  }
  return woken;
}

/* One thread at a time plays; who comes meanwhile is seen by it. The scheduler hears of the end. */
static void advance(const struct weave_slot *me) {
  uint32_t *woken = 0;
  while (next_event()) {
    if (__atomic_exchange_n(&weave_shared->playing, 1, __ATOMIC_SEQ_CST)) break;
    woken = play(woken, me);
    STORE(&weave_shared->playing, 0);
  }
  if (woken) futex(woken, FUTEX_WAKE, 1);
}

static int is_foreseen(void) { return LOAD(&weave_shared->played) < LOAD(&weave_shared->foreseen); }

static void post(struct weave_slot *slot) {
  STORE(&slot->turn, 0);
  STORE(&slot->parked, 0);
  STORE(&slot->posted, 1);
  if (is_foreseen()) advance(slot);
  if (!is_foreseen()) ring();
}

void weave_flush(uint64_t pc) {
  STORE(&weave_shared->foreseen, 0);
  weave_ask(OP_NONE, 0, 0, 0, 0, pc);
}

static void await_turn(struct weave_slot *slot) {
  while (__atomic_load_n(&slot->turn, __ATOMIC_SEQ_CST) == 0) {
    /* From the mark on nothing is written, not even to the stack. */
    long result;
    register long limit __asm__("r10") = 0;
    __asm__ volatile("movl $1, %[parked]\n\tsyscall"
                     : "=a"(result), [parked] "=m"(slot->parked)
                     : "a"(SYS_futex), "D"(&slot->turn), "S"(FUTEX_WAIT), "d"(0), "r"(limit)
                     : "rcx", "r11", "memory");
  }
}

static void fill(struct weave_slot *slot, uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc) {
  weave_requests++;
  slot->op = op;
  slot->flags = is_point(op) ? WEAVE_POINT : 0;
  slot->object = object;
  slot->a = a;
  slot->b = b;
  slot->c = c;
  slot->pc = pc;
  slot->frames = 0;
  slot->length = 0;
  if (weave_shared->stacks) {
    weave_me = 0; /* the unwinder uses locks of its own */
    slot->frames = (uint32_t)backtrace((void **)data_of(slot)->stack, LIM_STACK);
    weave_me = slot;
  }
}

static int64_t answer(struct weave_slot *slot) {
  uint32_t point = slot->flags & WEAVE_POINT;
  post(slot);
  await_turn(slot);
  while (slot->result == WEAVE_SIGNAL) {
    weave_handle();
    weave_tell_mask(0);
    fill(slot, OP_RESUME, 0, 0, 0, 0, 0);
    post(slot);
    await_turn(slot);
  }
  if (weave_shared->ordered) weave_set_clock(slot);
  if (point && slot->result == WEAVE_CANCELLED) {
    weave_uncancelled = 1;
    pthread_exit(PTHREAD_CANCELED);
  }
  return slot->result;
}

/* A thread that goes round in a circle waits; that it is let go on means: once more. */
static void wait_if_circling(uint32_t op, uint64_t object, uint64_t pc) {
  if (!weave_circles(op, object, pc)) return;
  fill(weave_me, OP_CIRCLE, 0, weave_loop_sleeps(), weave_changes(), 0, pc);
  answer(weave_me);
}

/* Keeps the registers that survive a call, and where the stack is, before any function of ours has touched them; then goes on to the
 * function behind it. */
#define KEEPS(function)                                                                                                \
  __asm__ volatile("mov weave_me@gottpoff(%%rip), %%r11\nmov %%fs:(%%r11), %%r11\nadd %0, %%r11\n"                     \
                   "mov %%rbx, 0(%%r11)\nmov %%rbp, 8(%%r11)\nmov %%r12, 16(%%r11)\nmov %%r13, 24(%%r11)\n"           \
                   "mov %%r14, 32(%%r11)\nmov %%r15, 40(%%r11)\nmov %%rsp, 48(%%r11)\nmovq $0, 56(%%r11)\n"           \
                   "stmxcsr 56(%%r11)\nfnstcw 60(%%r11)\njmp " #function ::"i"(offsetof(struct weave_slot, kept)))

__attribute__((used)) static int64_t ask(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc) {
  int kept = errno;
  weave_tell_mask(pc);
  wait_if_circling(op, object, pc);
  fill(weave_me, op, object, a, b, c, pc);
  int64_t result = answer(weave_me);
  weave_me->until = 0;
  weave_goes_on(op, result);
  errno = kept;
  return result;
}

__attribute__((naked)) int64_t weave_ask(__attribute__((unused)) uint32_t op, __attribute__((unused)) uint64_t object,
                                        __attribute__((unused)) int64_t a, __attribute__((unused)) int64_t b,
                                        __attribute__((unused)) int64_t c, __attribute__((unused)) uint64_t pc) {
  KEEPS(ask);
}

int64_t weave_ask_data(uint32_t op, uint64_t object, int64_t a, int64_t b, const void *data, size_t length, uint64_t pc) {
  return weave_ask_all(op, object, a, b, 0, data, length, pc);
}

__attribute__((used)) static int64_t ask_all(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, const void *data,
                                             size_t length, uint64_t pc) {
  int kept = errno;
  struct weave_slot *me = weave_me;
  weave_tell_mask(pc);
  wait_if_circling(op, object, pc);
  fill(me, op, object, a, b, c, pc);
  me->length = length < LIM_DATA ? (uint32_t)length : LIM_DATA;
  copy(data_of(me)->bytes, data, me->length);
  int64_t result = answer(me);
  me->until = 0;
  weave_goes_on(op, result);
  errno = kept;
  return result;
}

__attribute__((naked)) int64_t weave_ask_all(__attribute__((unused)) uint32_t op, __attribute__((unused)) uint64_t object,
                                            __attribute__((unused)) int64_t a, __attribute__((unused)) int64_t b,
                                            __attribute__((unused)) int64_t c, __attribute__((unused)) const void *data,
                                            __attribute__((unused)) size_t length, __attribute__((unused)) uint64_t pc) {
  KEEPS(ask_all);
}

void weave_text(uint32_t op, const char *text, int64_t a, uint64_t pc) {
  if (weave_me) weave_ask_data(op, 0, a, 0, text, strlen(text), pc);
}

void weave_tell_last(uint32_t op, int64_t a) {
  struct weave_slot *me = weave_me;
  weave_changed();
  fill(me, op, 0, a, 0, 0, 0);
  weave_me = 0; /* fill has set it */
  post(me);
}

void weave_note(uint32_t op, uint64_t object, int64_t a, int64_t b, int64_t c, uint64_t pc) {
  weave_changed();
  uint32_t at = weave_shared->notes;
  if (at >= LIM_NOTES) {
    weave_flush(pc);
    at = weave_shared->notes;
  }
  uint32_t slot = (uint32_t)(weave_me - weave_shared->slot);
  weave_shared->note[at] = (struct weave_note){op, slot, object, a, b, c, pc};
  weave_shared->notes = at + 1;
}

int64_t weave_set(uint32_t op, uint64_t object, int64_t a, int64_t b, uint64_t pc) {
  if (weave_shared->several) return weave_ask(op, object, a, b, 0, pc);
  weave_note(op, object, a, b, 0, pc);
  return 0;
}

/* After all other destructors of the thread: ours comes first in each round, and goes on in the last round only. */
static pthread_key_t ending;
static void at_thread_end(void *round) {
  long n = (long)round;
  if (n < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(ending, (void *)(n + 1));
  } else if (weave_me) {
    weave_tell_last(OP_EXIT_THREAD, 0);
  }
}

/* Reads before it writes: the kernel then maps what lies around too, the slots of others. */
void weave_name_slot(struct weave_slot *slot, int32_t pid, int32_t tid) {
  uint32_t after = (uint32_t)(slot - weave_shared->slot) + 1, used = LOAD(&weave_shared->used);
  while (used < after && !__atomic_compare_exchange_n(&weave_shared->used, &used, after, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
  slot->pid = pid;
  slot->tid = tid;
}

void weave_begin_thread(struct weave_slot *slot) {
  weave_me = slot;
  pthread_setspecific(ending, (void *)1);
  weave_name_slot(slot, getpid(), (int32_t)syscall(SYS_gettid));
  weave_begin_signals();
  weave_ask(OP_START, 0, 0, 0, 0, 0);
}

void weave_end_process(int status) {
  if (weave_me) {
    weave_ask(OP_EXIT_PROCESS, 0, status, 0, 0, CALLER);
    weave_me = 0;
  }
  for (;;) syscall(SYS_exit_group, status);
}

/* The last exit handler, because it was the first to be registered. */
static void at_exit(int status, void *unused) {
  (void)unused;
  if (!weave_me) return;
  fflush(0);
  weave_end_process(status);
}

/* Death by signal: tell, then die of it. */
static void on_fatal(int sig) {
  if (weave_me) {
    struct weave_slot *me = weave_me;
    weave_changed();
    fill(me, OP_CRASH, 0, sig, 0, 0, 0);
    weave_me = 0;
    post(me);
    for (int i = 0; i < 100; i++) await_turn(me); /* killed here */
  }
  signal(sig, SIG_DFL);
  raise(sig);
}

int weave_is_watcher(void (*handler)(int)) { return handler == on_fatal; }

static void watch_signals(void) {
  static char stack[65536];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, 0);
  int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  struct sigaction action = {.sa_handler = on_fatal, .sa_flags = SA_ONSTACK | SA_NODEFER};
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) REAL(sigaction)(fatal[i], &action, 0);
}

static int set_last_pid(int fd, int pid) {
  char text[16];
  int length = snprintf(text, sizeof text, "%d", pid);
  return pwrite(fd, text, (size_t)length, 0) == length;
}

static void done(void) {
  STORE(&weave_shared->order, RUN_IDLE);
  STORE(&weave_shared->ready, 1);
  if (!is_foreseen()) ring();
}

#define EMPTY 40 /* the size of an empty folder in memory, 20 for each name */
/* Removes what is in a folder. */
static void empty(DIR *folder) {
  rewinddir(folder);
  for (struct dirent *e; (e = readdir(folder));) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    if (!unlinkat(dirfd(folder), e->d_name, 0)) continue;
    int fd = openat(dirfd(folder), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *inner = fd >= 0 ? fdopendir(fd) : 0;
    if (inner) empty(inner), closedir(inner);
    unlinkat(dirfd(folder), e->d_name, AT_REMOVEDIR);
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
  static DIR *open[3];
  for (int i = 0; i < 3; i++) {
    if (!open[i]) open[i] = opendir(private[i]);
    struct stat now;
    if (!open[i] || (!fstat(dirfd(open[i]), &now) && now.st_size == EMPTY)) continue;
    empty(open[i]);
  }
}

static void end_run(void) {
  if (weave_shared->contained) {
    kill(-1, SIGKILL);
    while (waitpid(-1, 0, 0) > 0 || errno == EINTR) {}
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

/* The backstop: a system call may come from libc and what belongs to it, and from us; not from the program's own code. What libc
 * reads, writes and closes may be a descriptor that we model: it comes to us first. */
#define RANGES 12
static struct range {
  uint64_t start, end;
  int ours;
} trusted[RANGES];
static const uint32_t looked_at[] = {SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_close};
#define LOOKED_AT (sizeof looked_at / sizeof *looked_at)
static unsigned ranges;

static int may_call(const char *name) {
  static const char *const known[] = {"libc.so", "ld-linux", "linux-vdso", "libpthread", "librt", "libstdc++", "libgcc_s"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strstr(name, known[i])) return 1;
  return 0;
}

static int collect(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; i < info->dlpi_phnum && ranges < RANGES; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz, here = (uint64_t)collect;
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    int ours = start <= here && here < end;
    if (ours || may_call(info->dlpi_name)) trusted[ranges++] = (struct range){start, end, ours};
  }
  return 0;
}

static int is_trusted(uint64_t at) {
  for (unsigned i = 0; i < ranges; i++)
    if (trusted[i].start <= at && at <= trusted[i].end) return 1;
  return 0;
}

static void on_system_call(int sig, siginfo_t *info, void *context) {
  (void)sig;
  greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
  long a[] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]}, result;
  uint64_t at = (uint64_t)info->si_call_addr;
  weave_changed();
  if (!weave_emulate(info->si_syscall, a, &result, at)) {
    if (!is_trusted(at)) {
      char what[64];
      snprintf(what, sizeof what, "system call %d in the program's own code", info->si_syscall);
      weave_text(OP_UNCONTROLLED, what, 1, at);
    }
    result = weave_call(info->si_syscall, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  r[REG_RAX] = result;
}

static void install_backstop(void) {
  struct sock_filter filter[RANGES * (8 + LOOKED_AT) + 2];
  unsigned n = 0;
  uint32_t ip = offsetof(struct seccomp_data, instruction_pointer);
  dl_iterate_phdr(collect, 0);
  for (unsigned i = 0; i < ranges; i++) {
    uint8_t more = trusted[i].ours ? 0 : 2 + LOOKED_AT;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip + 4);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(trusted[i].start >> 32), 0, 4 + more);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)trusted[i].start, 0, 2 + more);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)trusted[i].end, 1 + more, 0);
    if (more) filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t j = 0; more && j < LOOKED_AT; j++)
      filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, looked_at[j], (uint8_t)(LOOKED_AT - j), 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    if (more) filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  }
  filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  struct sock_fprog program = {(unsigned short)n, filter};
  struct sigaction action = {.sa_sigaction = on_system_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
  REAL(sigaction)(SIGSYS, &action, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) weave_shared->backstop = 0;
  else weave_shared->backstop = 1;
}

/* Looks up what is behind our functions. */
static void look_up(void) {
  extern struct weave_behind __start_weave_behind[], __stop_weave_behind[];
  for (struct weave_behind *b = __start_weave_behind; b < __stop_weave_behind; b++)
    if (!b->function) b->function = dlsym(RTLD_NEXT, b->name);
}

/* In its namespaces the program would be root, and could undo them. That it gets no more by exec, no_new_privs sees to. */
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
  install_backstop();
  done();
  for (;;) {
    uint32_t order = __atomic_load_n(&weave_shared->order, __ATOMIC_SEQ_CST);
    if (order == RUN_IDLE) {
      futex(&weave_shared->order, FUTEX_WAIT, RUN_IDLE);
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
        drop_rights();
        watch_signals();
        weave_begin_thread(&weave_shared->slot[0]);
        return;
      }
    }
    done();
  }
}

static int (*program_main)(int, char **, char **);

static int controlled_main(int argc, char **argv, char **environment) {
  unsetenv("LD_PRELOAD");
  if (!weave_shared->served) {
    weave_shared->served = 1;
    serve();
  }
  return program_main(argc, argv, environment);
}

EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  int (*start)(__typeof__(main), int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
      weave_real("__libc_start_main");
  program_main = main;
  return start(weave_shared ? controlled_main : main, argc, argv, init, fini, rtld_fini, stack_end);
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
  if (weave_shared->served) { /* an image after exec: nobody controls it */
    weave_shared = 0;
    return;
  }
  unsetenv("WEAVE_FD");
  dl_iterate_phdr(first_module, &weave_shared->base);
  pthread_key_create(&ending, at_thread_end);
  on_exit(at_exit, 0);
}
