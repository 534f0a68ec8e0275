/* Moves: joints from one position to another, with limited speed and acceleration, both joints arriving together. */
#ifndef ROBOTS_TRAJECTORY_H
#define ROBOTS_TRAJECTORY_H
#include "kinematics.h"

struct limits {
  double speed, acceleration;
};

/* Speed over time is a trapezium, or a triangle if the way is short. */
struct profile {
  double way;
  double ramp, cruise; /* seconds */
  double top;          /* speed */
};

struct trajectory {
  struct joints from, to;
  struct profile shoulder, elbow;
  double seconds;
};

static inline struct profile profile(double way, struct limits limits) {
  double far = fabs(way);
  double ramp = limits.speed / limits.acceleration;
  double in_ramps = limits.speed * ramp;
  if (far <= in_ramps) {
    double half = sqrt(far / limits.acceleration);
    return (struct profile){way, half, 0, limits.acceleration * half};
  }
  return (struct profile){way, ramp, (far - in_ramps) / limits.speed, limits.speed};
}

static inline double duration(struct profile p) { return 2 * p.ramp + p.cruise; }

/* The same way in more time: ramps of the same length, a slower cruise. */
static inline struct profile stretched(struct profile p, double seconds) {
  if (seconds <= duration(p) || fabs(p.way) < EPSILON) return p;
  double cruise = seconds - 2 * p.ramp;
  double top = fabs(p.way) / (cruise + p.ramp);
  return (struct profile){p.way, p.ramp, cruise, top};
}

/* How far it has come after some time. */
static inline double travelled(struct profile p, double time) {
  double sign = p.way < 0 ? -1 : 1;
  double total = duration(p);
  if (time <= 0 || p.ramp <= 0) return 0;
  if (time >= total) return p.way;
  double slope = p.top / p.ramp;
  if (time < p.ramp) return sign * slope * time * time / 2;
  if (time < p.ramp + p.cruise) return sign * (p.top * p.ramp / 2 + p.top * (time - p.ramp));
  double left = total - time;
  return p.way - sign * slope * left * left / 2;
}

static inline struct trajectory plan_move(struct joints from, struct joints to, struct limits limits) {
  struct profile shoulder = profile(turn(from.shoulder, to.shoulder), limits);
  struct profile elbow = profile(to.elbow - from.elbow, limits);
  double seconds = fmax(duration(shoulder), duration(elbow));
  return (struct trajectory){from, to, stretched(shoulder, seconds), stretched(elbow, seconds), seconds};
}

static inline struct joints joints_at(const struct trajectory *t, double time) {
  struct joints now = t->from;
  now.shoulder = normal_angle(now.shoulder + travelled(t->shoulder, time));
  now.elbow += travelled(t->elbow, time);
  return now;
}

/* Whether the arm stays clear of something, looked at in small steps. */
static inline bool stays_clear(const struct arm_model *arm, const struct trajectory *t, struct rectangle of) {
  enum { STEPS = 24 };
  for (int i = 0; i <= STEPS; i++)
    if (hits(arm, joints_at(t, t->seconds * i / STEPS), of)) return false;
  return true;
}

/* The longest step of the hand between two looks. */
static inline double longest_step(const struct arm_model *arm, const struct trajectory *t, int looks) {
  double longest = 0;
  struct point before = hand_of(arm, t->from);
  for (int i = 1; i <= looks; i++) {
    struct point now = hand_of(arm, joints_at(t, t->seconds * i / looks));
    longest = fmax(longest, distance(before, now));
    before = now;
  }
  return longest;
}
#endif
