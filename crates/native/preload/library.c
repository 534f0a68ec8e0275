/* More functions of the C library that access memory on behalf of the program: what they read
 * and write is reported before they do it. What has the length of a text that they are about to
 * make is reported afterwards. */
#include "accesses.h"
#include "files.h"
#include <ctype.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* Blocks. */
EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
  READS(from, size);
  WRITES(to, size);
  return REAL(mempcpy)(to, from, size);
}
EXPORT void *memccpy(void *restrict to, const void *restrict from, int end, size_t size) {
  const char *found = REAL(memchr)(from, end, size);
  size_t n = found ? (size_t)(found - (const char *)from) + 1 : size;
  READS(from, n);
  WRITES(to, n);
  return REAL(memccpy)(to, from, end, size);
}
EXPORT void *memrchr(const void *at, int c, size_t size) {
  READS(at, size);
  return REAL(memrchr)(at, c, size);
}
EXPORT void *memmem(const void *at, size_t size, const void *what, size_t length) {
  READS(at, size);
  READS(what, length);
  return REAL(memmem)(at, size, what, length);
}
EXPORT void explicit_bzero(void *at, size_t size) {
  WRITES(at, size);
  REAL(explicit_bzero)(at, size);
}
EXPORT void swab(const void *restrict from, void *restrict to, ssize_t size) {
  if (size > 0) READS(from, (size_t)size);
  if (size > 0) WRITES(to, (size_t)size);
  REAL(swab)(from, to, size);
}
EXPORT wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
  WRITES(to, n * sizeof *to);
  return REAL(wmemset)(to, c, n);
}
EXPORT wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
  READS(from, n * sizeof *to);
  WRITES(to, n * sizeof *to);
  return REAL(wmemcpy)(to, from, n);
}
EXPORT wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
  READS(from, n * sizeof *to);
  WRITES(to, n * sizeof *to);
  return REAL(wmemmove)(to, from, n);
}
EXPORT size_t wcslen(const wchar_t *s) {
  size_t n = REAL(wcslen)(s);
  READS(s, (n + 1) * sizeof *s);
  return REAL(wcslen)(s);
}
EXPORT wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
  size_t n = REAL(wcslen)(from) + 1;
  READS(from, n * sizeof *to);
  WRITES(to, n * sizeof *to);
  return REAL(wcscpy)(to, from);
}
EXPORT int wcscmp(const wchar_t *a, const wchar_t *b) {
  READS(a, (REAL(wcslen)(a) + 1) * sizeof *a);
  READS(b, (REAL(wcslen)(b) + 1) * sizeof *b);
  return REAL(wcscmp)(a, b);
}

/* Strings. */
#define SPANS(name)                                   \
  EXPORT size_t name(const char *s, const char *set) { \
    TEXT(s);                                          \
    TEXT(set);                                        \
    return REAL(name)(s, set);                        \
  }
SPANS(strspn)
SPANS(strcspn)
#define FINDS(name)                                    \
  EXPORT char *name(const char *s, const char *what) { \
    TEXT(s);                                           \
    TEXT(what);                                        \
    return REAL(name)(s, what);                        \
  }
FINDS(strpbrk)
FINDS(strcasestr)
EXPORT char *strchrnul(const char *s, int c) {
  TEXT(s);
  return REAL(strchrnul)(s, c);
}
EXPORT int strcoll(const char *a, const char *b) {
  TEXT(a);
  TEXT(b);
  return REAL(strcoll)(a, b);
}
EXPORT size_t strxfrm(char *restrict to, const char *restrict from, size_t size) {
  TEXT(from);
  if (size) WRITES(to, size);
  return REAL(strxfrm)(to, from, size);
}
/* The end of a token is written, if it is not the last. */
static void token(char *s, const char *set, uint64_t pc) {
  if (!s || !weave_reported(pc)) return;
  weave_text_read(s, pc);
  weave_text_read(set, pc);
  s += REAL(strspn)(s, set);
  size_t n = REAL(strcspn)(s, set);
  if (s[n]) weave_writes(s + n, 1, pc);
}
EXPORT char *strtok(char *s, const char *set) {
  static char *next; /* of the process, as in the C library */
  weave_state(STATE_TOKENS, HOW_UPDATE, CALLER);
  WRITES((void *)UNLOCKED_TOKENS, 1);
  token(s ? s : next, set, CALLER);
  return REAL(strtok_r)(s, set, &next);
}
EXPORT char *strtok_r(char *restrict s, const char *restrict set, char **restrict next) {
  WRITES(next, sizeof *next);
  token(s ? s : *next, set, CALLER);
  return REAL(strtok_r)(s, set, next);
}
EXPORT char *strsep(char **restrict s, const char *restrict set) {
  WRITES(s, sizeof *s);
  if (*s) TEXT(*s), TEXT(set);
  size_t n = *s ? REAL(strcspn)(*s, set) : 0;
  if (*s && (*s)[n]) WRITES(*s + n, 1);
  return REAL(strsep)(s, set);
}
EXPORT size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t n) {
  TEXT(from);
  size_t length = to ? REAL(mbstowcs)(0, from, 0) + 1 : 0;
  if (to) WRITES(to, (length < n ? length : n) * sizeof *to);
  return REAL(mbstowcs)(to, from, n);
}
EXPORT size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t n) {
  READS(from, (REAL(wcslen)(from) + 1) * sizeof *from);
  size_t length = to ? REAL(wcstombs)(0, from, 0) + 1 : 0;
  if (to) WRITES(to, length < n ? length : n);
  return REAL(wcstombs)(to, from, n);
}
EXPORT float strtof(const char *s, char **end) {
  TEXT(s);
  WRITES(end, sizeof *end);
  return REAL(strtof)(s, end);
}
EXPORT long double strtold(const char *s, char **end) {
  TEXT(s);
  WRITES(end, sizeof *end);
  return REAL(strtold)(s, end);
}

