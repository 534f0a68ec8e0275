/* The monitor: looks at the cell from time to time and keeps what it saw. It changes nothing. */
#ifndef ROBOTS_MONITOR_H
#define ROBOTS_MONITOR_H
#include "inspection.h"

enum { LOOKS = 1, ALARMS = 8 };

enum alarm_kind { ALARM_BALANCE, ALARM_TRAY_FULL, ALARM_BACKLOG, ALARM_SCRAP };

static const char *const alarm_name[] = {"parts are missing", "the tray is full", "orders pile up", "much scrap"};

struct alarm {
  enum alarm_kind kind;
  unsigned line; /* of the journal, when it was seen */
};

struct watch {
  int alarms;
  struct alarm alarm[ALARMS];
  double longest_backlog;
  int fullest;
};

static inline void raise_alarm(struct watch *watch, enum alarm_kind kind) {
  if (watch->alarms == ALARMS) return;
  for (int i = 0; i < watch->alarms; i++)
    if (watch->alarm[i].kind == kind) return;
  watch->alarm[watch->alarms++] = (struct alarm){kind, cell->journal.written};
}

static inline void look(struct watch *watch) {
  enter();
  int used = PLACES - count_places(PLACE_FREE);
  double backlog = work_ahead();
  if (used > watch->fullest) watch->fullest = used;
  watch->longest_backlog = fmax(watch->longest_backlog, backlog);
  if (!accounts_balance()) raise_alarm(watch, ALARM_BALANCE);
  if (used == PLACES) raise_alarm(watch, ALARM_TRAY_FULL);
  if (backlog > 60) raise_alarm(watch, ALARM_BACKLOG);
  if (cell->totals.scrapped * 4 > cell->totals.ordered) raise_alarm(watch, ALARM_SCRAP);
  leave();
}

static inline void print_watch(FILE *to, const struct watch *watch) {
  fprintf(to, "fullest %d, longest backlog %.1f s\n", watch->fullest, watch->longest_backlog);
  for (int i = 0; i < watch->alarms; i++)
    fprintf(to, "alarm at line %u: %s\n", watch->alarm[i].line, alarm_name[watch->alarm[i].kind]);
}

static void monitor(void) {
  struct watch watch = {0};
  for (int i = 0; i < LOOKS; i++) look(&watch);
  if (getenv("ROBOTS_VERBOSE")) print_watch(stdout, &watch);
}
#endif
