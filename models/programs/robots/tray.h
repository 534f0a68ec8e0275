/* The tray between feeder, arms and inspection. Each function takes the mutex itself.
 *
 * Where the places are, who may put something on them, and what happens when two arms come too close to each other.
 */
#ifndef ROBOTS_TRAY_H
#define ROBOTS_TRAY_H
#include "orders.h"

static inline struct point place_at(int number) { return point(-90 + 180.0 * number / (PLACES > 1 ? PLACES - 1 : 1), 260); }

/* The room that an arm needs around a place. */
static inline struct rectangle place_room(int number) {
  struct point at = place_at(number);
  return rectangle(at.x - 35, at.y - 35, 70, 70);
}

/* A place on which nothing lies, the next one after the last that was used, so that all wear evenly. There is one: the process that
 * looks has passed `space`. */
static inline int find_free(void) {
  static int last;
  int number = (last + 1) % PLACES;
  while (cell->place[number].state != PLACE_FREE) number = (number + 1) % PLACES;
  last = number;
  return number;
}

/* The raw part that was ordered first; -1 if there is none. */
static inline int find_raw(void) {
  int found = -1;
  for (int i = 0; i < PLACES; i++) {
    if (cell->place[i].state != PLACE_RAW) continue;
    if (found < 0 || cell->place[i].order.number < cell->place[found].order.number) found = i;
  }
  return found;
}

static inline int find_finished(void) {
  for (int i = 0; i < PLACES; i++)
    if (cell->place[i].state == PLACE_FINISHED) return i;
  return -1;
}

/* Whether the other arm works beside this place, where there is no room for two. */
static inline bool is_crowded(int number, int arm) {
  for (int i = 0; i < PLACES; i++) {
    const struct place *place = &cell->place[i];
    if (i == number || place->state != PLACE_HELD || place->holder == arm) continue;
    if (overlap(grown(place_room(number), 60), grown(place_room(i), 60))) return true;
  }
  return false;
}

/* The feeder: waits for room, and puts a part there. */
static inline int put_part(struct order order) {
  wait_for(&cell->space);
  enter();
  int number = find_free();
  struct place *place = &cell->place[number];
  place->state = PLACE_RAW;
  place->order = order;
  place->error = 0;
  cell->totals.placed++;
  note("order %d on place %d", order.number, number);
  leave();
  signal_to(&cell->raw);
  return number;
}

/* An arm: waits for a part and takes hold of it; -1 at the end of the shift. */
static inline int take_part(int arm, struct order *order, bool *crowded) {
  wait_for(&cell->raw);
  enter();
  int number = find_raw();
  *crowded = false;
  if (number >= 0) {
    struct place *place = &cell->place[number];
    *crowded = is_crowded(number, arm);
    place->state = PLACE_HELD;
    place->holder = arm;
    *order = place->order;
    note("arm %d holds place %d%s", arm, number, *crowded ? ", no room" : "");
  }
  leave();
  return number;
}

/* An arm: the part is drilled and may be inspected. */
static inline void finish_part(int number, double error, double seconds) {
  enter();
  struct place *place = &cell->place[number];
  place->state = PLACE_FINISHED;
  place->error = error;
  cell->totals.drilled++;
  cell->totals.seconds += seconds;
  leave();
  signal_to(&cell->finished);
}

/* An arm that has no room pushes its part off the tray, to the scrap. The feeder learns it first: it takes a while until it
 * has the next part in its gripper. */
static inline void scrap_part(int number) {
#ifndef FIX
  signal_to(&cell->space);
#endif
  enter();
  cell->place[number].state = PLACE_FREE;
  cell->totals.scrapped++;
  note("order %d is scrap", cell->place[number].order.number);
  leave();
#ifdef FIX
  signal_to(&cell->space);
#endif
  signal_to(&cell->finished); /* for the inspector, who counts */
}

/* The end of the shift: arms that wait find nothing. */
static inline void close_tray(int arms) {
  enter();
  cell->closing = true;
  note("no more parts");
  leave();
  for (int i = 0; i < arms; i++) signal_to(&cell->raw);
}
#endif