/* What is made of times, errors and the machine. */
EXPORT size_t strftime(char *restrict to, size_t size, const char *restrict how, const struct tm *restrict when) {
  weave_reads_zone(CALLER);
  TEXT(how);
  READS(when, sizeof *when);
  if (size) WRITES(to, 1);
  size_t n = REAL(strftime)(to, size, how, when);
  if (n) WRITES(to, n + 1);
  return n;
}
EXPORT struct tm *localtime_r(const time_t *restrict from, struct tm *restrict to) {
  weave_reads_zone(CALLER);
  READS(from, sizeof *from);
  WRITES(to, sizeof *to);
  return REAL(localtime_r)(from, to);
}
EXPORT struct tm *gmtime_r(const time_t *restrict from, struct tm *restrict to) {
  READS(from, sizeof *from);
  WRITES(to, sizeof *to);
  return REAL(gmtime_r)(from, to);
}
EXPORT time_t timegm(struct tm *at) {
  WRITES(at, sizeof *at);
  return REAL(timegm)(at);
}
EXPORT char *asctime_r(const struct tm *restrict from, char *restrict to) {
  READS(from, sizeof *from);
  WRITES(to, 26);
  return REAL(asctime_r)(from, to);
}
EXPORT char *ctime_r(const time_t *restrict from, char *restrict to) {
  weave_reads_zone(CALLER);
  READS(from, sizeof *from);
  WRITES(to, 26);
  return REAL(ctime_r)(from, to);
}
EXPORT char *strptime(const char *restrict s, const char *restrict how, struct tm *restrict to) {
  TEXT(s);
  TEXT(how);
  WRITES(to, sizeof *to);
  return REAL(strptime)(s, how, to);
}
EXPORT char *strerror_r(int error, char *to, size_t size) {
  char *done = REAL(strerror_r)(error, to, size);
  if (done == to && size) WRITES(to, REAL(strnlen)(to, size) + 1);
  return done;
}
int __xpg_strerror_r(int, char *, size_t);
EXPORT int __xpg_strerror_r(int error, char *to, size_t size) {
  int error_ = REAL(__xpg_strerror_r)(error, to, size);
  if (size) WRITES(to, REAL(strnlen)(to, size - 1) + 1);
  return error_;
}
EXPORT char *getcwd(char *to, size_t size) {
  if (to && size) WRITES(to, 1);
  char *done = REAL(getcwd)(to, size);
  if (done && done == to) WRITES(to, REAL(strlen)(to) + 1);
  return done;
}
EXPORT int uname(struct utsname *to) {
  WRITES(to, sizeof *to);
  return REAL(uname)(to);
}
EXPORT int gethostname(char *to, size_t size) {
  if (size) WRITES(to, 1);
  int error = REAL(gethostname)(to, size);
  if (!error && size) WRITES(to, REAL(strnlen)(to, size - 1) + 1);
  return error;
}

/* Tables, numbers at random, numbers. */
EXPORT void *bsearch(const void *what, const void *at, size_t n, size_t size, int (*order)(const void *, const void *)) {
  READS(what, size);
  READS(at, n * size);
  return REAL(bsearch)(what, at, n, size, order);
}
EXPORT void qsort_r(void *at, size_t n, size_t size, int (*order)(const void *, const void *, void *), void *more) {
  WRITES(at, n * size);
  REAL(qsort_r)(at, n, size, order, more);
}
EXPORT int rand_r(unsigned *seed) {
  WRITES(seed, sizeof *seed);
  return REAL(rand_r)(seed);
}
double modf(double, double *), frexp(double, int *);
EXPORT double modf(double x, double *whole) {
  WRITES(whole, sizeof *whole);
  return REAL(modf)(x, whole);
}
EXPORT double frexp(double x, int *power) {
  WRITES(power, sizeof *power);
  return REAL(frexp)(x, power);
}

/* Sets of signals. */
EXPORT int sigemptyset(sigset_t *set) {
  WRITES(set, 8);
  return REAL(sigemptyset)(set);
}
EXPORT int sigfillset(sigset_t *set) {
  WRITES(set, 8);
  return REAL(sigfillset)(set);
}
EXPORT int sigaddset(sigset_t *set, int signal) {
  WRITES(set, 8);
  return REAL(sigaddset)(set, signal);
}
EXPORT int sigdelset(sigset_t *set, int signal) {
  WRITES(set, 8);
  return REAL(sigdelset)(set, signal);
}
EXPORT int sigismember(const sigset_t *set, int signal) {
  READS(set, 8);
  return REAL(sigismember)(set, signal);
}
