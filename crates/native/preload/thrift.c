/* What makes a run cheap: mappings that would be needed in each run are made once, in the server,
 * before it forks.
 *
 * The C library keeps the stacks of threads that have ended for later ones. A few threads that do
 * nothing leave theirs to all runs, so that these need not map, protect and unmap any. And it loads
 * the unwinder when a thread is to be left in the middle: before the first run, if the program may
 * do that; never for others, whose forks need not copy its mappings.
 *
 * Tried, and of no use: to have the page tables of code copied at each fork, so that children need
 * not fault it in. It costs as much as the faults.
 */
#include "runtime.h"
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

#define STACKS 5 /* of the usual size: the C library keeps this many */

/* What the program asks for. */
struct asked {
  int threads, unwinder, instrumented;
};

/* Only the first module is looked at, the program. */
static int look_at(struct dl_phdr_info *info, size_t size, void *given) {
  (void)size;
  struct asked *asked = given;
  const ElfW(Dyn) *dynamic = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  const char *names = 0;
  uint64_t length = 0;
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_STRTAB) names = (const char *)dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_STRSZ) length = dynamic->d_un.d_val;
  }
  for (uint64_t at = 0; names && at < length; at += strlen(names + at) + 1) {
    const char *name = names + at;
    asked->threads |= !strcmp(name, "pthread_create") || !strcmp(name, "thrd_create") || strstr(name, "_M_start_thread");
    asked->instrumented |= !strcmp(name, "__tsan_init");
    asked->unwinder |= !strcmp(name, "pthread_exit") || !strcmp(name, "thrd_exit") || !strcmp(name, "pthread_cancel");
  }
  return 1;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void *pass(void *unused) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return unused;
}

static void leave_stacks(void) {
  pthread_t threads[STACKS];
  int made = 0;
  pthread_mutex_lock(&gate);
  while (made < STACKS && !pthread_create(&threads[made], 0, pass, 0)) made++;
  pthread_mutex_unlock(&gate);
  while (made > 0) pthread_join(threads[--made], 0);
}

void weave_prepare(void) {
  struct asked asked = {0, 0, 0};
  dl_iterate_phdr(look_at, &asked);
  if (asked.instrumented) weave_shared->instrumented = 1; /* its constructors say so too, in each run */
  if (asked.threads) leave_stacks();
  void *here;
  if (asked.unwinder) backtrace(&here, 1); /* this loads it too */
}
