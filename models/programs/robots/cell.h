/* What the processes of the cell share: orders, the tray, the journal, counters; and the semaphores that guard them.
 *
 * Everything in `struct cell` below `mutex` is touched with `mutex` held, and nothing is waited for while it is held.
 *   orders   counts orders in the queue
 *   space    counts places of the tray that a new part may be put on
 *   raw      counts parts on the tray that an arm may take
 *   finished counts parts on the tray that wait for inspection
 */
#ifndef ROBOTS_CELL_H
#define ROBOTS_CELL_H
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "catalogue.h"

enum {
  PLACES = 2,        /* of the tray */
  QUEUE = 8,         /* orders that may wait */
  JOURNAL = 64,      /* lines that are remembered */
  LINE = 48,
};

enum place_state { PLACE_FREE, PLACE_RAW, PLACE_HELD, PLACE_FINISHED };

static const char *const place_state_name[] = {"free", "raw", "held", "finished"};

struct order {
  int number;
  int kind;
  bool last; /* the shift is over behind it */
};

struct place {
  enum place_state state;
  struct order order;
  int holder; /* the arm that holds it */
  double error; /* how far the worst hole is off, in millimetres */
};

struct journal {
  unsigned written;
  char line[JOURNAL][LINE];
};

struct totals {
  int ordered, placed, drilled, passed, rejected, scrapped;
  double seconds; /* of drilling and moving, all arms together */
};

struct cell {
  sem_t mutex;
  sem_t orders, space, raw, finished;
  struct order queue[QUEUE];
  unsigned first, count;
  struct place place[PLACES];
  bool closing; /* nothing more will be put on the tray */
  struct totals totals;
  struct journal journal;
};

static struct cell *cell;

static inline void fatal(const char *what) {
  fprintf(stderr, "robots: %s: %s\n", what, strerror(errno));
  _exit(3);
}

static inline void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore))
    if (errno != EINTR) fatal("sem_wait");
}

static inline void signal_to(sem_t *semaphore) {
  if (sem_post(semaphore)) fatal("sem_post");
}

static inline void enter(void) { wait_for(&cell->mutex); }

static inline void leave(void) { signal_to(&cell->mutex); }

static inline void make_semaphore(sem_t *semaphore, unsigned value) {
  if (sem_init(semaphore, 1, value)) fatal("sem_init");
}

static inline void make_cell(void) {
  cell = mmap(NULL, sizeof *cell, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (cell == MAP_FAILED) fatal("mmap");
  make_semaphore(&cell->mutex, 1);
  make_semaphore(&cell->orders, 0);
  make_semaphore(&cell->space, PLACES);
  make_semaphore(&cell->raw, 0);
  make_semaphore(&cell->finished, 0);
}
#endif
