/* Functions of the C library that access memory on behalf of the program: it is as if the program
 * accessed it.
 *
 * What is read may change while a thread waits to read it, if it races. So these tell first, look
 * again, and tell more if there is more. Functions that write tell before they write. What the
 * directives of printf and scanf point to: formats.c.
 */
#include "accesses.h"
#include "formats.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t length(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) n++;
  return n;
}
/* How many bytes of a string are read, at most `most`. */
static size_t span(const char *s, size_t most) {
  size_t n = length(s, most);
  return n < most ? n + 1 : n;
}
static size_t see(const char *s, size_t most, uint64_t pc) {
  size_t n = span(s, most);
  if (weave_reported(pc))
    for (;;) {
      weave_access(s, n, 0, pc);
      size_t now = span(s, most);
      if (now <= n) break;
      n = now;
    }
  return length(s, most);
}
#define ALL ((size_t)-1)
void weave_read_string(const char *s, uint64_t pc) { see(s, ALL, pc); }

EXPORT size_t strlen(const char *s) { return see(s, ALL, CALLER); }
EXPORT size_t strnlen(const char *s, size_t most) { return see(s, most, CALLER); }

/* Texts are written byte by byte: also such that a processor could write in one step. */
static void writes_text(const char *to, size_t size, uint64_t pc) {
  if (!weave_reported(pc)) return;
  weave_access(to, size, 1, pc);
  if (weave_handles && (size == 4 || size == 8)) weave_tell_access((uint64_t)to, size - 1, ACC_WRITE, pc);
}
/* Copies `n` bytes and an end, if it is wanted. The end of the copy. */
static char *put(char *to, const char *from, size_t n, int ends, uint64_t pc) {
  struct weave_kept kept;
  const char *read = weave_keep(&kept, from, n, pc);
  writes_text(to, n + (size_t)ends, pc);
  for (size_t i = 0; i < n; i++) to[i] = read[i];
  if (ends) to[n] = 0;
  weave_drop(&kept);
  return to + n;
}
EXPORT char *strcpy(char *restrict to, const char *restrict from) {
  put(to, from, see(from, ALL, CALLER), 1, CALLER);
  return to;
}
EXPORT char *stpcpy(char *restrict to, const char *restrict from) { return put(to, from, see(from, ALL, CALLER), 1, CALLER); }
static char *fill(char *to, const char *from, size_t size, uint64_t pc) {
  size_t n = see(from, size, pc);
  struct weave_kept kept;
  const char *read = weave_keep(&kept, from, n, pc);
  writes_text(to, size, pc);
  for (size_t i = 0; i < size; i++) to[i] = i < n ? read[i] : 0;
  weave_drop(&kept);
  return to + n;
}
EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t size) {
  fill(to, from, size, CALLER);
  return to;
}
EXPORT char *stpncpy(char *restrict to, const char *restrict from, size_t size) { return fill(to, from, size, CALLER); }
EXPORT char *strcat(char *restrict to, const char *restrict from) {
  size_t end = see(to, ALL, CALLER);
  put(to + end, from, see(from, ALL, CALLER), 1, CALLER);
  return to;
}
EXPORT char *strncat(char *restrict to, const char *restrict from, size_t most) {
  size_t end = see(to, ALL, CALLER);
  put(to + end, from, see(from, most, CALLER), 1, CALLER);
  return to;
}
EXPORT char *strdup(const char *s) {
  size_t n = see(s, ALL, CALLER);
  char *copy = malloc(n + 1);
  if (copy) put(copy, s, n, 1, CALLER);
  return copy;
}
EXPORT char *strndup(const char *s, size_t most) {
  size_t n = see(s, most, CALLER);
  char *copy = malloc(n + 1);
  if (copy) put(copy, s, n, 1, CALLER);
  return copy;
}

/* What a comparison reads of both: up to the first difference, or the end. */
static size_t alike(const unsigned char *a, const unsigned char *b, size_t most, int (*key)(int), int strings) {
  size_t n = 0;
  while (n < most && key(a[n]) == key(b[n]) && !(strings && !a[n])) n++;
  return n < most ? n + 1 : n;
}
static int compare(const void *a, const void *b, size_t most, int (*key)(int), int strings, uint64_t pc) {
  size_t n = alike(a, b, most, key, strings);
  while (weave_reported(pc)) {
    weave_access(a, n, 0, pc);
    weave_access(b, n, 0, pc);
    size_t now = alike(a, b, most, key, strings);
    if (now <= n) break;
    n = now;
  }
  n = alike(a, b, most, key, strings);
  return n ? key(((const unsigned char *)a)[n - 1]) - key(((const unsigned char *)b)[n - 1]) : 0;
}
static int itself(int c) { return c; }
EXPORT int strcmp(const char *a, const char *b) { return compare(a, b, ALL, itself, 1, CALLER); }
EXPORT int strncmp(const char *a, const char *b, size_t most) { return compare(a, b, most, itself, 1, CALLER); }
EXPORT int strcasecmp(const char *a, const char *b) { return compare(a, b, ALL, tolower, 1, CALLER); }
EXPORT int strncasecmp(const char *a, const char *b, size_t most) { return compare(a, b, most, tolower, 1, CALLER); }
EXPORT int memcmp(const void *a, const void *b, size_t size) { return compare(a, b, size, itself, 0, CALLER); }
EXPORT int bcmp(const void *a, const void *b, size_t size) { return compare(a, b, size, itself, 0, CALLER); }

