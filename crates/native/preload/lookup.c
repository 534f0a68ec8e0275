/* Functions that a program looks up by name: those of the C library that we replace are ours,
 * whatever handle it asks. The others are reported, and looked up in the table of library functions,
 * as if the program had been linked with them. */
#define _GNU_SOURCE
#include "accesses.h"
#include <string.h>

typedef void *lookup(void *, const char *);
lookup *weave_real_lookup(void) {
  static lookup *real;
  if (!real) real = (lookup *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
  if (!real) real = (lookup *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  return real;
}

static int is_of_library(void *at) {
  static const char *const known[] = {"libc.so", "libpthread", "librt", "libm.so"};
  Dl_info where;
  if (!dladdr(at, &where) || !where.dli_fname) return 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strstr(where.dli_fname, known[i])) return 1;
  return 0;
}

EXPORT void *dlsym(void *restrict handle, const char *restrict name) {
  TEXT(name);
  void *found = weave_real_lookup()(handle, name);
  if (!found || !is_of_library(found)) return found;
  void *ours = weave_real_lookup()(RTLD_DEFAULT, name);
  if (ours && weave_is_own((uint64_t)ours)) return ours;
  if (weave_me) weave_text(OP_LOADED, name, 1, CALLER);
  return found;
}
