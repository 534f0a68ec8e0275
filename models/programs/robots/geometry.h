/* Plane geometry of the cell: points, angles, straight lines, rectangles. Lengths are millimetres, angles radians. */
#ifndef ROBOTS_GEOMETRY_H
#define ROBOTS_GEOMETRY_H
#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846
#define EPSILON 1e-9

struct point {
  double x, y;
};

struct rectangle {
  struct point low, high;
};

struct segment {
  struct point from, to;
};

static inline struct point point(double x, double y) { return (struct point){x, y}; }

static inline struct point plus(struct point a, struct point b) { return point(a.x + b.x, a.y + b.y); }

static inline struct point minus(struct point a, struct point b) { return point(a.x - b.x, a.y - b.y); }

static inline struct point scaled(struct point a, double by) { return point(a.x * by, a.y * by); }

static inline double dot(struct point a, struct point b) { return a.x * b.x + a.y * b.y; }

static inline double cross(struct point a, struct point b) { return a.x * b.y - a.y * b.x; }

static inline double length(struct point a) { return sqrt(dot(a, a)); }

static inline double distance(struct point a, struct point b) { return length(minus(a, b)); }

static inline struct point between(struct point a, struct point b, double part) {
  return plus(a, scaled(minus(b, a), part));
}

static inline bool near_enough(struct point a, struct point b, double tolerance) { return distance(a, b) <= tolerance; }

static inline double clamp(double value, double low, double high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}

/* Into (-PI, PI]. */
static inline double normal_angle(double angle) {
  while (angle > PI) angle -= 2 * PI;
  while (angle <= -PI) angle += 2 * PI;
  return angle;
}

/* The shorter way from one angle to another. */
static inline double turn(double from, double to) { return normal_angle(to - from); }

static inline struct point rotated(struct point a, double angle) {
  double c = cos(angle), s = sin(angle);
  return point(c * a.x - s * a.y, s * a.x + c * a.y);
}

static inline struct rectangle rectangle(double x, double y, double width, double height) {
  return (struct rectangle){{x, y}, {x + width, y + height}};
}

static inline bool inside(struct rectangle r, struct point a) {
  return a.x >= r.low.x && a.x <= r.high.x && a.y >= r.low.y && a.y <= r.high.y;
}

static inline bool overlap(struct rectangle a, struct rectangle b) {
  return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y;
}

static inline struct rectangle grown(struct rectangle r, double by) {
  r.low = minus(r.low, point(by, by));
  r.high = plus(r.high, point(by, by));
  return r;
}

static inline struct point middle(struct rectangle r) { return between(r.low, r.high, 0.5); }

static inline double area(struct rectangle r) { return (r.high.x - r.low.x) * (r.high.y - r.low.y); }

/* On which side of a line a point lies. */
static inline int side(struct segment line, struct point a) {
  double value = cross(minus(line.to, line.from), minus(a, line.from));
  if (value > EPSILON) return 1;
  if (value < -EPSILON) return -1;
  return 0;
}

static inline bool crossing(struct segment a, struct segment b) {
  return side(a, b.from) * side(a, b.to) < 0 && side(b, a.from) * side(b, a.to) < 0;
}

static inline bool crosses(struct segment s, struct rectangle r) {
  struct point corner[4] = {r.low, {r.high.x, r.low.y}, r.high, {r.low.x, r.high.y}};
  if (inside(r, s.from) || inside(r, s.to)) return true;
  for (int i = 0; i < 4; i++) {
    struct segment edge = {corner[i], corner[(i + 1) % 4]};
    if (crossing(s, edge)) return true;
  }
  return false;
}

static inline double distance_to_segment(struct segment s, struct point a) {
  struct point along = minus(s.to, s.from);
  double square = dot(along, along);
  if (square < EPSILON) return distance(s.from, a);
  double part = clamp(dot(minus(a, s.from), along) / square, 0, 1);
  return distance(between(s.from, s.to, part), a);
}
#endif
