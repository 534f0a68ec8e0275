/* What an arm does with a part: in which order it drills the holes, how it moves, how exact it is. All of it is computation. */
#ifndef ROBOTS_DRILL_H
#define ROBOTS_DRILL_H
#include "tray.h"
#include "trajectory.h"

struct robot {
  int number;
  struct arm_model model;
  struct limits limits;
  struct joints rest;
  double wear;      /* radians of play in each joint */
  struct point calibration;
};

struct route {
  int holes;
  int order[MOST_HOLES];
  double length;
};

struct work {
  bool possible;
  double seconds;
  double error;
};

static const struct robot robots[] = {
    {
        .number = 1,
        .model = {{-170, 0}, 220, 190, 2.9, 2.7, ELBOW_LEFT},
        .limits = {1.8, 6.0},
        .rest = {1.9, -1.2},
        .wear = 0.00004,
        .calibration = {0.004, -0.003},
    },
    {
        .number = 2,
        .model = {{170, 0}, 220, 190, 2.9, 2.7, ELBOW_RIGHT},
        .limits = {1.6, 5.0},
        .rest = {1.2, 1.2},
        .wear = 0.00007,
        .calibration = {-0.006, 0.002},
    },
};

enum { ROBOTS = sizeof robots / sizeof *robots };

static inline double route_length(const struct kind *kind, const int *order, int holes) {
  double sum = 0;
  for (int i = 1; i < holes; i++) sum += distance(kind->hole[order[i - 1]].at, kind->hole[order[i]].at);
  return sum;
}

/* From hole to nearest hole. */
static inline struct route nearest_first(const struct kind *kind, int start) {
  struct route route = {kind->holes, {0}, 0};
  bool used[MOST_HOLES] = {false};
  int now = start;
  for (int n = 0; n < kind->holes; n++) {
    route.order[n] = now;
    used[now] = true;
    int best = -1;
    for (int i = 0; i < kind->holes; i++) {
      if (used[i]) continue;
      if (best < 0 || distance(kind->hole[now].at, kind->hole[i].at) < distance(kind->hole[now].at, kind->hole[best].at))
        best = i;
    }
    now = best;
  }
  route.length = route_length(kind, route.order, route.holes);
  return route;
}

/* Turns parts of the route around as long as that makes it shorter (2-opt). */
static inline void untangle(const struct kind *kind, struct route *route) {
  bool better = true;
  while (better) {
    better = false;
    for (int i = 0; i < route->holes - 1; i++) {
      for (int j = i + 1; j < route->holes; j++) {
        struct route other = *route;
        for (int k = i; k <= j; k++) other.order[k] = route->order[i + j - k];
        other.length = route_length(kind, other.order, other.holes);
        if (other.length < route->length - EPSILON) {
          *route = other;
          better = true;
        }
      }
    }
  }
}

static inline struct route best_route(const struct kind *kind) {
  struct route best = nearest_first(kind, 0);
  untangle(kind, &best);
  for (int start = 1; start < kind->holes; start++) {
    struct route route = nearest_first(kind, start);
    untangle(kind, &route);
    if (route.length < best.length) best = route;
  }
  return best;
}

/* Where a hole of a part lies in the cell. */
static inline struct point hole_in_cell(const struct kind *kind, int place, int hole) {
  struct point corner = minus(place_at(place), point(kind->width / 2, kind->height / 2));
  return plus(corner, kind->hole[hole].at);
}

/* How far the hand misses: play of the joints times the lever, and what calibration left. */
static inline double miss(const struct robot *robot, struct joints at) {
  struct jacobian j = jacobian(&robot->model, at);
  struct point by_shoulder = scaled(point(j.m[0][0], j.m[1][0]), robot->wear);
  struct point by_elbow = scaled(point(j.m[0][1], j.m[1][1]), robot->wear);
  return length(plus(plus(by_shoulder, by_elbow), robot->calibration));
}

static inline struct work drill_part(const struct robot *robot, int place, const struct kind *kind) {
  struct work work = {true, drilling_time(kind), 0};
  struct joints now = robot->rest;
  struct route route = best_route(kind);
  for (int i = 0; i < route.holes; i++) {
    struct point target = hole_in_cell(kind, place, route.order[i]);
    struct reach to = reach(&robot->model, target);
    if (!to.possible) return (struct work){false, 0, 0};
    if (!is_singular(&robot->model, to.joints)) {
      struct reach fine = refine(&robot->model, to.joints, target, 8);
      if (fine.possible) to = fine;
    }
    struct trajectory move = plan_move(now, to.joints, robot->limits);
    work.seconds += move.seconds;
    work.error = fmax(work.error, miss(robot, to.joints));
    now = to.joints;
  }
  struct trajectory home = plan_move(now, robot->rest, robot->limits);
  work.seconds += home.seconds;
  return work;
}

/* Every part of the catalogue on every place, before the shift: what an arm cannot reach is no plan. */
static inline const char *drill_error(void) {
  for (int r = 0; r < (int)ROBOTS; r++)
    for (int place = 0; place < PLACES; place++)
      for (int kind = 0; kind < (int)KINDS; kind++)
        if (!drill_part(&robots[r], place, &catalogue[kind]).possible) return "a hole out of reach";
  return NULL;
}
#endif
