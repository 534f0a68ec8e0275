/* What passes through files and folders from one thread or process to another.
 *
 * Each call says what it touches, and how. That is reported in notes, and checked for races by the
 * scheduler; if two calls race, the file becomes an object, and calls on it are visible
 * operations (OP_FILE) from then on. Files are real: nothing here changes what a call does.
 *
 * What a visible call touches must not depend on what others may do while it waits. Of a
 * descriptor it does not. Which file a path means may be changed by a call that changes the entry,
 * which the call touches too; and for what it does to that file there are two objects more,
 * which stand for all files: */
enum { BY_PATH = 1, BY_NUMBER = 2 };
/*                      a call by path   a call by descriptor
 *   reads a file       reads BY_PATH    reads BY_NUMBER
 *   changes a file     changes both     posts to BY_PATH
 * so that calls by descriptor on different files are independent, and what is by path depends on
 * what it might mean. */
#include "content.h"
#include <stdio.h>
#include <sys/syscall.h>

#define WHOLE 0xffffffffu
#define STATES (1ull << 46)
#define OBJECT(part, name) ((uint64_t)(part) << 48 | (name))
#define NAME(object) ((object) & ((1ull << 48) - 1))
#define PART(object) ((object) >> 48)

void weave_touch_range(struct weave_touches *t, uint64_t name, uint64_t start, uint64_t length, uint32_t how) {
  if (t->count == TOUCHES) {
    weave_text(OP_UNCONTROLLED, "a path of too many parts", 1, 0);
    t->count--;
  }
  uint64_t far = 1ull << 40;
  t->all[t->count++] = (struct weave_touch){OBJECT(PART_CONTENT, name), start < far ? start : far, length < WHOLE ? (uint32_t)length : WHOLE, how};
}
void weave_touch(struct weave_touches *t, uint64_t part, uint64_t name, uint32_t how) {
  weave_touch_range(t, name, 0, part == PART_CONTENT ? WHOLE : 1, how);
  t->all[t->count - 1].object = OBJECT(part, name);
}

static int is_visible(const struct weave_touch *touch) { return weave_is_place(NAME(touch->object) | WEAVE_FILE); }

/* What was reported since the last request need not be reported again. */
static struct reported {
  struct weave_touch touch;
  uint64_t when;
} reported[256];

static void tell(const struct weave_touch *touch, uint64_t pc) {
  uint32_t how = touch->how | (weave_shared->several ? HOW_SEVERAL : 0);
  uint64_t hash = (touch->object ^ touch->start << 7 ^ (uint64_t)touch->length << 21 ^ (uint64_t)how << 33) * 0x9e3779b97f4a7c15ull >> 56;
  struct reported *known = &reported[hash];
  const struct weave_touch *same = &known->touch;
  if (known->when == weave_requests() && same->object == touch->object && same->start == touch->start && same->length == touch->length && same->how == how) return;
  weave_note_calmly(OP_CONTENT, touch->object, (int64_t)touch->start, touch->length, how, pc);
  *known = (struct reported){{touch->object, touch->start, touch->length, how}, weave_requests()};
}

static void tell_all(const struct weave_touches *t, uint64_t pc) {
  int shares = weave_shared->several || weave_shared->crowd;
  for (unsigned i = 0; i < t->count; i++) {
    const struct weave_touch *touch = &t->all[i];
    if (PART(touch->object) == PART_ANY || (weave_shared->several && is_visible(touch))) continue;
    if (shares || touch->how & HOW_OUTLIVES) tell(touch, pc);
  }
  if (weave_shared->several) weave_shared->crowd = 1;
}

static void add_stream(struct weave_touches *t) {
  if (!t->stream) return;
  weave_touch_state(t, t->stream, t->how);
  weave_touch_state(t, STATE_STREAMS, HOW_POST);
}
/* A visible call. What it touches is found out again when it is its turn: those who did not ask
   may have come before. */
static void ask(struct weave_touches *t, uint64_t name, long number, const long *arguments, uint64_t pc) {
  weave_ask_data(OP_FILE, name, number, 0, t->all, t->count * sizeof *t->all, pc);
  uint64_t way = t->way;
  t->count = 0, t->way = 0;
  weave_collect(t, number, arguments);
  weave_collect_numbers(t, number, arguments);
  add_stream(t);
  if (t->way != way) weave_text(OP_UNCONTROLLED, "a path that leads elsewhere while it is used", 0, pc);
}

static int looks(const struct weave_touches *t) {
  for (unsigned i = 0; i < t->count; i++)
    if ((t->all[i].how & HOW_MASK) != HOW_READ) return 0;
  return 1;
}

/* Not on the stack, where spin.c would see what is left of other calls. */
static struct weave_touches *start(void) {
  static struct weave_touches all[LIM_SLOTS];
  struct weave_touches *t = &all[weave_me - weave_shared->slot];
  t->count = 0, t->way = 0, t->stream = 0;
  return t;
}
static int same_numbers(const struct weave_touch *a, unsigned n, const struct weave_touches *b) {
  if (n != b->count) return 0;
  for (unsigned i = 0; i < n; i++)
    if (PART(a[i].object) == PART_NUMBER && a[i].object != b->all[i].object) return 0;
  return 1;
}
/* Asks for what is visible, and tells the rest. The number that a call will be given may be
   another one by then: it asks again. */
