/* The inspector: looks at every finished part, takes it from the tray, and says when the shift is over. */
#ifndef ROBOTS_INSPECTION_H
#define ROBOTS_INSPECTION_H
#include "drill.h"

enum finding { FINDING_GOOD, FINDING_BORDERLINE, FINDING_BAD };

static const char *const finding_name[] = {"good", "borderline", "bad"};

struct gauge {
  double offset;      /* of the instrument */
  double uncertainty; /* of one measurement */
};

static inline double measured(const struct gauge *gauge, double error) { return fabs(error - gauge->offset); }

/* Between what is surely good and what is surely bad there is a band. */
static inline enum finding judge(const struct gauge *gauge, const struct kind *kind, double error) {
  double value = measured(gauge, error);
  if (value + gauge->uncertainty <= kind->tolerance) return FINDING_GOOD;
  if (value - gauge->uncertainty > kind->tolerance) return FINDING_BAD;
  return FINDING_BORDERLINE;
}

/* Several looks at a borderline part, each with less uncertainty. */
static inline enum finding judge_again(struct gauge gauge, const struct kind *kind, double error) {
  enum finding finding = judge(&gauge, kind, error);
  for (int look = 0; look < 4 && finding == FINDING_BORDERLINE; look++) {
    gauge.uncertainty /= 2;
    finding = judge(&gauge, kind, error);
  }
  return finding;
}

/* Takes one finished part off the tray, if there is one; scrap is reported but has left already. */
static inline bool inspect_part(const struct gauge *gauge) {
  enter();
  int number = find_finished();
  if (number >= 0) {
    struct place *place = &cell->place[number];
    const struct kind *kind = kind_of(place->order.kind);
    enum finding finding = kind ? judge_again(*gauge, kind, place->error) : FINDING_BAD;
    if (finding == FINDING_BAD) cell->totals.rejected++;
    else cell->totals.passed++;
    note("order %d: %s", place->order.number, finding_name[finding]);
    place->state = PLACE_FREE;
  }
  leave();
  if (number >= 0) signal_to(&cell->space);
  return number >= 0;
}

static void inspector(int parts) {
  struct gauge gauge = {0.001, 0.004};
  for (int seen = 0; seen < parts; seen++) {
    wait_for(&cell->finished);
    inspect_part(&gauge);
  }
}
#endif
