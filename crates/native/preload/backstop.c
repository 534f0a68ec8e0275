/* What slips past the library: system calls of the program's own code, and of libc on
   descriptors that we model. */
#include "files.h"
#include <fcntl.h>
#include <link.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* A system call may come from us; from libc and what belongs to it, if we replace the functions
 * that make it; from the program's own code, if it is harmless. The others come to us first:
 * system_calls.h says which are which. */
#define RANGES 12
static struct range {
  uint64_t start, end;
  int ours, linker;
} trusted[RANGES];
static unsigned ranges;

static const struct system_call {
  const char *name;
  uint8_t class;
} table[] = {
#define CALL(number, name, class) [number] = {#name, WEAVE_##class},
#include "system_calls.h"
};
#define NUMBERS (sizeof table / sizeof *table)

int weave_class(long number) { return number >= 0 && number < (long)NUMBERS ? table[number].class : WEAVE_UNCONTROLLED; }

/* What is said of a system call that nothing else was said of; whether it comes from the
   program's own code. */
void weave_is_uncontrolled(long number, int own, uint64_t pc) {
  char what[96];
  int class = weave_class(number), known = number >= 0 && number < (long)NUMBERS && table[number].name;
  if (class == WEAVE_HARMLESS || !weave_me) return;
  if (known) snprintf(what, sizeof what, "%s%s", table[number].name, own ? ", past the C library" : "");
  else snprintf(what, sizeof what, "system call %ld", number);
  weave_text(OP_UNCONTROLLED, what, class != WEAVE_UNCONTROLLED ? 1 : OTHERWISE, pc);
}

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
    if (ours || may_call(info->dlpi_name)) trusted[ranges++] = (struct range){start, end, ours, strstr(info->dlpi_name, "ld-linux") != 0};
  }
  return 0;
}

/* The dynamic linker opens a library, which may have code of its own. */
static void tell_library(long number, const long *a, long result, uint64_t at) {
  int linker = 0;
  for (unsigned i = 0; i < ranges; i++) linker |= trusted[i].linker && trusted[i].start <= at && at <= trusted[i].end;
  if (!weave_me || !linker || number != SYS_openat || result < 0) return;
  const char *path = (const char *)a[1];
  size_t length = strlen(path);
  if (strstr(path, ".so.cache") || (!strstr(path, ".so.") && (length < 3 || strcmp(path + length - 3, ".so")))) return;
  weave_text(OP_LOADED, path, 0, at);
  /* Its constructors run in the order in which libraries are loaded. Those of libc have none
     that matter. */
  if (weave_shared->several && !may_call(path) && !strstr(path, "libnss_") && !strstr(path, "gconv"))
    weave_text(OP_UNCONTROLLED, "a library that is loaded while several threads exist", 0, at);
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
  long number = info->si_syscall;
  uint64_t at = (uint64_t)info->si_call_addr;
  /* libc asks for the size of what it has opened; programs learn nothing of that. */
  int own = number == SYS_newfstatat && a[3] & AT_EMPTY_PATH && !*(const char *)a[1] && is_trusted(at);
  weave_changed();
  if (number == SYS_rt_sigreturn && weave_me) {
    /* A handler returns in the middle of a loop that is looked at, which ends that: once more,
       on the stack where it was. */
    r[REG_RIP] -= 2;
    r[REG_RAX] = number;
    return;
  }
  if (info->si_arch != AUDIT_ARCH_X86_64) {
    weave_text(OP_UNCONTROLLED, "a system call of 32-bit programs", 1, at);
    result = -ENOSYS;
  } else if (own) result = weave_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  else if (!(is_trusted(at) || !weave_me ? weave_emulate : weave_emulate_raw)(number, a, &result, at)) {
    weave_is_uncontrolled(number, !is_trusted(at), at);
    result = weave_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  tell_library(number, a, result, at);
  r[REG_RAX] = result;
}

/* The filter: finds the class of the number by halving, then looks where the call comes from. A
 * harmless number is allowed before that, which the kernel remembers. */
enum { ALLOWED, FROM_LIBC, FROM_US };
static int rule(unsigned number) {
  int class = weave_class(number);
  return class == WEAVE_HARMLESS ? ALLOWED : class == WEAVE_LIBRARY ? FROM_LIBC : FROM_US;
}

#define MOST_RULES 2048
static struct sock_filter filter[MOST_RULES];
static unsigned written;
static struct run {
  uint32_t first;
  int rule;
} runs[NUMBERS + 1];

static void emit(uint16_t code, uint32_t value, uint8_t yes, uint8_t no) {
  if (written < MOST_RULES) filter[written++] = (struct sock_filter)BPF_JUMP(code, value, yes, no);
}
/* Leaves jump to a place that is known later: they say which. */
static void halve(unsigned from, unsigned to) {
  if (to - from == 1) {
    emit(BPF_JMP | BPF_JA, (uint32_t)runs[from].rule, 0, 0);
    return;
  }
  unsigned middle = (from + to) / 2, here = written;
  emit(BPF_JMP | BPF_JGE | BPF_K, runs[middle].first, 0, 0);
  halve(from, middle);
  filter[here].jt = (uint8_t)(written - here - 1);
  halve(middle, to);
}
/* Allows what comes from these ranges, and traps the rest. */
static void from_where(int libc_too) {
  uint32_t ip = offsetof(struct seccomp_data, instruction_pointer);
  for (unsigned i = 0; i < ranges; i++) {
    if (!libc_too && !trusted[i].ours) continue;
    emit(BPF_LD | BPF_W | BPF_ABS, ip + 4, 0, 0);
    emit(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(trusted[i].start >> 32), 0, 4);
    emit(BPF_LD | BPF_W | BPF_ABS, ip, 0, 0);
    emit(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)trusted[i].start, 0, 2);
    emit(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)trusted[i].end, 1, 0);
    emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  }
  emit(BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
}
static void write_filter(void) {
  unsigned count = 0;
  for (unsigned n = 0; n <= NUMBERS; n++)
    if (!count || runs[count - 1].rule != rule(n)) runs[count++] = (struct run){n, rule(n)};
  emit(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
  emit(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
  emit(BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
  emit(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
  unsigned first = written, places[3];
  halve(0, count);
  unsigned last = written;
  places[ALLOWED] = written;
  emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  places[FROM_LIBC] = written;
  from_where(1);
  places[FROM_US] = written;
  from_where(0);
  for (unsigned i = first; i < last; i++)
    if (filter[i].code == (BPF_JMP | BPF_JA)) filter[i].k = places[filter[i].k] - i - 1;
}

void weave_install_backstop(void) {
  dl_iterate_phdr(collect, 0);
  write_filter();
  struct sock_fprog program = {(unsigned short)written, filter};
  struct sigaction action = {.sa_sigaction = on_system_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
  REAL(sigaction)(SIGSYS, &action, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  weave_shared->backstop = written < MOST_RULES && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
