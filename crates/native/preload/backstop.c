/* What slips past the library: system calls of the program's own code, and of libc on descriptors that we model. */
#include "files.h"
#include <fcntl.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* The backstop: a system call may come from libc and what belongs to it, and from us; not from the program's own code. What libc
 * reads, writes and closes may be a descriptor that we model, and what it does to files others may see: it comes to us first. */
#define RANGES 12
static struct range {
  uint64_t start, end;
  int ours;
} trusted[RANGES];
static const uint32_t looked_at[] = {
    SYS_read,      SYS_write,     SYS_readv,    SYS_writev,     SYS_close,     SYS_open,      SYS_openat,     SYS_creat,           SYS_pread64,
    SYS_pwrite64,  SYS_preadv,    SYS_pwritev,  SYS_preadv2,    SYS_pwritev2,  SYS_sendfile,  SYS_truncate,   SYS_copy_file_range, SYS_ftruncate,
    SYS_fallocate, SYS_rename,    SYS_renameat, SYS_renameat2,  SYS_unlink,    SYS_unlinkat,  SYS_rmdir,      SYS_mkdir,           SYS_mkdirat,
    SYS_mknod,     SYS_mknodat,   SYS_symlink,  SYS_symlinkat,  SYS_link,      SYS_linkat,    SYS_readlink,   SYS_readlinkat,      SYS_access,
    SYS_faccessat, SYS_faccessat2, SYS_getdents64, SYS_chmod,   SYS_fchmod,    SYS_fchmodat,  SYS_chown,      SYS_lchown,          SYS_fchown,
    SYS_fchownat,  SYS_utimensat, SYS_chdir,    SYS_fchdir,     SYS_getcwd,
    SYS_newfstatat};
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
  /* libc asks for the size of what it has opened; programs learn nothing of that. */
  int own = info->si_syscall == SYS_newfstatat && a[3] & AT_EMPTY_PATH && !*(const char *)a[1] && is_trusted(at);
  weave_changed();
  if (own) result = weave_call(info->si_syscall, a[0], a[1], a[2], a[3], a[4], a[5]);
  else if (!weave_emulate(info->si_syscall, a, &result, at)) {
    if (!is_trusted(at)) {
      char what[64];
      snprintf(what, sizeof what, "system call %d in the program's own code", info->si_syscall);
      weave_text(OP_UNCONTROLLED, what, 1, at);
    }
    result = weave_call(info->si_syscall, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  r[REG_RAX] = result;
}

void weave_install_backstop(void) {
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
