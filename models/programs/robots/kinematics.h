/* An arm of two links on a fixed base: where its hand is, and which joints bring it somewhere. */
#ifndef ROBOTS_KINEMATICS_H
#define ROBOTS_KINEMATICS_H
#include "geometry.h"

enum elbow { ELBOW_LEFT = -1, ELBOW_RIGHT = 1 };

struct arm_model {
  struct point base;
  double upper, fore;       /* lengths of the links */
  double shoulder_limit;    /* joints turn from -limit to limit */
  double elbow_limit;
  enum elbow preferred;
};

struct joints {
  double shoulder, elbow;
};

struct reach {
  bool possible;
  struct joints joints;
};

static inline struct point elbow_of(const struct arm_model *arm, struct joints j) {
  return plus(arm->base, scaled(point(cos(j.shoulder), sin(j.shoulder)), arm->upper));
}

static inline struct point hand_of(const struct arm_model *arm, struct joints j) {
  double angle = j.shoulder + j.elbow;
  return plus(elbow_of(arm, j), scaled(point(cos(angle), sin(angle)), arm->fore));
}

static inline bool within_limits(const struct arm_model *arm, struct joints j) {
  return fabs(j.shoulder) <= arm->shoulder_limit + EPSILON && fabs(j.elbow) <= arm->elbow_limit + EPSILON;
}

/* One of the two ways to reach a point, by the law of cosines. */
static inline struct reach reach_with(const struct arm_model *arm, struct point target, enum elbow which) {
  struct point to = minus(target, arm->base);
  double far = length(to);
  double cosine = (far * far - arm->upper * arm->upper - arm->fore * arm->fore) / (2 * arm->upper * arm->fore);
  struct reach none = {false, {0, 0}};
  if (cosine < -1 || cosine > 1) return none;
  double elbow = which * acos(cosine);
  double inner = atan2(arm->fore * sin(elbow), arm->upper + arm->fore * cos(elbow));
  struct joints joints = {normal_angle(atan2(to.y, to.x) - inner), elbow};
  if (!within_limits(arm, joints)) return none;
  return (struct reach){true, joints};
}

/* The preferred way if there is one, the other else. */
static inline struct reach reach(const struct arm_model *arm, struct point target) {
  struct reach first = reach_with(arm, target, arm->preferred);
  if (first.possible) return first;
  return reach_with(arm, target, arm->preferred == ELBOW_LEFT ? ELBOW_RIGHT : ELBOW_LEFT);
}

/* How the hand moves for small turns of the joints: rows x, y; columns shoulder, elbow. */
struct jacobian {
  double m[2][2];
};

static inline struct jacobian jacobian(const struct arm_model *arm, struct joints j) {
  double s = j.shoulder, e = j.shoulder + j.elbow;
  struct jacobian result = {{
      {-arm->upper * sin(s) - arm->fore * sin(e), -arm->fore * sin(e)},
      {arm->upper * cos(s) + arm->fore * cos(e), arm->fore * cos(e)},
  }};
  return result;
}

static inline double determinant(struct jacobian j) { return j.m[0][0] * j.m[1][1] - j.m[0][1] * j.m[1][0]; }

/* A stretched or folded arm cannot move its hand in every direction. */
static inline bool is_singular(const struct arm_model *arm, struct joints j) {
  return fabs(determinant(jacobian(arm, j))) < 1e-3 * arm->upper * arm->fore;
}

/* Turns of the joints that move the hand by `step`, by Newton's method from where it is. */
static inline struct reach refine(const struct arm_model *arm, struct joints from, struct point target, int rounds) {
  struct joints now = from;
  for (int i = 0; i < rounds; i++) {
    struct point off = minus(target, hand_of(arm, now));
    if (length(off) < 1e-6) return (struct reach){within_limits(arm, now), now};
    struct jacobian j = jacobian(arm, now);
    double d = determinant(j);
    if (fabs(d) < EPSILON) break;
    now.shoulder += (off.x * j.m[1][1] - off.y * j.m[0][1]) / d;
    now.elbow += (off.y * j.m[0][0] - off.x * j.m[1][0]) / d;
  }
  return (struct reach){false, now};
}

/* Whether either link crosses something. */
static inline bool hits(const struct arm_model *arm, struct joints j, struct rectangle obstacle) {
  struct segment upper = {arm->base, elbow_of(arm, j)};
  struct segment fore = {elbow_of(arm, j), hand_of(arm, j)};
  return crosses(upper, obstacle) || crosses(fore, obstacle);
}
#endif