EXPORT char *strchr(const char *s, int c) {
  size_t n = see(s, ALL, CALLER);
  for (size_t i = 0; i <= n; i++)
    if (s[i] == (char)c) return (char *)s + i;
  return 0;
}
EXPORT char *strrchr(const char *s, int c) {
  size_t n = see(s, ALL, CALLER);
  for (size_t i = n + 1; i-- > 0;)
    if (s[i] == (char)c) return (char *)s + i;
  return 0;
}
EXPORT void *memchr(const void *at, int c, size_t size) {
  const unsigned char *s = at;
  size_t read = 0;
  for (;;) {
    size_t n = 0;
    while (n < size && s[n] != (unsigned char)c) n++;
    size_t needed = n < size ? n + 1 : n;
    if (needed <= read || !weave_reported(CALLER)) return n < size ? (void *)(s + n) : 0;
    READS(at, read = needed);
  }
}
EXPORT char *strstr(const char *s, const char *word) {
  size_t n = see(s, ALL, CALLER), w = see(word, ALL, CALLER);
  for (size_t i = 0; i + w <= n; i++) {
    size_t same = 0;
    while (same < w && s[i + same] == word[same]) same++;
    if (same == w) return (char *)s + i;
  }
  return 0;
}

EXPORT void bzero(void *at, size_t size) {
  WRITES(at, size);
  char *byte = at;
  while (size--) *byte++ = 0;
}
EXPORT void bcopy(const void *from, void *to, size_t size) {
  struct weave_kept kept;
  READS(from, size);
  const char *f = weave_keep(&kept, from, size, CALLER);
  WRITES(to, size);
  char *t = to;
  if (t <= f)
    for (size_t i = 0; i < size; i++) t[i] = f[i];
  else
    for (size_t i = size; i > 0; i--) t[i - 1] = f[i - 1];
  weave_drop(&kept);
}

/* Numbers: what may belong to one, and what ends it. */
static void see_number(const char *s, uint64_t pc) {
  size_t n = 0;
  while (isspace((unsigned char)s[n])) n++;
  while (isalnum((unsigned char)s[n]) || (s[n] && (s[n] == '+' || s[n] == '-' || s[n] == '.'))) n++;
  if (weave_reported(pc)) weave_access(s, n + 1, 0, pc);
}
#define NUMBER(type, name)                                    \
  EXPORT type name(const char *s) {                           \
    see_number(s, CALLER);                                    \
    return REAL(name)(s);                                     \
  }
NUMBER(int, atoi)
NUMBER(long, atol)
NUMBER(long long, atoll)
NUMBER(double, atof)
#define INTEGER(type, name)                                   \
  type name(const char *, char **, int);                      \
  EXPORT type name(const char *s, char **end, int base) {     \
    see_number(s, CALLER);                                    \
    if (end) WRITES(end, sizeof *end);                        \
    return REAL(name)(s, end, base);                          \
  }
INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)
INTEGER(long, __isoc23_strtol)
INTEGER(unsigned long, __isoc23_strtoul)
INTEGER(long long, __isoc23_strtoll)
INTEGER(unsigned long long, __isoc23_strtoull)
EXPORT double strtod(const char *s, char **end) {
  see_number(s, CALLER);
  if (end) WRITES(end, sizeof *end);
  return REAL(strtod)(s, end);
}

/* Text that is printed to memory: how long it gets is asked first. */
static int format(char *to, size_t size, const char *how, va_list values, uint64_t pc) {
  weave_see_printed(how, values, pc);
  if (weave_reported(pc) && size) {
    va_list copy;
    va_copy(copy, values);
    int n = REAL(vsnprintf)(0, 0, how, copy);
    va_end(copy);
    if (n >= 0) writes_text(to, (size_t)n < size ? (size_t)n + 1 : size, pc);
  }
  return REAL(vsnprintf)(to, size, how, values);
}
#define LONGEST_TEXT ((size_t)0x7fffffff)
EXPORT int vsnprintf(char *to, size_t size, const char *how, va_list values) { return format(to, size, how, values, CALLER); }
EXPORT int vsprintf(char *to, const char *how, va_list values) { return format(to, LONGEST_TEXT, how, values, CALLER); }
EXPORT int snprintf(char *to, size_t size, const char *how, ...) {
  va_list values;
  va_start(values, how);
  int n = format(to, size, how, values, CALLER);
  va_end(values);
  return n;
}
EXPORT int sprintf(char *to, const char *how, ...) {
  va_list values;
  va_start(values, how);
  int n = format(to, LONGEST_TEXT, how, values, CALLER);
  va_end(values);
  return n;
}

/* Text that is scanned. */
int __isoc99_vsscanf(const char *, const char *, va_list);
#define SCANS(name)                                            \
  int name(const char *s, const char *how, ...);               \
  EXPORT int name(const char *s, const char *how, ...) {       \
    va_list values;                                            \
    va_start(values, how);                                     \
    see(s, ALL, CALLER);                                       \
    see(how, ALL, CALLER);                                     \
    int n = REAL(__isoc99_vsscanf)(s, how, values);            \
    weave_see_scanned(how, values, n, CALLER);                 \
    va_end(values);                                            \
    return n;                                                  \
  }
SCANS(__isoc99_sscanf)
SCANS(__isoc23_sscanf)

EXPORT void qsort(void *at, size_t n, size_t size, int (*order)(const void *, const void *)) {
  WRITES(at, n * size);
  REAL(qsort)(at, n, size, order);
}
