/* Strings, for our own use: the functions of these names tell the scheduler what they read and
   write (strings.c). */
#ifndef WEAVE_TEXT_H
#define WEAVE_TEXT_H
#include <stddef.h>

static inline size_t text_length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
/* So much of it; then it ends. */
static inline void text_part(char *to, const char *from, size_t length) {
  for (size_t i = 0; i < length; i++) to[i] = from[i];
  to[length] = 0;
}
/* Also to the left, of itself. */
static inline void text_copy(char *to, const char *from) {
  do *to++ = *from;
  while (*from++);
}
static inline int text_begins(const char *s, const char *with) {
  while (*with && *s == *with) s++, with++;
  return !*with;
}
static inline int text_same(const char *a, const char *b) { return text_begins(a, b) && text_begins(b, a); }
static inline const char *text_find(const char *s, const char *word) {
  for (; *s; s++)
    if (text_begins(s, word)) return s;
  return 0;
}
/* The last of this character. */
static inline char *text_last(const char *s, char c) {
  const char *found = 0;
  for (; *s; s++)
    if (*s == c) found = s;
  return (char *)found;
}
/* Behind the text that is there. */
static inline void text_add(char *to, const char *more) { text_copy(to + text_length(to), more); }
static inline void text_add_number(char *to, unsigned number) {
  char digits[12];
  int at = 11;
  digits[at] = 0;
  do digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  text_add(to, digits + at);
}
#endif
