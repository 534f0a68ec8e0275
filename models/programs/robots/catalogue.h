/* What the cell can make: kinds of parts, the holes to be drilled, how exact each must be. */
#ifndef ROBOTS_CATALOGUE_H
#define ROBOTS_CATALOGUE_H
#include "geometry.h"
#include <stddef.h>
#include <string.h>

enum { MOST_HOLES = 6 };

enum material { STEEL, BRASS, NYLON, MATERIALS };

struct hole {
  struct point at;
  double diameter;
  double depth;
};

struct kind {
  const char *name;
  enum material material;
  double width, height, thickness;
  double tolerance;
  int holes;
  struct hole hole[MOST_HOLES];
};

static const char *const material_name[MATERIALS] = {"steel", "brass", "nylon"};
/* Millimetres a second that the drill may advance, and grams a cubic millimetre. */
static const double feed[MATERIALS] = {1.5, 4.0, 9.0};
static const double density[MATERIALS] = {0.00785, 0.0085, 0.00115};

static const struct kind catalogue[] = {
    {
        .name = "bracket",
        .material = STEEL,
        .width = 40,
        .height = 25,
        .thickness = 3,
        .tolerance = 0.05,
        .holes = 2,
        .hole = {{{8, 12.5}, 4, 3}, {{32, 12.5}, 4, 3}},
    },
    {
        .name = "plate",
        .material = BRASS,
        .width = 60,
        .height = 60,
        .thickness = 2,
        .tolerance = 0.10,
        .holes = 4,
        .hole = {{{6, 6}, 3, 2}, {{54, 6}, 3, 2}, {{54, 54}, 3, 2}, {{6, 54}, 3, 2}},
    },
    {
        .name = "spacer",
        .material = NYLON,
        .width = 20,
        .height = 20,
        .thickness = 8,
        .tolerance = 0.20,
        .holes = 1,
        .hole = {{{10, 10}, 5, 8}},
    },
    {
        .name = "flange",
        .material = STEEL,
        .width = 50,
        .height = 50,
        .thickness = 5,
        .tolerance = 0.04,
        .holes = 5,
        .hole = {{{25, 25}, 10, 5}, {{10, 10}, 4, 5}, {{40, 10}, 4, 5}, {{40, 40}, 4, 5}, {{10, 40}, 4, 5}},
    },
};

enum { KINDS = sizeof catalogue / sizeof *catalogue };

static inline const struct kind *kind_of(int number) {
  if (number < 0 || number >= (int)KINDS) return NULL;
  return &catalogue[number];
}

static inline int kind_named(const char *name) {
  for (int i = 0; i < (int)KINDS; i++)
    if (!strcmp(catalogue[i].name, name)) return i;
  return -1;
}

static inline double volume(const struct kind *kind) {
  double all = kind->width * kind->height * kind->thickness;
  for (int i = 0; i < kind->holes; i++) {
    double radius = kind->hole[i].diameter / 2;
    all -= PI * radius * radius * kind->hole[i].depth;
  }
  return all;
}

static inline double weight(const struct kind *kind) { return volume(kind) * density[kind->material]; }

/* Seconds that the drill turns for a part, without moving from hole to hole. */
static inline double drilling_time(const struct kind *kind) {
  double seconds = 0;
  for (int i = 0; i < kind->holes; i++) seconds += kind->hole[i].depth / feed[kind->material];
  return seconds;
}

/* A catalogue that cannot be made is a mistake of ours, found before the shift begins. */
static inline const char *catalogue_error(void) {
  for (int i = 0; i < (int)KINDS; i++) {
    const struct kind *kind = &catalogue[i];
    struct rectangle outline = rectangle(0, 0, kind->width, kind->height);
    if (kind->holes > MOST_HOLES) return "too many holes";
    if (kind->tolerance <= 0) return "no tolerance";
    for (int h = 0; h < kind->holes; h++) {
      struct hole hole = kind->hole[h];
      if (!inside(grown(outline, -hole.diameter / 2), hole.at)) return "a hole over the edge";
      if (hole.depth > kind->thickness) return "a hole deeper than the part";
      for (int other = 0; other < h; other++) {
        double gap = distance(hole.at, kind->hole[other].at);
        if (gap < (hole.diameter + kind->hole[other].diameter) / 2) return "holes that meet";
      }
    }
  }
  return NULL;
}
#endif
