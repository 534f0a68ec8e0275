/* The stack grows by itself, which fails here because of the memory that weave allows.
 * expect: unknown
 * reason: uncontrolled: growth of the stack
 * run: run
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static int deep(int n) {
  volatile char part[1 << 16];
  memset((char *)part, n, sizeof part);
  return n ? deep(n - 1) + part[5] : 0;
}

int main(void) {
  struct rlimit most;
  size_t used = 0;
  FILE *about = fopen("/proc/self/statm", "r");
  if (!about || fscanf(about, "%zu", &used) != 1) return 1;
  fclose(about);
  getrlimit(RLIMIT_AS, &most);
  /* All but three MiB. */
  mmap(0, most.rlim_cur - used * 4096 - (3 << 20), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return deep(100) == 1;
}
