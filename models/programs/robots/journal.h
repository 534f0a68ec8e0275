/* The journal of the shift: a ring of lines in shared memory. Called with the mutex held. */
#ifndef ROBOTS_JOURNAL_H
#define ROBOTS_JOURNAL_H
#include "cell.h"
#include <stdarg.h>

static inline void note(const char *format, ...) {
  struct journal *journal = &cell->journal;
  char line[LINE];
  va_list values;
  va_start(values, format);
  vsnprintf(line, sizeof line, format, values);
  va_end(values);
  memcpy(journal->line[journal->written % JOURNAL], line, LINE);
  journal->written++;
}

static inline unsigned oldest_line(void) {
  unsigned written = cell->journal.written;
  return written > JOURNAL ? written - JOURNAL : 0;
}

static inline void print_journal(FILE *to) {
  for (unsigned i = oldest_line(); i < cell->journal.written; i++)
    fprintf(to, "%4u  %s\n", i + 1, cell->journal.line[i % JOURNAL]);
}

static inline int count_places(enum place_state state) {
  int count = 0;
  for (int i = 0; i < PLACES; i++) count += cell->place[i].state == state;
  return count;
}

static inline void print_tray(FILE *to) {
  for (int i = 0; i < PLACES; i++) {
    const struct place *place = &cell->place[i];
    fprintf(to, "place %d: %s", i, place_state_name[place->state]);
    if (place->state != PLACE_FREE) fprintf(to, " (order %d)", place->order.number);
    if (place->state == PLACE_HELD) fprintf(to, " by arm %d", place->holder);
    fputc('\n', to);
  }
}

static inline void print_totals(FILE *to) {
  const struct totals *t = &cell->totals;
  fprintf(to, "ordered %d, placed %d, drilled %d, passed %d, rejected %d, scrapped %d, %.1f s\n", t->ordered, t->placed,
          t->drilled, t->passed, t->rejected, t->scrapped, t->seconds);
}

/* Each part is somewhere. */
static inline bool accounts_balance(void) {
  const struct totals *t = &cell->totals;
  int on_tray = PLACES - count_places(PLACE_FREE);
  return t->placed == t->passed + t->rejected + t->scrapped + on_tray && t->placed <= t->ordered;
}
#endif
