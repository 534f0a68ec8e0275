/* The queue of orders, and the plan of a shift as text: one order a line, `KIND [COUNT]`. */
#ifndef ROBOTS_ORDERS_H
#define ROBOTS_ORDERS_H
#include "journal.h"
#include <ctype.h>

enum { MOST_ORDERS = QUEUE };

struct shift {
  int orders;
  struct order order[MOST_ORDERS];
};

/* What is wrong with a plan. */
struct plan_error {
  int line;
  const char *what;
};

static inline const char *skip_blanks(const char *at) {
  while (*at == ' ' || *at == '\t') at++;
  return at;
}

static inline const char *read_word(const char *at, char *word, size_t size) {
  size_t length = 0;
  while (isalpha((unsigned char)*at)) {
    if (length + 1 < size) word[length++] = *at;
    at++;
  }
  word[length] = 0;
  return at;
}

static inline const char *read_number(const char *at, int *number) {
  *number = 0;
  while (isdigit((unsigned char)*at)) {
    if (*number < 1000000) *number = *number * 10 + (*at - '0');
    at++;
  }
  return at;
}

static inline const char *next_line(const char *at) {
  while (*at && *at != '\n') at++;
  return *at ? at + 1 : at;
}

static inline bool add_orders(struct shift *shift, int kind, int count) {
  for (int i = 0; i < count; i++) {
    if (shift->orders == MOST_ORDERS) return false;
    struct order order = {shift->orders + 1, kind, false};
    shift->order[shift->orders++] = order;
  }
  return true;
}

/* Reads a plan; what is wrong with it, if something is. */
static inline struct plan_error read_plan(const char *text, struct shift *shift) {
  struct plan_error fine = {0, NULL};
  int line = 0;
  shift->orders = 0;
  for (const char *at = text; *at; at = next_line(at)) {
    char name[16];
    int count = 1;
    line++;
    const char *here = skip_blanks(at);
    if (*here == '\n' || *here == '#') continue;
    here = skip_blanks(read_word(here, name, sizeof name));
    int kind = kind_named(name);
    if (kind < 0) return (struct plan_error){line, "no such part"};
    if (isdigit((unsigned char)*here)) here = skip_blanks(read_number(here, &count));
    if (*here && *here != '\n') return (struct plan_error){line, "something behind the count"};
    if (!add_orders(shift, kind, count)) return (struct plan_error){line, "too many orders"};
  }
  if (!shift->orders) return (struct plan_error){line, "nothing to do"};
  shift->order[shift->orders - 1].last = true;
  return fine;
}

/* With the mutex held, or before anybody else is there. */
static inline void push_order(struct order order) {
  if (cell->count == QUEUE) {
    note("order %d is lost", order.number);
    return;
  }
  cell->queue[(cell->first + cell->count) % QUEUE] = order;
  cell->count++;
  cell->totals.ordered++;
  note("order %d: %s", order.number, catalogue[order.kind].name);
}

/* With the mutex held; there is one, says `orders`. */
static inline struct order pop_order(void) {
  struct order order = cell->queue[cell->first];
  cell->first = (cell->first + 1) % QUEUE;
  cell->count--;
  return order;
}

static inline double work_ahead(void) {
  double seconds = 0;
  for (unsigned i = 0; i < cell->count; i++)
    seconds += drilling_time(&catalogue[cell->queue[(cell->first + i) % QUEUE].kind]);
  return seconds;
}
#endif