static void settle(struct weave_touches *t, long number, const long *arguments, uint64_t pc) {
  for (unsigned i = 0; weave_shared->several && i < t->count; i++)
    if (is_visible(&t->all[i])) {
      struct weave_touch before[TOUCHES];
      unsigned count = t->count;
      for (unsigned j = 0; j < count; j++) before[j] = t->all[j];
      ask(t, NAME(t->all[i].object), number, arguments, pc);
      if (same_numbers(before, count, t)) break;
      i = ~0u;
    }
  tell_all(t, pc);
}

int weave_before_file_call(long number, const long *arguments, uint64_t pc) {
  if (!weave_me) return NO_FILE_CALL;
  if (weave_is_in_stream() && (number == SYS_read || number == SYS_write || number == SYS_readv || number == SYS_writev)) return CALLS_ELSEWHERE;
  struct weave_touches *t = start();
  if (!weave_collect(t, number, arguments)) return NO_FILE_CALL;
  int kind = !t->count ? CALLS_ELSEWHERE : looks(t) ? LOOKS_AT_FILES : CHANGES_FILES;
  weave_collect_numbers(t, number, arguments);
  if (t->count) settle(t, number, arguments, pc);
  return kind;
}

void weave_before_stream_call(long number, int fd, uint64_t stream, uint32_t how, uint64_t pc) {
  if (!weave_me || weave_is_own(pc)) return;
  struct weave_touches *t = start();
  long arguments[6] = {fd};
  if (fd >= 0) weave_collect(t, number, arguments), weave_collect_numbers(t, number, arguments);
  t->stream = stream, t->how = how;
  add_stream(t);
  if (t->count) settle(t, number, arguments, pc);
  weave_changed();
}

void weave_before_number_call(long number, const long *arguments, uint64_t pc) {
  if (!weave_me) return;
  struct weave_touches *t = start();
  weave_collect_numbers(t, number, arguments);
  if (t->count) settle(t, number, arguments, pc);
}

int weave_state_is_visible(uint64_t which) { return weave_is_place(STATES | which | WEAVE_FILE); }
/* All of them at once: a call that needed several turns would see what comes between. */
static void state(uint64_t part, const struct weave_kept_state *all, unsigned count, uint64_t pc) {
  if (!weave_me || weave_is_own(pc)) return;
  struct weave_touch touches[4];
  int several = weave_shared->several != 0, asked = 0, changes = 0;
  for (unsigned i = 0; i < count; i++) {
    touches[i] = (struct weave_touch){OBJECT(part, STATES | all[i].which), 0, 1, all[i].how};
    asked |= several && is_visible(&touches[i]);
    changes |= all[i].how != HOW_READ;
  }
  if (asked) weave_ask_data(OP_FILE, NAME(touches[0].object), -1, 0, touches, count * sizeof *touches, pc);
  for (unsigned i = 0; i < count && (several || weave_shared->crowd); i++)
    if (!several || !is_visible(&touches[i])) tell(&touches[i], pc);
  if (several) weave_shared->crowd = 1;
  if (changes) weave_changed();
}
void weave_state(uint64_t which, uint32_t how, uint64_t pc) { state(PART_STATE, &(struct weave_kept_state){which, how}, 1, pc); }
void weave_common(uint64_t which, uint32_t how, uint64_t pc) { state(PART_LIST, &(struct weave_kept_state){which, how}, 1, pc); }
void weave_commons(const struct weave_kept_state *all, unsigned count, uint64_t pc) { state(PART_LIST, all, count, pc); }
void weave_states(const struct weave_kept_state *all, unsigned count, uint64_t pc) { state(PART_STATE, all, count, pc); }
void weave_touch_state(struct weave_touches *t, uint64_t which, uint32_t how) { weave_touch(t, PART_STATE, STATES | which, how); }

/* A call that looks, or fails, changes nothing: loops of such calls may only wait. */
void weave_after_file_call(int kind, long result) {
  int failed = result < 0 && result >= -4095;
  if (kind == CALLS_ELSEWHERE || (kind == CHANGES_FILES && !failed)) weave_changed();
}

/* By then another thread may have made the number that of a channel. */
static int became_channel(long number, const long *a, long *result, uint64_t pc) {
  if (!weave_models((int)a[0])) return 0;
  switch (number) {
  case SYS_read: *result = weave_take((int)a[0], (void *)a[1], (size_t)a[2], 0, pc); break;
  case SYS_write: *result = weave_give((int)a[0], (void *)a[1], (size_t)a[2], 0, pc); break;
  case SYS_readv: *result = weave_scatter((int)a[0], (void *)a[1], (int)a[2], 0, pc); break;
  case SYS_writev: *result = weave_gather((int)a[0], (void *)a[1], (int)a[2], 0, pc); break;
  default: return 0;
  }
  if (*result < 0) *result = -errno;
  return 1;
}

long weave_file_call(long number, const long *a, uint64_t pc) {
  if (number == SYS_fstat && weave_models((int)a[0])) weave_use_number(number, (int)a[0], pc);
  int kind = weave_before_file_call(number, a, pc);
  long other;
  if (became_channel(number, a, &other, pc)) return other;
  long result = weave_raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  weave_after_file_call(kind, result);
  weave_lacks_room(number, a, result, pc);
  return result;
}
