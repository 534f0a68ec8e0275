/* What the directives of printf and scanf point to: strings that are printed are read, places
   for what is scanned are written. */
#include "runtime.h"
#include "formats.h"
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline int reported(uint64_t pc) { return weave_me && weave_shared->several && weave_shared->instrumented && !weave_is_own(pc); }

/* One directive. */
struct directive {
  int positional, skipped;
  long width, precision; /* -1: none; -2: an argument */
  char size[3], kind;
};

static const char *number(const char *s, long *to, int stars) {
  if (stars && *s == '*') return *to = -2, s + 1;
  if (!isdigit((unsigned char)*s)) return s;
  for (*to = 0; isdigit((unsigned char)*s); s++) *to = *to * 10 + (*s - '0');
  return s;
}
/* Behind the '%'; where it goes on. */
static const char *parse(const char *s, struct directive *d, int scans) {
  *d = (struct directive){.width = -1, .precision = -1};
  if (scans && *s == '*') d->skipped = 1, s++;
  while (!scans && *s && strchr("-+ #0'I", *s)) s++;
  s = number(s, &d->width, !scans);
  if (*s == '$') return d->positional = 1, s;
  if (!scans && *s == '.') {
    d->precision = 0;
    s = number(s + 1, &d->precision, 1);
  }
  if (scans && (*s == 'm')) d->size[1] = 'm', s++;
  for (int i = 0; i < 2 && *s && strchr("hlLqjzt", *s); i++) d->size[i] = *s++;
  d->kind = *s;
  if (*s == '[') {
    s++;
    if (*s == '^') s++;
    if (*s == ']') s++;
    while (*s && *s != ']') s++;
  }
  return *s ? s + 1 : s;
}

static size_t integer(const struct directive *d) {
  if (d->size[0] == 'h') return d->size[1] == 'h' ? 1 : 2;
  return d->size[0] && strchr("lLqjzt", d->size[0]) ? 8 : 4;
}

/* Arguments that are in other places than their order says are not followed: the verdict says
   so. */
static int gives_up(const struct directive *d, uint64_t pc) {
  if (d->positional) weave_text(OP_UNCONTROLLED, "a format with numbered arguments", 0, pc);
  return d->positional;
}

static void print_one(const struct directive *d, long precision, va_list values, uint64_t pc) {
  switch (d->kind) {
  case 's': {
    const char *s = va_arg(values, const char *);
    if (s && d->size[0] == 'l') weave_text(OP_UNCONTROLLED, "a text of wide characters", 0, pc);
    if (!s || d->size[0] == 'l') return;
    if (precision < 0) weave_read_string(s, pc);
    else weave_access(s, strnlen(s, (size_t)precision) + (strnlen(s, (size_t)precision) < (size_t)precision), 0, pc);
    return;
  }
  case 'n': {
    const void *at = va_arg(values, void *);
    weave_access(at, integer(d), 1, pc);
    return;
  }
  case 'S': weave_text(OP_UNCONTROLLED, "a text of wide characters", 0, pc); /* fall through */
  case 'm':
  case '%': return;
  case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
    if (d->size[0] == 'L') (void)va_arg(values, long double);
    else (void)va_arg(values, double);
    return;
  default: (void)va_arg(values, long);
  }
}

void weave_see_printed(const char *how, va_list given, uint64_t pc) {
  if (!reported(pc)) return;
  va_list values;
  va_copy(values, given);
  weave_read_string(how, pc);
  for (const char *s = strchr(how, '%'); s; s = strchr(s, '%')) {
    struct directive d;
    s = parse(s + 1, &d, 0);
    if (gives_up(&d, pc)) break;
    if (d.width == -2) (void)va_arg(values, int);
    long precision = d.precision == -2 ? va_arg(values, int) : d.precision;
    print_one(&d, precision, values, pc);
  }
  va_end(values);
}

/* The first byte of a text is reported before its length is known, all of it afterwards. */
void weave_see_scanned(const char *how, va_list given, int done, uint64_t pc) {
  if (!reported(pc) || !done) return;
  va_list values;
  va_copy(values, given);
  for (const char *s = strchr(how, '%'); s; s = strchr(s, '%')) {
    struct directive d;
    s = parse(s + 1, &d, 1);
    if (done <= 0 && d.kind != 'n') break;
    if (gives_up(&d, pc)) break;
    if (d.kind == '%' || d.skipped) continue;
    const char *to = va_arg(values, const char *);
    if (d.kind == 'S' || (d.size[0] == 'l' && strchr("sc[", d.kind))) weave_text(OP_UNCONTROLLED, "a text of wide characters", 0, pc);
    if (d.kind == 'c') weave_access(to, d.width > 0 ? (uint64_t)d.width : 1, 1, pc);
    else if (d.size[1] == 'm') weave_access(to, sizeof(char *), 1, pc);
    else if (d.kind == 's' || d.kind == '[') weave_access(to, done < INT32_MAX ? strlen(to) + 1 : 1, 1, pc);
    else if (strchr("aAeEfFgG", d.kind)) weave_access(to, d.size[0] == 'L' ? sizeof(long double) : d.size[0] == 'l' ? 8 : 4, 1, pc);
    else weave_access(to, d.kind == 'p' ? 8 : integer(&d), 1, pc);
    if (d.kind != 'n' && done < INT32_MAX) done--;
  }
  va_end(values);
}
